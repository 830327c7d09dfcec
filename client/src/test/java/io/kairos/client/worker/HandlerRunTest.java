package io.kairos.client.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.kairos.api.v1.Progress;
import io.kairos.api.v1.Task;
import io.kairos.api.v1.Work;
import io.kairos.client.encryption.EncryptedPayloads;
import io.kairos.client.encryption.MessageEncryption;
import io.kairos.client.encryption.PayloadDecryptionException;
import io.kairos.client.encryption.PayloadTarget;
import io.kairos.client.encryption.TestKeys;
import io.kairos.client.handler.CancelReason;
import io.kairos.client.handler.FatalFailure;
import io.kairos.client.task.TaskResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HandlerRunTest {
  private static final Executor DIRECT = Runnable::run;

  private final HandlerRun run =
      new HandlerRun(
          Works.work(7)
              .setFence(12)
              .setAttempt(3)
              .setTraceparent("00-a-b-01")
              .setKey("customer 7")
              .setRunAt(com.google.protobuf.Timestamp.newBuilder().setSeconds(9))
              .build(),
          HandlerRegistration.missing("h"),
          "w1",
          () -> 1_000_000_000,
          MessageEncryption.NONE);
  private final List<String> heard = new ArrayList<>();

  @AfterEach
  void leaveNoInterrupt() {
    Thread.interrupted();
  }

  @Test
  void progress_is_sent_until_a_node_has_noted_it() {
    assertThat(run.unsentProgress()).isNull();

    run.progress(120, "n".repeat(600));

    Progress said = java.util.Objects.requireNonNull(run.unsentProgress());
    assertThat(said.getPercent()).isEqualTo(100);
    assertThat(said.getNote()).hasSize(500);
    run.progressNoted(said);
    assertThat(run.unsentProgress()).isNull();
    run.progress(7);
    assertThat(run.unsentProgress()).isNotNull();
  }

  @Test
  void a_result_that_nodes_would_refuse_is_a_fatal_failure() {
    run.result(TaskResult.of(new byte[TaskResult.MOST_BYTES], ""));

    assertThatThrownBy(() -> run.result(TaskResult.of(new byte[TaskResult.MOST_BYTES + 1], "")))
        .isInstanceOf(FatalFailure.class)
        .hasMessageContaining("its result has 262,145 bytes");
  }

  @Test
  void the_context_tells_what_the_attempt_is() {
    assertThat(run.taskId().toString()).isEqualTo(Works.id(7));
    assertThat(run.fence()).isEqualTo(12);
    assertThat(run.attempt()).isEqualTo(3);
    assertThat(run.priority()).isEqualTo(50);
    assertThat(run.dueAt().getEpochSecond()).isEqualTo(9);
    assertThat(run.key()).contains("customer 7");
    assertThat(run.collection()).isEmpty();
    assertThat(run.traceparent()).contains("00-a-b-01");
    assertThat(run.workerName()).isEqualTo("w1");
    assertThat(run.handler()).isEqualTo("h");
  }

  @Test
  void results_of_predecessors_are_decrypted_for_their_task_alone() {
    EncryptedPayloads keys = TestKeys.payloads(TestKeys.line("k1", 1));
    byte[] stored =
        keys.encryptResult(PayloadTarget.handler("load"), Works.id(6), "42".getBytes(UTF_8));

    assertThat(runBehind(Works.id(6), stored, keys).predecessors())
        .singleElement()
        .satisfies(one -> assertThat(one.result().orElseThrow().text()).isEqualTo("42"));
    assertThat(runBehind(Works.id(5), stored, keys).predecessors())
        .singleElement()
        .satisfies(one -> {
          assertThat(one.isResultLeftOut()).isFalse();
          assertThatThrownBy(one::result).isInstanceOf(PayloadDecryptionException.class);
        });
  }

  private static HandlerRun runBehind(String id, byte[] stored, EncryptedPayloads keys) {
    Work.Predecessor load =
        Work.Predecessor.newBuilder()
            .setId(id)
            .setHandler("load")
            .setState(Task.State.SUCCEEDED)
            .setResult(
                io.kairos.api.v1.TaskResult.newBuilder().setValue(ByteString.copyFrom(stored)))
            .build();
    return new HandlerRun(
        Works.work(7).addPredecessors(load).build(),
        HandlerRegistration.missing("h"),
        "w1",
        () -> 1,
        MessageEncryption.of(keys));
  }

  @Test
  void a_cancel_is_flag_callback_and_interrupt() {
    run.begin();
    run.onCancel(() -> heard.add("first"));

    run.cancel(CancelReason.CANCEL_REQUESTED, DIRECT);
    run.onCancel(() -> heard.add("late"));

    assertThat(run.isCancelled()).isTrue();
    assertThat(run.cancelReason()).contains(CancelReason.CANCEL_REQUESTED);
    assertThat(heard).containsExactly("first", "late");
    assertThat(Thread.interrupted()).isTrue();
    assertThatThrownBy(run::throwIfCancelled).isInstanceOf(CancellationException.class);
  }

  @Test
  void the_first_reason_stays_but_a_lost_lease_overrides_and_interrupts_again() {
    run.begin();
    run.cancel(CancelReason.CANCEL_REQUESTED, DIRECT);
    Thread.interrupted();

    run.cancel(CancelReason.CANCEL_REQUESTED, DIRECT);
    run.cancel(CancelReason.EXECUTION_TIMEOUT, DIRECT);
    assertThat(Thread.interrupted()).isFalse();
    assertThat(run.cancelReason()).contains(CancelReason.CANCEL_REQUESTED);

    run.cancel(CancelReason.LEASE_LOST, DIRECT);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(run.cancelReason()).contains(CancelReason.LEASE_LOST);
  }

  @Test
  void one_that_is_cancelled_before_it_begins_finds_the_interrupt() {
    run.cancel(CancelReason.LEASE_LOST, DIRECT);

    run.begin();

    assertThat(Thread.currentThread().isInterrupted()).isTrue();
  }

  @Test
  void when_it_has_ended_its_thread_belongs_to_others() {
    run.begin();
    run.onCancel(() -> heard.add("x"));
    run.cancel(CancelReason.SHUTDOWN, heardNothing -> {});
    run.end();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();

    run.cancel(CancelReason.LEASE_LOST, DIRECT);

    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    assertThat(heard).isEmpty();
    assertThat(run.hasEnded()).isTrue();
  }
}
