package io.kairos.client;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import io.kairos.api.v1.AwaitTaskRequest;
import io.kairos.api.v1.AwaitTaskResponse;
import io.kairos.api.v1.BatchScheduleTasksResponse;
import io.kairos.api.v1.CancelTaskResponse;
import io.kairos.api.v1.ListTasksResponse;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.ScheduleTaskResponse;
import io.kairos.api.v1.TaskServiceGrpc;
import io.kairos.client.error.KairosException;
import io.kairos.client.error.NodesUnavailableException;
import io.kairos.client.error.QuotaExceededException;
import io.kairos.client.error.TaskNotFoundException;
import io.kairos.client.task.CancelOutcome;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.ScheduledTask;
import io.kairos.client.task.TaskId;
import io.kairos.client.time.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AsyncKairosClientTest {
  private static final TaskId ID = TaskId.of("01890000-0000-7000-8000-000000000001");
  private static final TaskRequest TASK = TaskRequest.to("a").build();

  private final ManualTime time = new ManualTime();
  private final ScriptedTasks node = new ScriptedTasks();
  private final List<String> intercepted = new ArrayList<>();
  private final KairosClient client = builder(node.name()).build();
  private final AsyncKairosClient async = client.async();

  private KairosClient.Builder builder(String name) {
    return KairosClient.builder("node")
        .transport(address -> InProcessChannelBuilder.forName(name).directExecutor())
        .time(time, new Random(1));
  }

  @AfterEach
  void close() {
    client.close();
    node.close();
  }

  private static <T> T value(CompletableFuture<T> future) {
    try {
      return future.get(20, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  private static Throwable failure(CompletableFuture<?> future) {
    return requireNonNull(catchThrowable(() -> future.get(20, TimeUnit.SECONDS)).getCause());
  }

  private static ScheduleTaskResponse accepted() {
    return ScheduleTaskResponse.newBuilder().setId(ID.toString()).build();
  }

  private static io.kairos.api.v1.Task.Builder task(io.kairos.api.v1.Task.State state) {
    return io.kairos.api.v1.Task.newBuilder().setId(ID.toString()).setHandler("a").setState(state);
  }

  @Test
  void every_call_about_tasks_has_a_future_with_its_value() {
    node.answers(
        accepted(),
        BatchScheduleTasksResponse.newBuilder().addTasks(accepted()).build(),
        task(io.kairos.api.v1.Task.State.NEW).build(),
        ListTasksResponse.newBuilder().addTasks(task(io.kairos.api.v1.Task.State.NEW)).build(),
        CancelTaskResponse.newBuilder().setOutcome(CancelTaskResponse.Outcome.CANCELLED).build(),
        io.kairos.api.v1.TaskGraph.getDefaultInstance(),
        task(io.kairos.api.v1.Task.State.NEW).build(),
        task(io.kairos.api.v1.Task.State.NEW).build());

    assertThat(value(async.schedule(TASK))).isEqualTo(ID);
    assertThat(node.request(ScheduleTaskRequest.class).getHandler()).isEqualTo("a");
    assertThat(value(async.schedule(List.of(TASK)))).containsExactly(ID);
    assertThat(value(async.get(ID)).id()).isEqualTo(ID);
    assertThat(value(async.list(TaskQuery.all())).tasks()).hasSize(1);
    assertThat(value(async.cancel(ID))).isEqualTo(CancelOutcome.CANCELLED);
    assertThat(value(async.graph(ID)).tasks()).isEmpty();
    assertThat(value(async.reschedule(ID, Duration.ofHours(1))).id()).isEqualTo(ID);
    assertThat(value(async.reschedule(ID, Instant.EPOCH)).id()).isEqualTo(ID);
  }

  @Test
  void any_other_call_is_made_on_a_thread_of_the_executor() {
    node.answers(task(io.kairos.api.v1.Task.State.NEW).build());

    assertThat(value(async.call(it -> it.get(ID), Runnable::run)).id()).isEqualTo(ID);
  }

  @Test
  void a_call_is_repeated_after_a_pause_without_a_thread_that_waits() {
    node.fails(Status.UNAVAILABLE);
    node.answers(task(io.kairos.api.v1.Task.State.NEW).build());

    CompletableFuture<Task> task = async.get(ID);
    assertThat(task).isNotDone();
    time.pass(Duration.ofSeconds(1));

    assertThat(value(task).id()).isEqualTo(ID);
    assertThat(node.calls()).isEqualTo(2);
  }

  @Test
  void a_call_with_an_effect_is_not_repeated_after_a_lost_answer() {
    node.fails(Status.UNAVAILABLE);

    assertThat(failure(async.schedule(TASK)))
        .isInstanceOfSatisfying(
            NodesUnavailableException.class,
            refused -> assertThat(refused.mayHaveTakenEffect()).isTrue());
    assertThat(node.calls()).isEqualTo(1);
  }

  @Test
  void the_failure_of_a_future_is_the_exception_of_the_call() {
    node.fails(Code.NOT_FOUND);

    assertThat(failure(async.get(ID))).isInstanceOf(TaskNotFoundException.class);
  }

  @Test
  void a_task_is_awaited_by_as_many_calls_as_it_takes() {
    node.answers(
        AwaitTaskResponse.getDefaultInstance(),
        AwaitTaskResponse.newBuilder()
            .setTask(
                task(io.kairos.api.v1.Task.State.SUCCEEDED)
                    .setResultValue(
                        io.kairos.api.v1.TaskResult.newBuilder()
                            .setValue(ByteString.copyFromUtf8("done"))))
            .build(),
        AwaitTaskResponse.getDefaultInstance());
    ResultTaskType<String, String> type =
        TaskType.of("a", PayloadCodec.utf8()).returning(PayloadCodec.utf8());

    assertThat(value(async.await(type, ID, Duration.ofMinutes(1)))).contains("done");
    assertThat(failure(async.await(type, ID, Duration.ZERO)))
        .isInstanceOf(TaskNotSucceededException.class)
        .hasMessageContaining("has not ended yet");
  }

  @Test
  void an_interceptor_is_around_the_future_too() {
    node.answers(accepted());
    try (KairosClient with =
        builder(node.name())
            .intercept((tasks, call) -> {
              intercepted.add("before");
              return call.schedule(List.of(tasks.get(0).withTraceparent("00-c-d-01")))
                  .whenComplete((answer, failure) -> intercepted.add("after"));
            })
            .build()) {
      assertThat(value(with.async().accept(TASK))).isEqualTo(new ScheduledTask(ID, false));
    }

    assertThat(intercepted).containsExactly("before", "after");
    assertThat(node.request(ScheduleTaskRequest.class).getTraceparent()).isEqualTo("00-c-d-01");
  }

  @Test
  void what_an_interceptor_throws_ends_the_future() {
    try (KairosClient with =
        builder(node.name())
            .intercept((tasks, call) -> {
              throw new IllegalStateException("not today");
            })
            .build()) {
      assertThat(failure(with.async().schedule(TASK))).hasMessage("not today");
      assertThat(failure(with.async().schedule(List.of(TASK)))).hasMessage("not today");
    }
  }

  @Test
  void a_wait_goes_on_while_other_requests_fill_the_client() throws IOException {
    List<StreamObserver<AwaitTaskResponse>> awaits = new ArrayList<>();
    Server silent =
        InProcessServerBuilder.forName("slow")
            .directExecutor()
            .addService(
                new TaskServiceGrpc.TaskServiceImplBase() {
                  @Override
                  public void awaitTask(
                      AwaitTaskRequest request, StreamObserver<AwaitTaskResponse> caller) {
                    awaits.add(caller);
                  }

                  @Override
                  public void scheduleTask(
                      ScheduleTaskRequest request, StreamObserver<ScheduleTaskResponse> caller) {}
                })
            .build()
            .start();
    TaskRequest large = TaskRequest.to("a").payload(new byte[1 << 20]).build();
    int left = (64 << 20) - 63 * large.wire().getSerializedSize() - 1024;
    try (KairosClient full = builder("slow").build()) {
      CompletableFuture<TaskOutcome> outcome = full.async().await(ID, Duration.ofMinutes(5));
      List<CompletableFuture<TaskId>> others = new ArrayList<>();
      for (int i = 0; i < 63; i++) {
        others.add(full.async().schedule(large));
      }
      others.add(full.async().schedule(TaskRequest.to("a").payload(new byte[left - 500]).build()));
      assertThat(failure(full.async().schedule(TASK))).isInstanceOf(QuotaExceededException.class);

      awaits.get(0).onNext(AwaitTaskResponse.getDefaultInstance());
      awaits.get(0).onCompleted();

      assertThat(others).allSatisfy(other -> assertThat(other).isNotDone());
      assertThat(outcome).isNotDone();
      assertThat(awaits).hasSize(2);
      outcome.cancel(true);
      assertThat(full.async().schedule(TASK)).as("in the room of the call").isNotDone();
    } finally {
      silent.shutdownNow();
    }
  }

  @Test
  void an_error_of_the_application_ends_the_future() {
    try (KairosClient client =
        builder(node.name())
            .token(() -> {
              throw new NoClassDefFoundError("of the keys");
            })
            .build()) {
      assertThat(failure(client.async().get(ID))).isInstanceOf(NoClassDefFoundError.class);
    }
  }

  @Test
  void requests_beyond_64_mib_are_refused_until_others_are_answered_and_a_close_ends_all()
      throws IOException {
    List<StreamObserver<ScheduleTaskResponse>> waiting = new ArrayList<>();
    Server silent =
        InProcessServerBuilder.forName("silent")
            .directExecutor()
            .addService(
                new TaskServiceGrpc.TaskServiceImplBase() {
                  @Override
                  public void scheduleTask(
                      ScheduleTaskRequest request, StreamObserver<ScheduleTaskResponse> caller) {
                    waiting.add(caller);
                  }
                })
            .build()
            .start();
    TaskRequest large = TaskRequest.to("a").payload(new byte[1 << 20]).build();
    List<CompletableFuture<TaskId>> futures = new ArrayList<>();
    KairosClient pressed = builder("silent").build();
    try {
      for (int i = 0; i < 63; i++) {
        futures.add(pressed.async().schedule(large));
      }
      assertThat(futures).allSatisfy(future -> assertThat(future).isNotDone());

      assertThat(failure(pressed.async().schedule(large)))
          .isInstanceOf(QuotaExceededException.class);
      waiting.get(0).onNext(accepted());
      waiting.get(0).onCompleted();
      assertThat(value(futures.remove(0))).isEqualTo(ID);
      futures.add(pressed.async().schedule(large));
    } finally {
      pressed.close();
      silent.shutdownNow();
    }

    assertThat(futures)
        .hasSize(63)
        .allSatisfy(future -> assertThat(failure(future)).isInstanceOf(KairosException.class));
  }
}
