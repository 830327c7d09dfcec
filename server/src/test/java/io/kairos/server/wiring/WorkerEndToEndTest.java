package io.kairos.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kairos.client.KairosClient;
import io.kairos.client.Task;
import io.kairos.client.TaskOutcome;
import io.kairos.client.TaskRequest;
import io.kairos.client.error.InvalidRequestException;
import io.kairos.client.handler.CancelReason;
import io.kairos.client.handler.RetryLater;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.task.CancelOutcome;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.RetryPolicy;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskState;
import io.kairos.client.time.ActionTimer;
import io.kairos.client.time.ClientTime;
import io.kairos.client.time.SystemTime;
import io.kairos.client.worker.AttemptEnding;
import io.kairos.client.worker.Worker;
import io.kairos.client.worker.WorkerListener;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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

  @Test
  void a_value_is_awaited_and_progress_is_shown_while_the_attempt_lasts() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    TaskId id = client.schedule(TaskRequest.to("valued").payload("21").build());
    Worker worker = Worker.connect(address);
    worker.handle(
        "valued",
        PayloadCodec.utf8(),
        PayloadCodec.utf8(),
        (number, context) -> {
          context.progress(40, "rows");
          gate.await();
          return Integer.toString(2 * Integer.parseInt(number));
        });
    try (worker) {
      worker.start();
      Task.Progress progress = client.get(id).progress();
      while (progress == null) {
        assertThat(client.await(id, Duration.ofMillis(50)))
            .isEqualTo(new TaskOutcome.StillRunning(id));
        progress = client.get(id).progress();
      }
      assertThat(progress.percent()).isEqualTo(40);
      assertThat(progress.note()).isEqualTo("rows");
      assertThat(client.get(id).heartbeatAt()).isAfterOrEqualTo(progress.at());
      gate.countDown();

      TaskOutcome outcome = client.await(id, Duration.ofSeconds(30));

      assertThat(outcome)
          .isInstanceOfSatisfying(
              TaskOutcome.Succeeded.class,
              done -> assertThat(done.value(PayloadCodec.utf8())).isEqualTo("42"));
    }
    assertThat(client.get(id).progress()).isNull();
    assertThat(client.get(id).heartbeatAt()).isNull();
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

  /** System time that can jump ahead, as after a stop of the whole process. */
  private static final class JumpingTime implements ClientTime {
    private final ClientTime system = new SystemTime();
    private final AtomicLong jumpedNanos = new AtomicLong();

    void jump(Duration ahead) {
      jumpedNanos.addAndGet(ahead.toNanos());
    }

    @Override
    public Instant now() {
      return system.now();
    }

    @Override
    public long nanos() {
      return system.nanos() + jumpedNanos.get();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      system.sleep(duration);
    }

    @Override
    public ActionTimer timer(String threadName) {
      return system.timer(threadName);
    }
  }

  /** The handler ignores the interrupt, so that its late return is seen as well. */
  @Test
  void dal6_a_stop_longer_than_a_lease_costs_one_attempt_and_the_worker_goes_on() throws Exception {
    JumpingTime time = new JumpingTime();
    BlockingQueue<TaskContext> begun = new LinkedBlockingQueue<>();
    BlockingQueue<AttemptEnding> endings = new LinkedBlockingQueue<>();
    CountDownLatch resumed = new CountDownLatch(1);
    WorkerListener listener =
        new WorkerListener() {
          @Override
          public void ended(String handler, AttemptEnding ending, Duration took) {
            endings.add(ending);
          }
        };
    TaskId id =
        client.schedule(
            TaskRequest.to("stopped")
                .retryPolicy(
                    RetryPolicy.attempts(5)
                        .backoff(Duration.ofMillis(10), 1, Duration.ofMillis(10)))
                .build());
    try (Worker worker =
        Worker.builder(address).concurrency(2).time(time).listener(listener).build()) {
      worker.handle(
          "stopped",
          PayloadCodec.bytes(),
          (payload, context) -> {
            begun.add(context);
            if (context.attempt() == 1) {
              awaitWhateverComes(resumed);
            }
          });
      worker.start();
      TaskContext stopped = begun.take();

      time.jump(Duration.ofMinutes(1));

      TaskContext next = begun.take();
      assertThat(stopped.cancelReason()).contains(CancelReason.LEASE_LOST);
      assertThat(next.attempt()).isEqualTo(2);
      assertThat(next.fence()).isGreaterThan(stopped.fence());
      assertThat(endings.take()).isEqualTo(AttemptEnding.SUCCEEDED);
      resumed.countDown();
      assertThat(endings.take()).isEqualTo(AttemptEnding.LOST);
    }

    Task task = client.get(id);
    assertThat(task.state()).isEqualTo(TaskState.SUCCEEDED);
    assertThat(task.failures()).hasSize(1);
  }

  private static void awaitWhateverComes(CountDownLatch latch) {
    boolean waiting = true;
    while (waiting) {
      try {
        latch.await();
        waiting = false;
      } catch (InterruptedException e) {
        // that is the point
      }
    }
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
