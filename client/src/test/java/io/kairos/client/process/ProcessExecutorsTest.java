package io.kairos.client.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.HeartbeatResponse.Verdict;
import io.kairos.api.v1.Result;
import io.kairos.client.handler.FatalFailure;
import io.kairos.client.handler.NotBegun;
import io.kairos.client.handler.RetryLater;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.time.ManualTime;
import io.kairos.client.worker.TestAttempt;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Executors that do not come, and those that end. */
class ProcessExecutorsTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final ManualTime time = new ManualTime();

  @Test
  void a_task_that_no_executor_asks_for_goes_back() {
    ProcessExecutors executors =
        new ProcessExecutors("c", List.of("true"), 2, Duration.ofMillis(40), time);
    // Each look at the lease takes half a second.
    TaskContext context =
        new TestAttempt(
                "",
                () -> {
                  time.jump(Duration.ofMillis(500));
                  return LONG.toNanos();
                })
            .context();

    assertThatThrownBy(() -> executors.handle(new byte[0], context))
        .isInstanceOf(NotBegun.class)
        .hasMessage("no executor asks for tasks of resize");
  }

  @Test
  void tasks_are_asked_for_while_a_process_runs_that_has_asked_for_them() {
    ExecutorSlot slot = slot();
    assertThat(slot.offers("resize")).isFalse();

    slot.polled(new ExecutorSlot.Poll(Set.of("resize"), work -> {}), LONG);
    assertThat(slot.offers("resize")).isTrue();
    assertThat(slot.offers("mail")).isFalse();

    slot.ended("it has crashed");
    assertThat(slot.offers("resize")).isFalse();
  }

  @Test
  void of_one_that_has_ceased_to_ask_nothing_is_expected_until_it_does() {
    ExecutorSlot slot = slot();
    ExecutorSlot.Poll poll = new ExecutorSlot.Poll(Set.of("resize"), work -> {});
    slot.polled(poll, LONG);
    slot.doubt();
    assertThat(slot.offers("resize")).isTrue();

    slot.gone(poll);
    slot.doubt();
    assertThat(slot.offers("resize")).isFalse();

    slot.polled(poll, LONG);
    assertThat(slot.offers("resize")).isTrue();
  }

  @Test
  void one_that_asks_for_more_performs_several_tasks_each_with_a_lease_of_its_own()
      throws Exception {
    ExecutorSlot slot = slot();
    ExecutorProcess process = new ExecutorProcess(List.of("sleep", "1000"), "c-1", slot, time);
    Thread thread = new Thread(process);
    thread.start();
    ExecutorJob first = handOver(slot);
    ExecutorJob second = handOver(slot, "01890000-0000-7000-8000-000000000008");
    assertThat(slot.load()).isEqualTo(2);

    assertThat(slot.beaten(first.work().getId(), first.work().getFence()))
        .contains(Verdict.EXTENDED);
    second.requestCancel();
    assertThat(slot.beaten(second.work().getId(), second.work().getFence()))
        .contains(Verdict.CANCEL_REQUESTED);
    assertThat(slot.reported(resultOf(first))).isTrue();
    assertThat(slot.reported(resultOf(first))).isFalse();
    assertThat(slot.beaten(first.work().getId(), first.work().getFence())).contains(Verdict.LOST);
    ExecutorJob third = handOver(slot);

    slot.kill(second, "it was silent");
    second.await();
    third.await();

    assertThat(second.fate()).isEqualTo("it was silent");
    assertThat(third.fate()).startsWith("its executor ended with exit code");
    process.close();
    thread.join();
  }

  @Test // PD-36
  void what_an_executor_says_of_an_error_is_reported_with_its_class_and_its_delay() {
    ExecutorJob fatal = job(TestAttempt.ID);
    fatal.report(
        resultOf(fatal).toBuilder()
            .setFatal(Result.Fatal.newBuilder().setError("bad").setErrorClass("ValueError"))
            .build());
    ExecutorJob later = job(TestAttempt.ID);
    later.report(
        resultOf(later).toBuilder()
            .setRetryLater(
                Result.RetryLater.newBuilder()
                    .setError("busy")
                    .setErrorClass("java.io.IOException")
                    .setDelay(ProtoTime.of(LONG)))
            .build());

    assertThatThrownBy(() -> ProcessExecutors.judge(fatal, false))
        .isInstanceOfSatisfying(
            FatalFailure.class, thrown -> assertThat(thrown.errorClass()).contains("ValueError"))
        .hasMessage("bad");
    assertThatThrownBy(() -> ProcessExecutors.judge(later, false))
        .isInstanceOfSatisfying(
            RetryLater.class,
            thrown -> {
              assertThat(thrown.errorClass()).contains("java.io.IOException");
              assertThat(thrown.delay()).contains(LONG);
            })
        .hasMessage("busy");
  }

  private static ExecutorJob job(String id) {
    return new ExecutorJob(new byte[0], new TestAttempt(id, "", LONG::toNanos).context());
  }

  private static Result resultOf(ExecutorJob job) {
    return Result.newBuilder().setId(job.work().getId()).setFence(job.work().getFence()).build();
  }

  @Test
  void one_that_was_killed_after_it_had_performed_something_is_replaced_at_once() throws Exception {
    assertThat(pausesAfterKills(true)).containsOnly(Duration.ofMillis(100));
  }

  @Test
  void those_that_are_killed_before_they_have_performed_anything_come_ever_more_slowly()
      throws Exception {
    assertThat(pausesAfterKills(false))
        .startsWith(
            Duration.ofMillis(100),
            Duration.ofMillis(200),
            Duration.ofMillis(400),
            Duration.ofMillis(800));
  }

  private List<Duration> pausesAfterKills(boolean afterWork) throws InterruptedException {
    ExecutorSlot slot = slot();
    ExecutorProcess process = new ExecutorProcess(List.of("sleep", "1000"), "c-1", slot, time);
    Thread thread = new Thread(process);
    thread.start();
    for (int i = 0; i < 5; i++) {
      if (afterWork) {
        ExecutorJob done = handOver(slot);
        assertThat(slot.reported(resultOf(done))).isTrue();
      }
      ExecutorJob job = handOver(slot);
      slot.kill(job, "it was silent");
      job.await();
      assertThat(job.fate()).isEqualTo("it was silent");
    }
    process.close();
    thread.join();
    return time.slept();
  }

  /** Waits until the next process runs. */
  private static ExecutorJob handOver(ExecutorSlot slot) {
    return handOver(slot, TestAttempt.ID);
  }

  private static ExecutorJob handOver(ExecutorSlot slot, String id) {
    ExecutorJob job = job(id);
    poll(slot);
    while (!slot.take(job)) {
      if (!slot.offers("resize")) {
        poll(slot);
      }
      Thread.onSpinWait();
    }
    return job;
  }

  private static void poll(ExecutorSlot slot) {
    slot.polled(new ExecutorSlot.Poll(Set.of("resize"), work -> {}), LONG);
  }

  private ExecutorSlot slot() {
    return new ExecutorSlot(time, time.timer("watch"), LONG, () -> {});
  }
}
