package io.kairos.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kairos.client.KairosClient;
import io.kairos.client.Task;
import io.kairos.client.TaskRequest;
import io.kairos.client.error.InvalidRequestException;
import io.kairos.client.handler.RetryLater;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.task.CancelOutcome;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskState;
import io.kairos.client.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The Java client and its worker against a whole node on real Postgres. */
class WorkerEndToEndTest {
  @AutoClose private static final RunningNode node = Configured.started();
  private static final String address = Configured.address(node);
  @AutoClose private static final KairosClient client = KairosClient.connect(address);

  @Test // DA-13
  void da06_every_task_of_a_batch_is_performed_and_reported() throws Exception {
    int count = 500;
    CountDownLatch performed = new CountDownLatch(count);
    Set<String> payloads = ConcurrentHashMap.newKeySet();
    List<TaskRequest> requests = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      requests.add(TaskRequest.to("many").payload("p" + i).build());
    }

    List<TaskId> ids = client.schedule(requests);
    try (Worker _ =
        Configured.worker(
            address,
            "many",
            PayloadCodec.utf8(),
            (payload, context) -> {
              payloads.add(payload);
              performed.countDown();
            })) {
      assertThat(performed.await(30, TimeUnit.SECONDS)).isTrue();
    }

    assertThat(payloads).hasSize(count);
    for (TaskId id : ids) {
      assertThat(client.get(id).state()).isEqualTo(TaskState.SUCCEEDED);
    }
  }

  @Test // PD-36
  void da20_an_attempt_that_asks_for_another_gets_it_with_a_higher_fence() throws Exception {
    BlockingQueue<Long> fences = new LinkedBlockingQueue<>();
    TaskId id = client.schedule(TaskRequest.to("twice").build());
    try (Worker _ =
        Configured.worker(
            address,
            "twice",
            PayloadCodec.bytes(),
            (payload, context) -> {
              fences.add(context.fence());
              if (context.attempt() == 1) {
                throw new RetryLater("not now", Duration.ZERO);
              }
            })) {

      long first = fences.take();
      long second = fences.take();
      assertThat(second).isGreaterThan(first);
    }

    Task task = client.get(id);
    assertThat(task.state()).isEqualTo(TaskState.SUCCEEDED);
    assertThat(task.failures())
        .singleElement()
        .satisfies(failure -> {
          assertThat(failure.error()).isEqualTo("not now");
          assertThat(failure.errorClass()).isEqualTo(RetryLater.class.getName());
          assertThat(failure.outcome()).isEqualTo(TaskState.RETRIABLE_FAILURE);
          assertThat(failure.startedAt()).isBetween(task.createdAt(), failure.at());
        });
    assertThat(task.attemptStartedAt())
        .isBetween(task.failures().getFirst().at(), task.finishedAt());
  }

  @Test
  void a_cancel_reaches_the_handler_with_a_heartbeat() throws Exception {
    BlockingQueue<TaskContext> begun = new LinkedBlockingQueue<>();
    CountDownLatch never = new CountDownLatch(1);
    TaskId id = client.schedule(TaskRequest.to("long").build());
    try (Worker _ =
        Configured.worker(
            address,
            "long",
            PayloadCodec.bytes(),
            (payload, context) -> {
              begun.add(context);
              never.await();
            })) {
      begun.take();

      assertThat(client.cancel(id)).isEqualTo(CancelOutcome.REQUESTED);
    }

    assertThat(client.get(id).state()).isEqualTo(TaskState.CANCELLED);
  }

  @Test
  void a_field_that_breaks_a_rule_is_named() {
    InvalidRequestException refused =
        catchThrowableOfType(
            InvalidRequestException.class,
            () -> client.schedule(TaskRequest.to("h").priority(101).build()));

    assertThat(refused.field()).isEqualTo("priority");
  }
}
