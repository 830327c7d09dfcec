package io.kairos.edge.call;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.Channel;
import io.kairos.api.v1.BatchScheduleTasksRequest;
import io.kairos.api.v1.GetTaskRequest;
import io.kairos.api.v1.HeartbeatRequest;
import io.kairos.api.v1.Result;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.SetResultRequest;
import io.kairos.api.v1.TaskServiceGrpc;
import io.kairos.api.v1.WorkerServiceGrpc;
import io.kairos.edge.caller.CallerConfig;
import io.kairos.edge.caller.CallerRole;
import io.kairos.edge.caller.Hashes;
import io.kairos.engine.node.StoreUnavailable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What one caller has waiting for the store leaves room for another. */
@Timeout(60)
class CallerSharesTest {
  private static final String FLOOD = "the token of the one who floods";
  private static final String WORKER = "the token of a worker";
  private static final String ID = ScriptedTasks.id(1).toString();

  @RegisterExtension
  static final Edge EDGE = new Edge(caller("flood", FLOOD), caller("worker", WORKER));

  private final Channel flood = EDGE.as(FLOOD);
  private final Channel worker = EDGE.as(WORKER);

  private static CallerConfig caller(String name, String token) {
    return new CallerConfig(
        name, Hashes.of(token), Set.of(CallerRole.SUBMIT, CallerRole.READ, CallerRole.WORKER));
  }

  /** Calls with a thousand items each, a quarter of all that may wait. */
  static Stream<Arguments> thousands() {
    return Stream.of(
        call("heartbeats", CallerSharesTest::heartbeat),
        call("results", CallerSharesTest::result),
        call("tasks", CallerSharesTest::schedule));
  }

  private static Arguments call(String kind, Function<Channel, ListenableFuture<?>> call) {
    return Arguments.of(kind, call);
  }

  private static ListenableFuture<?> heartbeat(Channel caller) {
    HeartbeatRequest.Held invented =
        HeartbeatRequest.Held.newBuilder().setId(ID).setFence(1).build();
    return WorkerServiceGrpc.newFutureStub(caller)
        .heartbeat(
            HeartbeatRequest.newBuilder()
                .setWorker("w")
                .addAllHeld(Collections.nCopies(1_000, invented))
                .build());
  }

  private static ListenableFuture<?> result(Channel caller) {
    Result invented =
        Result.newBuilder()
            .setId(ID)
            .setFence(1)
            .setSuccess(Result.Success.getDefaultInstance())
            .build();
    return WorkerServiceGrpc.newFutureStub(caller)
        .setResult(
            SetResultRequest.newBuilder()
                .setWorker("w")
                .addAllResults(Collections.nCopies(1_000, invented))
                .build());
  }

  private static ListenableFuture<?> schedule(Channel caller) {
    ScheduleTaskRequest empty = ScheduleTaskRequest.newBuilder().setHandler("h").build();
    return TaskServiceGrpc.newFutureStub(caller)
        .batchScheduleTasks(
            BatchScheduleTasksRequest.newBuilder()
                .addAllTasks(Collections.nCopies(1_000, empty))
                .build());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("thousands")
  void one_caller_has_half_of_the_items_that_wait(
      String kind, Function<Channel, ListenableFuture<?>> thousand) throws Exception {
    EDGE.tasks.silent = true;
    List<Runnable> answers = new ArrayList<>();
    List<ListenableFuture<?>> calls = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      calls.add(thousand.apply(flood));
      answers.add(nextUnanswered());
    }

    assertThatThrownBy(() -> thousand.apply(flood).get())
        .hasMessageContaining(
            "RESOURCE_EXHAUSTED: as many "
                + kind
                + " wait for the store as may (tasks.max-pending), of which one caller may have half");

    calls.add(thousand.apply(worker));
    answers.add(nextUnanswered());

    // Failed or answered, all is given back.
    EDGE.tasks.down = true;
    answers.removeFirst().run();
    EDGE.tasks.down = false;
    answers.forEach(Runnable::run);
    assertThatThrownBy(() -> calls.removeFirst().get()).hasMessageContaining("UNAVAILABLE");
    for (ListenableFuture<?> call : calls) {
      assertThat(call.get()).isNotNull();
    }
    for (int i = 0; i < 2; i++) {
      var _ = thousand.apply(flood);
      nextUnanswered().run();
    }
  }

  private static Runnable nextUnanswered() throws InterruptedException {
    return requireNonNull(EDGE.tasks.unanswered.poll(1, TimeUnit.MINUTES), "was not accepted");
  }

  @Test
  void items_that_the_engine_does_not_take_are_given_back() throws Exception {
    EDGE.tasks.full = true;
    for (int i = 0; i < 10; i++) {
      assertThatThrownBy(() -> heartbeat(flood).get()).hasMessageContaining("too much is waiting");
    }
    EDGE.tasks.full = false;

    assertThat(heartbeat(flood).get()).isNotNull();
  }

  @Test
  void one_caller_has_half_of_the_calls_that_ask_the_store_and_takes_turns_with_others()
      throws Exception {
    Semaphore asked = new Semaphore(0);
    Semaphore answers = new Semaphore(0);
    EDGE.tasks.whileFinding =
        () -> {
          asked.release();
          answers.acquireUninterruptibly();
          throw new StoreUnavailable("injected");
        };
    List<ListenableFuture<?>> calls = new ArrayList<>();
    try {
      for (int i = 0; i < 32; i++) {
        calls.add(get(flood));
      }
      asked.acquire(8);

      assertThatThrownBy(() -> get(flood).get())
          .hasMessageContaining(
              "RESOURCE_EXHAUSTED: as many calls ask the store as may at a time (64), of which one caller may have half");

      ListenableFuture<?> other = get(worker);
      assertThat(heartbeat(worker).get()).as("comes after the other call").isNotNull();
      // As many as run, and a few whose turn comes before.
      answers.release(12);
      assertThatThrownBy(other::get).hasMessageContaining("UNAVAILABLE");
      assertThat(asked.availablePermits()).isLessThan(16);
    } finally {
      answers.release(1_000);
    }
    for (ListenableFuture<?> call : calls) {
      assertThatThrownBy(call::get).hasMessageContaining("UNAVAILABLE");
    }
  }

  private static ListenableFuture<?> get(Channel caller) {
    return TaskServiceGrpc.newFutureStub(caller)
        .getTask(GetTaskRequest.newBuilder().setId(ID).build());
  }
}
