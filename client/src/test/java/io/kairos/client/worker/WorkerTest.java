package io.kairos.client.worker;

import static io.kairos.client.worker.ScriptedNode.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.kairos.api.v1.HeartbeatRequest;
import io.kairos.api.v1.HeartbeatResponse.Verdict;
import io.kairos.api.v1.Result;
import io.kairos.api.v1.Work;
import io.kairos.client.handler.CancelReason;
import io.kairos.client.handler.FatalFailure;
import io.kairos.client.handler.Handler;
import io.kairos.client.handler.HandlerOptions;
import io.kairos.client.handler.RetryLater;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.time.ManualTime;
import io.kairos.client.worker.ScriptedNode.Report;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkerTest {
  private final ManualTime time = new ManualTime();
  private final ScriptedNode node = new ScriptedNode();
  private final BlockingQueue<String> halts = new LinkedBlockingQueue<>();
  private final Heard heard = new Heard();
  private final List<Worker> workers = new ArrayList<>();
  private final List<CompletableFuture<Boolean>> ended = new ArrayList<>();

  /** Handlers that block say here that they have begun, and wait for the gate. */
  private final BlockingQueue<TaskContext> begun = new LinkedBlockingQueue<>();

  private final CountDownLatch gate = new CountDownLatch(1);

  private static final class Heard implements WorkerListener {
    final BlockingQueue<AttemptEnding> endings = new LinkedBlockingQueue<>();
    final BlockingQueue<Boolean> heartbeats = new LinkedBlockingQueue<>();
    final BlockingQueue<String> losses = new LinkedBlockingQueue<>();
    final BlockingQueue<String> refusals = new LinkedBlockingQueue<>();
    final BlockingQueue<String> abandoned = new LinkedBlockingQueue<>();
    final BlockingQueue<String> returned = new LinkedBlockingQueue<>();

    /** Runs within the call that tells of an abandoned handler. */
    volatile Runnable blocks = () -> {};

    @Override
    public void ended(String handler, AttemptEnding ending, Duration took) {
      endings.add(ending);
    }

    @Override
    public void heartbeat(int tasks, boolean acknowledged) {
      heartbeats.add(acknowledged);
    }

    @Override
    public void lost(String handler, String why) {
      losses.add(why);
    }

    @Override
    public void resultRefused(String reason) {
      refusals.add(reason);
    }

    @Override
    public void abandoned(String handler) {
      blocks.run();
      abandoned.add(handler);
    }

    @Override
    public void returned(String handler) {
      returned.add(handler);
    }
  }

  @AfterEach
  void close() {
    gate.countDown();
    node.close();
    workers.forEach(worker -> ended.add(worker.drain(Duration.ZERO)));
    time.pass(Duration.ofMinutes(1));
    for (CompletableFuture<Boolean> one : ended) {
      assertThat(one).succeedsWithin(Duration.ofSeconds(20));
    }
  }

  private Worker worker(int concurrency, ScriptedNode... nodes) {
    return kept(builder(concurrency, nodes).build());
  }

  private Worker kept(Worker worker) {
    workers.add(worker);
    return worker;
  }

  private Worker.Builder builder(int concurrency, ScriptedNode... nodes) {
    String[] addresses =
        nodes.length == 0
            ? new String[] {node.name}
            : List.of(nodes).stream().map(one -> one.name).toArray(String[]::new);
    return Worker.builder(addresses)
        .transport(InProcessChannelBuilder::forName)
        .name("w1")
        .concurrency(concurrency)
        .listener(heard)
        .haltBy(halts::add)
        .time(time);
  }

  private Worker started(int concurrency, Handler<String> handler, ScriptedNode... nodes) {
    Worker worker = worker(concurrency, nodes);
    worker.handle("h", PayloadCodec.utf8(), handler);
    worker.start();
    return worker;
  }

  /** Waits at the gate; an interrupt ends it. */
  private void waitAtTheGate(String payload, TaskContext context) throws InterruptedException {
    begun.add(context);
    gate.await();
  }

  /** Waits at the gate whatever happens. */
  private void ignoreAllCancels(String payload, TaskContext context) {
    begun.add(context);
    boolean waiting = true;
    while (waiting) {
      try {
        gate.await();
        waiting = false;
      } catch (InterruptedException e) {
        // that is the point
      }
    }
  }

  @Test
  void a_handlers_value_is_reported_and_its_progress_goes_with_a_heartbeat() {
    Worker worker = worker(1);
    worker.handle(
        "h",
        PayloadCodec.utf8(),
        PayloadCodec.utf8(),
        (payload, context) -> {
          context.progress(40, "rows");
          begun.add(context);
          gate.await();
          return "value of " + context.attempt();
        });
    worker.start();
    node.poll().give(work(1));
    take(begun);

    passABeat();

    HeartbeatRequest.Held held = take(node.heartbeats).getHeld(0);
    assertThat(held.getProgress().getPercent()).isEqualTo(40);
    assertThat(held.getProgress().getNote()).isEqualTo("rows");
    gate.countDown();
    assertThat(node.result().getSuccess().getResult().getValue().toStringUtf8())
        .startsWith("value of ");
  }

  private static Work work(int number) {
    return Works.work(number).build();
  }

  /** So long that one heartbeat is sent, and until it is acknowledged. */
  private void passABeat() {
    pass(time, 875);
    assertThat(take(heard.heartbeats)).isTrue();
  }

  private static void pass(ManualTime time, long millis) {
    time.pass(Duration.ofMillis(millis));
  }

  @Test
  void da13_a_task_is_claimed_run_and_reported() {
    BlockingQueue<String> payloads = new LinkedBlockingQueue<>();
    started(1, (payload, context) -> payloads.add(payload + context.fence()));

    ScriptedNode.Poll poll = node.poll();
    assertThat(poll.request().getWorker()).isEqualTo("w1");
    assertThat(poll.request().getHandlersList()).containsExactly("h");
    assertThat(poll.request().getMaxTasks()).isEqualTo(1);
    poll.give(Works.work(1).setFence(7).build());

    assertThat(take(payloads)).isEqualTo("p17");
    Result result = node.result();
    assertThat(result.getId()).isEqualTo(Works.id(1));
    assertThat(result.getFence()).isEqualTo(7);
    assertThat(result.hasSuccess()).isTrue();
    assertThat(take(heard.endings)).isEqualTo(AttemptEnding.SUCCEEDED);
    assertThat(node.poll()).isNotNull();
  }

  @Test
  void interceptors_run_around_a_handler_in_the_order_in_which_they_were_added() {
    BlockingQueue<String> order = new LinkedBlockingQueue<>();
    Worker worker =
        builder(1, node)
            .intercept((context, attempt) -> {
              order.add("first " + context.handler());
              attempt.perform(context.withTraceparent("00-c-d-01"));
            })
            .intercept((context, attempt) -> {
              order.add("second");
              attempt.perform(context);
              throw new FatalFailure("after the handler");
            })
            .build();
    kept(worker)
        .handle(
            "h",
            PayloadCodec.utf8(),
            (payload, context) -> order.add(context.traceparent().orElse("none")));
    worker.start();
    node.poll().give(Works.work(1).build());

    assertThat(node.result().getFatal().getError()).isEqualTo("after the handler");
    assertThat(order).containsExactly("first h", "second", "00-c-d-01");
  }

  @Test // DA-20
  void da12_a_handler_says_retry_or_fatal_and_any_other_exception_is_a_retry() {
    started(
        1,
        (payload, context) -> {
          switch (payload) {
            case "p1" -> throw new RetryLater("busy", Duration.ofSeconds(9));
            case "p2" -> throw new FatalFailure("never");
            default -> throw new IllegalArgumentException("oops");
          }
        });

    node.poll().give(work(1));
    assertThat(node.result().getRetryLater().getDelay().getSeconds()).isEqualTo(9);
    node.poll().give(work(2));
    assertThat(node.result().getFatal().getError()).isEqualTo("never");
    node.poll().give(work(3));
    assertThat(node.result().getRetryLater().getError())
        .isEqualTo("java.lang.IllegalArgumentException: oops");
  }

  @Test
  void errors_are_redacted_as_the_builder_says() {
    Worker worker =
        kept(
            builder(1)
                .redactErrors(error ->
                    new ErrorRedaction.ReportedError(
                        error.handler(),
                        error.errorClass(),
                        error.message().replace("Anna", "?"),
                        ""))
                .build());
    worker.handle(
        "h",
        PayloadCodec.utf8(),
        (payload, context) -> {
          throw new IllegalStateException("the address of Anna");
        });
    worker.start();

    node.poll().give(work(1));

    Result.RetryLater later = node.result().getRetryLater();
    assertThat(later.getError()).isEqualTo("java.lang.IllegalStateException: the address of ?");
    assertThat(later.getErrorClass()).isEqualTo("java.lang.IllegalStateException");
    assertThat(later.getStack()).isEmpty();
  }

  @Test
  void an_error_in_a_handler_is_reported_and_the_worker_goes_on() {
    started(
        1,
        (payload, context) -> {
          if (payload.equals("p1")) {
            throw new StackOverflowError("deep");
          }
        });

    node.poll().give(work(1));
    assertThat(node.result().getRetryLater().getError()).contains("deep");
    node.poll().give(work(2));
    assertThat(node.result().hasSuccess()).isTrue();
  }

  @Test
  void a_payload_that_cannot_be_read_fails_for_good() {
    started(1, (payload, context) -> {});

    node.poll()
        .give(
            Works.work(1)
                .setPayload(com.google.protobuf.ByteString.copyFrom(new byte[] {(byte) 0xff}))
                .build());

    assertThat(node.result().getFatal().getError()).contains("UTF-8");
  }

  @Test
  void results_that_come_while_a_call_is_under_way_go_in_one() {
    node.acceptsReports = false;
    started(1, (payload, context) -> {});

    node.poll().give(work(1), work(2), work(3), work(4), work(5));
    Report first = node.report();
    for (int i = 0; i < 5; i++) {
      take(heard.endings);
    }
    assertThat(first.results()).hasSize(1);
    assertThat(node.reports).isEmpty();
    first.accept();

    assertThat(node.report().results()).hasSize(4);
  }

  @Test
  void a_result_that_got_no_answer_is_sent_again() {
    node.acceptsReports = false;
    started(1, (payload, context) -> {});
    node.poll().give(work(1));
    take(heard.endings);

    node.report().fail(Status.UNAVAILABLE);
    pass(time, 500);

    assertThat(node.result().getId()).isEqualTo(Works.id(1));
  }

  @Test
  void da13_a_strict_worker_asks_for_and_begins_tasks_by_priority() {
    List<String> order = new ArrayList<>();
    kept(builder(1).strictPriority().build())
        .handle(
            "h",
            PayloadCodec.utf8(),
            (payload, context) -> {
              waitAtTheGate(payload, context);
              order.add(payload);
            })
        .start();
    ScriptedNode.Poll poll = node.poll();
    assertThat(poll.request().getStrictPriority()).isTrue();
    node.acceptsReports = false;

    poll.give(work(1));
    take(begun);
    // A node that gives more than it was asked for.
    time.pass(Duration.ZERO);
    gate.countDown();
    node.report().accept();
    take(heard.endings);
    node.poll()
        .give(
            Works.work(2).setPriority(10).build(),
            Works.work(3).setPriority(90).build(),
            Works.work(4).setPriority(50).build());
    for (int i = 0; i < 3; i++) {
      take(heard.endings);
    }

    assertThat(order).containsExactly("p1", "p3", "p4", "p2");
  }

  @Test
  void running_and_buffered_tasks_are_heartbeated() {
    started(1, this::waitAtTheGate);
    node.poll().give(work(1), work(2), work(3));
    take(begun);

    pass(time, 1_000);

    HeartbeatRequest beat = take(node.heartbeats);
    assertThat(beat.getWorker()).isEqualTo("w1");
    assertThat(beat.getHeldList())
        .extracting(HeartbeatRequest.Held::getId)
        .containsExactly(Works.id(1), Works.id(2), Works.id(3));
    assertThat(take(heard.heartbeats)).isTrue();
  }

  @Test
  void heartbeats_keep_a_long_task_alive() {
    started(1, this::waitAtTheGate);
    node.poll().give(work(1));
    TaskContext context = take(begun);

    for (int beat = 0; beat < 60; beat++) {
      passABeat();
    }
    assertThat(context.isCancelled()).isFalse();
    gate.countDown();

    assertThat(node.result().hasSuccess()).isTrue();
  }

  @Test
  void da22_three_failed_heartbeats_cancel_the_handler_and_drop_its_result() {
    started(1, this::waitAtTheGate);
    node.poll().give(work(1), work(2));
    TaskContext context = take(begun);
    node.verdict = null;

    failHeartbeat(875 + 800);
    failHeartbeat(875);
    assertThat(context.isCancelled()).isFalse();
    failHeartbeat(875);

    assertThat(context.cancelReason()).contains(CancelReason.LEASE_LOST);
    assertThat(take(heard.losses)).contains("three heartbeats");
    assertThat(take(heard.losses)).contains("three heartbeats");
    assertThat(take(heard.endings)).isEqualTo(AttemptEnding.LOST);
    pass(time, 2_000);
    assertThat(halts).isEmpty();
    assertThat(node.reports).isEmpty();
    assertThat(begun).as("the buffered task is dropped").isEmpty();
  }

  /** Until the end of its timeout and not longer, as what comes then is counted from there. */
  private void failHeartbeat(long afterMillis) {
    pass(time, afterMillis);
    assertThat(take(heard.heartbeats)).isFalse();
  }

  @Test
  void da22_the_jvm_halts_if_that_is_asked_for_when_a_handler_goes_on_after_its_grace() {
    Worker worker = worker(1);
    worker.handle("h", PayloadCodec.utf8(), this::ignoreAllCancels, HandlerOptions.HALT_JVM);
    worker.start();
    node.poll().give(work(1));
    take(begun);
    node.verdict = null;
    failHeartbeat(875 + 800);
    failHeartbeat(875);
    failHeartbeat(875);

    pass(time, 499);
    assertThat(halts).isEmpty();
    pass(time, 1);

    assertThat(take(halts)).contains(Works.id(1)).contains("three heartbeats");
    // All this was within the lease of 4.5 s.
  }

  @Test
  void da22_a_halt_that_returns_or_throws_leaves_an_abandoned_handler() {
    for (JvmHalt halt : List.<JvmHalt>of(why -> {}, WorkerTest::failToHalt)) {
      Worker worker = kept(builder(1).haltBy(halt).build());
      worker.handle("h", PayloadCodec.utf8(), this::ignoreAllCancels, HandlerOptions.HALT_JVM);
      worker.start();
      node.poll().give(work(1));
      take(begun);

      time.jump(Duration.ofMillis(4_500));
      pass(time, 125 + 500);

      assertThat(take(heard.abandoned)).isEqualTo("h");
      assertThat(node.polls).as("its executor is occupied").isEmpty();
    }
  }

  private static void failToHalt(String why) {
    throw new IllegalStateException("cannot halt");
  }

  /** The handler returns while the listener is still being told that it is abandoned. */
  @Test
  void da22_a_listener_hears_of_the_abandonment_before_the_end_of_the_handler() {
    List<String> order = new CopyOnWriteArrayList<>();
    CountDownLatch over = new CountDownLatch(1);
    WorkerListener listener =
        new WorkerListener() {
          @Override
          public void abandoned(String handler) {
            gate.countDown();
            node.poll(); // the worker asks again when the handler has returned
            order.add("abandoned");
          }

          @Override
          public void ended(String handler, AttemptEnding ending, Duration took) {
            order.add("ended");
          }

          @Override
          public void returned(String handler) {
            order.add("returned");
            over.countDown();
          }
        };
    Worker worker = kept(builder(1).listener(listener).build());
    worker.handle("h", PayloadCodec.utf8(), this::ignoreAllCancels).start();
    node.poll().give(work(1));
    take(begun);

    time.jump(Duration.ofMillis(4_500));
    pass(time, 125 + 500);

    assertThat(over.getCount()).isZero();
    assertThat(order).containsExactly("abandoned", "ended", "returned");
  }

  @Test
  void dal6_a_listener_that_blocks_is_no_standstill_of_the_process() {
    heard.blocks = () -> time.jump(Duration.ofSeconds(10));
    started(2, this::ignoreAllCancels);
    node.poll().give(work(1));
    node.poll().give(work(2));
    take(begun);
    take(begun);
    node.verdict = held -> held.getId().equals(Works.id(1)) ? Verdict.LOST : Verdict.EXTENDED;
    passABeat();
    assertThat(take(heard.losses)).contains("a node said");

    pass(time, 625);

    assertThat(take(heard.abandoned)).isEqualTo("h");
    assertThat(take(heard.losses)).contains("the worker's listener").contains("for about 10 s");
  }

  @Test
  void da22_a_handler_that_goes_on_keeps_its_executor_until_it_returns() {
    try (LogLines log = new LogLines()) {
      started(2, this::ignoreAllCancels);
      node.poll().give(work(1));
      TaskContext context = take(begun);
      ScriptedNode.Poll second = node.poll();
      time.jump(Duration.ofMillis(4_500));
      pass(time, 125);
      assertThat(context.cancelReason()).contains(CancelReason.LEASE_LOST);
      assertThat(heard.abandoned).isEmpty();

      pass(time, 500);

      assertThat(take(heard.abandoned)).isEqualTo("h");
      assertThat(log.warnings()).hasSize(2);
      ILoggingEvent line = log.warnings().get(1);
      assertThat(line.getFormattedMessage()).contains("keeps its executor until it returns");
      assertThat(LogLines.value(line, "task")).isEqualTo(Works.id(1));
      assertThat(LogLines.value(line, "handler")).isEqualTo("h");
      second.give();
      node.poll().give(work(2));
      assertThat(take(begun).taskId().toString()).isEqualTo(Works.id(2));
      assertThat(node.polls).as("both executors are occupied").isEmpty();

      gate.countDown();
      assertThat(take(heard.returned)).isEqualTo("h");
      assertThat(node.result().getId()).as("only of the other").isEqualTo(Works.id(2));
      assertThat(node.reports).isEmpty();
      node.poll();
      node.poll();
      assertThat(halts).isEmpty();
    }
  }

  @Test
  void da22_a_handler_that_stops_within_its_grace_is_not_abandoned() {
    started(1, this::waitAtTheGate);
    node.poll().give(work(1));
    take(begun);

    time.jump(Duration.ofSeconds(10));
    pass(time, 125);
    assertThat(take(heard.endings)).isEqualTo(AttemptEnding.LOST);
    pass(time, 2_000);

    assertThat(heard.abandoned).isEmpty();
    assertThat(heard.returned).isEmpty();
    assertThat(halts).isEmpty();
  }

  /** The whole process stops, its heartbeats and open calls included. */
  @Test
  void dal6_a_breakpoint_longer_than_a_lease_costs_one_attempt_and_one_line_in_the_log() {
    try (LogLines log = new LogLines()) {
      started(2, this::waitAtTheGate);
      node.poll().give(work(1));
      TaskContext stopped = take(begun);
      node.poll();
      node.verdict = null;
      pass(time, 875);
      take(node.heartbeats);

      time.jump(Duration.ofMinutes(1));
      pass(time, 125);

      assertThat(stopped.cancelReason()).contains(CancelReason.LEASE_LOST);
      assertThat(take(heard.endings)).isEqualTo(AttemptEnding.LOST);
      assertThat(take(heard.losses)).contains("stood still for about 60 s");
      assertThat(take(heard.heartbeats)).as("the one under way").isFalse();
      node.verdict = held -> Verdict.EXTENDED;
      node.poll().give(work(2));
      assertThat(take(begun).taskId().toString()).isEqualTo(Works.id(2));
      passABeat();
      gate.countDown();
      Result result = node.result();
      assertThat(result.getId()).isEqualTo(Works.id(2));
      assertThat(result.hasSuccess()).isTrue();
      assertThat(halts).isEmpty();
      assertThat(log.warnings())
          .singleElement()
          .satisfies(line -> {
            assertThat(line.getFormattedMessage()).contains("leases were lost");
            assertThat(LogLines.value(line, "why")).contains("stood still");
            assertThat(line.getThrowableProxy()).isNull();
          });
    }
  }

  @Test // PD-37
  void dal6_after_a_long_stop_what_ran_is_cancelled_at_once_and_not_reported() {
    started(1, this::waitAtTheGate);
    node.poll().give(work(1));
    TaskContext context = take(begun);

    time.jump(Duration.ofSeconds(30));
    pass(time, 125);

    assertThat(context.cancelReason()).contains(CancelReason.LEASE_LOST);
    assertThat(take(heard.endings)).isEqualTo(AttemptEnding.LOST);
    assertThat(node.reports).isEmpty();
  }

  @Test
  void dal6_a_result_that_is_ready_after_a_long_stop_is_not_sent() {
    started(1, this::waitAtTheGate);
    node.poll().give(work(1));
    take(begun);

    time.jump(Duration.ofSeconds(30));
    gate.countDown();

    assertThat(take(heard.endings)).isEqualTo(AttemptEnding.LOST);
    assertThat(node.reports).isEmpty();
  }

  /** Else a node that serves who has waited longest might never come to it. */
  @Test
  void who_has_had_no_work_yet_waits_for_it_as_long_as_the_others() {
    started(1, this::waitAtTheGate);
    ScriptedNode.Poll first = node.poll();
    pass(time, 1_000);
    first.give();

    assertThat(node.poll().request().getWait())
        .isEqualTo(
            com.google.protobuf.Duration.newBuilder().setSeconds(1).setNanos(125_000_000).build());
  }

  @Test
  void dal6_an_answer_that_waited_while_the_process_was_stopped_is_not_begun() {
    started(1, this::waitAtTheGate);
    ScriptedNode.Poll poll = node.poll();

    time.jump(Duration.ofMillis(5_500));
    poll.give(work(1));
    pass(time, 200);

    assertThat(take(heard.losses)).contains("stood still");
    assertThat(begun).isEmpty();
  }

  @Test // DA-L5
  void da22_a_task_that_a_node_calls_lost_is_stopped_and_the_others_go_on() {
    started(2, this::waitAtTheGate);
    node.poll().give(work(1));
    node.poll().give(work(2));
    TaskContext one = take(begun);
    TaskContext two = take(begun);
    String lost = one.taskId().toString();
    node.verdict = held -> held.getId().equals(lost) ? Verdict.LOST : Verdict.EXTENDED;

    pass(time, 1_000);
    take(heard.heartbeats);

    assertThat(take(heard.endings)).isEqualTo(AttemptEnding.LOST);
    assertThat(two.isCancelled()).isFalse();
    gate.countDown();
    assertThat(node.result().getId()).isEqualTo(two.taskId().toString());
  }

  @Test
  void a_requested_cancel_reaches_the_handler_with_the_heartbeat() {
    started(1, this::waitAtTheGate);
    node.poll().give(work(1), work(2));
    TaskContext context = take(begun);
    node.acceptsReports = false;
    node.verdict = held -> Verdict.CANCEL_REQUESTED;

    pass(time, 1_000);
    take(heard.heartbeats);

    Report first = node.report();
    first.accept();
    List<Result> results = new ArrayList<>(first.results());
    while (results.size() < 2) {
      Report next = node.report();
      next.accept();
      results.addAll(next.results());
    }
    assertThat(results).allMatch(Result::hasCancelled);
    assertThat(context.cancelReason()).contains(CancelReason.CANCEL_REQUESTED);
    assertThat(begun).as("the buffered task was never begun").isEmpty();
  }

  @Test
  void pdl2_an_attempt_that_takes_too_long_is_stopped_and_tried_again() {
    started(1, this::waitAtTheGate);
    node.poll()
        .give(
            Works.work(1)
                .setExecutionTimeout(com.google.protobuf.Duration.newBuilder().setSeconds(2))
                .build());
    TaskContext context = take(begun);

    pass(time, 1_999);
    assertThat(context.isCancelled()).isFalse();
    pass(time, 1);

    assertThat(context.cancelReason()).contains(CancelReason.EXECUTION_TIMEOUT);
    assertThat(node.result().getRetryLater().getError()).isEqualTo("execution timeout");
  }

  @Test
  void work_goes_on_at_another_node_when_one_dies() {
    try (ScriptedNode other = new ScriptedNode()) {
      started(2, this::waitAtTheGate, node, other);
      node.poll().give(work(1));
      TaskContext context = take(begun);
      node.close();

      for (int beat = 0; beat < 5; beat++) {
        passABeat();
      }
      assertThat(context.isCancelled()).isFalse();
      assertThat(other.heartbeats).hasSize(5);
      other.poll().give(); // asked so long ago that a lease from then would be over
      other.poll().give(work(2));
      take(begun);
      gate.countDown();

      List<Result> results = new ArrayList<>(other.report().results());
      if (results.size() < 2) {
        pass(time, 50);
        results.addAll(other.report().results());
      }
      assertThat(results)
          .extracting(Result::getId)
          .containsExactlyInAnyOrder(Works.id(1), Works.id(2));
    }
  }

  @Test
  void a_node_that_fails_is_asked_again_later() {
    started(1, this::waitAtTheGate);

    node.poll().observer().onError(Status.UNAVAILABLE.asRuntimeException());
    assertThat(node.polls).isEmpty();
    pass(time, 100);

    assertThat(node.poll()).isNotNull();
  }

  @Test
  void a_node_that_does_not_let_workers_wait_is_not_asked_in_a_tight_circle() {
    started(1, this::waitAtTheGate);

    node.poll().give();
    assertThat(node.polls).isEmpty();
    pass(time, 100);

    assertThat(node.poll()).isNotNull();
  }

  @Test
  void a_drain_performs_what_is_here_and_asks_for_no_more() throws Exception {
    Worker worker = started(1, this::waitAtTheGate);
    node.poll().give(work(1), work(2));
    take(begun);

    CompletableFuture<Boolean> drained = worker.drain(Duration.ofSeconds(10));
    assertThat(drained).isNotDone();
    gate.countDown();

    assertThat(drained.get()).isTrue();
    assertThat(heard.endings).containsExactly(AttemptEnding.SUCCEEDED, AttemptEnding.SUCCEEDED);
    assertThat(node.polls).isEmpty();
    worker.join();
  }

  @Test
  void a_drain_waits_for_the_calls_that_may_bring_claimed_work() throws Exception {
    Worker worker = started(1, (payload, context) -> {});
    ScriptedNode.Poll open = node.poll();

    CompletableFuture<Boolean> drained = worker.drain(Duration.ofSeconds(10));
    assertThat(drained).isNotDone();
    assertThat(take(node.leaving)).isEqualTo(open.request().getWorker());
    open.give(work(1));

    assertThat(drained.get()).isTrue();
    assertThat(node.result().hasSuccess()).isTrue();
  }

  @Test
  void a_call_that_reaches_its_node_after_the_worker_has_left_is_ended_too() throws Exception {
    Worker worker = started(1, (payload, context) -> {});
    ScriptedNode.Poll open = node.poll();
    CompletableFuture<Boolean> drained = worker.drain(Duration.ofSeconds(10));
    take(node.leaving);

    pass(time, 500);

    assertThat(take(node.leaving)).isEqualTo(open.request().getWorker());
    open.give();
    assertThat(drained.get()).isTrue();
  }

  @Test
  void when_the_drain_time_is_over_tasks_go_back() throws Exception {
    Worker worker = started(1, this::waitAtTheGate);
    node.poll().give(work(1), work(2));
    TaskContext context = take(begun);

    CompletableFuture<Boolean> drained = worker.drain(Duration.ofSeconds(1));
    pass(time, 1_000);

    assertThat(drained.get()).isTrue();
    assertThat(context.cancelReason()).contains(CancelReason.SHUTDOWN);
    List<Result> results = new ArrayList<>();
    node.reports.forEach(report -> results.addAll(report.results()));
    assertThat(results).hasSize(2);
    assertThat(results)
        .filteredOn(Result::hasRetryLater)
        .singleElement()
        .satisfies(result -> {
          assertThat(result.getRetryLater().getError()).isEqualTo("the worker was stopped");
          assertThat(result.getRetryLater().hasDelay()).isTrue();
        });
    assertThat(results).filteredOn(Result::hasNotBegun).hasSize(1);
  }

  @Test
  void a_handler_that_outlives_the_drain_is_kept_alive() throws Exception {
    Worker worker = started(1, this::ignoreAllCancels);
    node.poll().give(work(1));
    take(begun);

    CompletableFuture<Boolean> drained = worker.drain(Duration.ofSeconds(1));
    pass(time, 1_500);
    assertThat(drained.get()).isFalse();

    heard.heartbeats.clear();
    pass(time, 1_000);
    assertThat(take(heard.heartbeats)).isTrue();
    gate.countDown();
    assertThat(node.result().hasSuccess()).isTrue();
    assertThat(halts).isEmpty();
  }

  @Test
  void a_drain_waits_the_stop_time_for_what_it_has_cancelled() throws Exception {
    Worker worker = kept(builder(1).stopTime(Duration.ofSeconds(3)).build());
    worker.handle("h", PayloadCodec.utf8(), this::ignoreAllCancels);
    worker.start();
    node.poll().give(work(1));
    TaskContext context = take(begun);

    CompletableFuture<Boolean> drained = worker.drain(Duration.ofSeconds(1));
    for (int second = 1; second <= 3; second++) { // no faster than heartbeats are answered
      pass(time, 1_000);
      assertThat(take(heard.heartbeats)).isTrue();
    }
    pass(time, 900);
    assertThat(context.cancelReason()).contains(CancelReason.SHUTDOWN);
    assertThat(drained).isNotDone();
    gate.countDown();

    assertThat(drained.get()).isTrue();
    assertThat(node.result().hasSuccess()).isTrue();
  }

  /** Ready when the test says so. */
  private static final class Fickle implements Handler<String> {
    private final Set<String> ready = ConcurrentHashMap.newKeySet();

    @Override
    public void handle(String payload, TaskContext context) {}

    @Override
    public boolean isReady(String handler) {
      return ready.contains(handler);
    }
  }

  @Test // DA-24
  void da16_only_handlers_that_are_ready_are_asked_for() {
    Fickle fickle = new Fickle();
    Worker worker = worker(1);
    worker.handle("a", PayloadCodec.utf8(), fickle).handle("b", PayloadCodec.utf8(), fickle);
    worker.start();
    pass(time, 2_000);
    assertThat(node.polls).isEmpty();

    fickle.ready.add("b");
    pass(time, 125);

    assertThat(node.poll().request().getHandlersList()).containsExactly("b");
  }

  @Test
  void a_refused_result_is_told_to_the_listener() {
    node.acceptsReports = false;
    started(1, (payload, context) -> {});
    node.poll().give(work(1));

    Report report = node.report();
    report
        .observer()
        .onNext(
            io.kairos.api.v1.SetResultResponse.newBuilder()
                .addAnswers(
                    io.kairos.api.v1.SetResultResponse.Answer.newBuilder().setReason("w2 has it"))
                .build());
    report.observer().onCompleted();

    assertThat(take(heard.refusals)).isEqualTo("w2 has it");
  }

  @Test
  void a_worker_that_cannot_work_says_why() {
    assertThatThrownBy(() -> worker(1).start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("handler");
    assertThatThrownBy(() -> worker(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("concurrency");
    Worker twice = worker(1);
    twice.handle("h", PayloadCodec.utf8(), this::waitAtTheGate);
    assertThatThrownBy(() -> twice.handle("h", PayloadCodec.utf8(), this::waitAtTheGate))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
