package io.kairos.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import com.google.rpc.BadRequest;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.protobuf.StatusProto;
import io.kairos.api.v1.AwaitTaskRequest;
import io.kairos.api.v1.AwaitTaskResponse;
import io.kairos.api.v1.BatchScheduleTasksRequest;
import io.kairos.api.v1.BatchScheduleTasksResponse;
import io.kairos.api.v1.CancelTaskResponse;
import io.kairos.api.v1.GetTaskRequest;
import io.kairos.api.v1.ListTasksRequest;
import io.kairos.api.v1.ListTasksResponse;
import io.kairos.api.v1.Predecessor;
import io.kairos.api.v1.RescheduleTaskRequest;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.ScheduleTaskResponse;
import io.kairos.api.v1.Work;
import io.kairos.client.error.AccessDeniedException;
import io.kairos.client.error.InvalidRequestException;
import io.kairos.client.error.KairosException;
import io.kairos.client.error.NodesUnavailableException;
import io.kairos.client.error.QuotaExceededException;
import io.kairos.client.error.TaskConflictException;
import io.kairos.client.error.TaskNotFoundException;
import io.kairos.client.error.UnknownMethodException;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.task.CancelOutcome;
import io.kairos.client.task.OnFailure;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.RetryPolicy;
import io.kairos.client.task.ScheduledTask;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskResult;
import io.kairos.client.task.TaskState;
import io.kairos.client.time.ManualTime;
import io.kairos.client.worker.TestAttempt;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KairosClientTest {
  private static final String ID = "01890000-0000-7000-8000-000000000001";
  private static final String OTHER = "01890000-0000-7000-8000-000000000002";

  private static final TaskRequest TASK = TaskRequest.to("a").build();

  private static final ErrorInfo NOTHING_DONE =
      ErrorInfo.newBuilder().setReason("NOTHING_DONE").setDomain("kairos").build();

  private final ManualTime time = new ManualTime();
  private final ScriptedTasks node = new ScriptedTasks();
  private final ScriptedTasks other = new ScriptedTasks();
  private final KairosClient client = client("node");

  private KairosClient client(String... addresses) {
    return KairosClient.builder(addresses)
        .transport(address ->
            switch (address) {
              case "node" -> inProcess(node, address);
              case "other" -> inProcess(other, address);
              default -> ManagedChannelBuilder.forTarget(address).usePlaintext();
            })
        .token("secret")
        .time(time, new Random(1))
        .build();
  }

  private static ManagedChannelBuilder<?> inProcess(ScriptedTasks node, String address) {
    return InProcessChannelBuilder.forName(node.name()).overrideAuthority(address);
  }

  @AfterEach
  void close() {
    client.close();
    node.close();
    other.close();
  }

  @Test
  void da10_a_call_whose_connection_broke_before_it_was_sent_goes_to_the_next_node()
      throws Exception {
    node.answers(ScheduleTaskResponse.newBuilder().setId(ID).build());
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread resets =
          new Thread(() -> {
            try (Socket connection = socket.accept()) {
              connection.setSoLinger(true, 0);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      resets.start();
      try (KairosClient both = client("127.0.0.1:" + socket.getLocalPort(), "node")) {
        assertThat(both.schedule(TaskRequest.to("resize").build())).hasToString(ID);
      }
      resets.join();
    }
  }

  @Test
  void interceptors_run_around_calls_that_schedule_in_the_order_in_which_they_were_added() {
    node.answers(ScheduleTaskResponse.newBuilder().setId(ID).build());
    List<String> order = new ArrayList<>();
    try (KairosClient intercepted =
        KairosClient.builder("node")
            .transport(address -> inProcess(node, address))
            .intercept((tasks, call) -> {
              order.add("first " + tasks.get(0).target());
              return call.schedule(List.of(tasks.get(0).withTraceparent("00-1-2-01")));
            })
            .intercept((tasks, call) -> {
              order.add("second " + tasks.get(0).traceparent().orElse("none"));
              return call.schedule(tasks);
            })
            .build()) {
      assertThat(intercepted.schedule(TASK)).isEqualTo(TaskId.of(ID));
    }

    assertThat(order).containsExactly("first a", "second 00-1-2-01");
    assertThat(node.request(ScheduleTaskRequest.class).getTraceparent()).isEqualTo("00-1-2-01");
  }

  @Test
  void a_task_is_scheduled_with_all_that_it_says() {
    node.answers(ScheduleTaskResponse.newBuilder().setId(ID).build());

    TaskId id =
        client.schedule(
            TaskRequest.to("resize")
                .payload("42.png")
                .priority(70)
                .runAt(Instant.ofEpochSecond(5, 6))
                .retryPolicy(
                    RetryPolicy.attempts(3)
                        .backoff(
                            java.time.Duration.ofMillis(1500), 2, java.time.Duration.ofSeconds(9)))
                .executionTimeout(java.time.Duration.ofMinutes(1))
                .traceparent("00-1-2-01")
                .build());

    assertThat(id).isEqualTo(TaskId.of(ID));
    ScheduleTaskRequest sent = node.request(ScheduleTaskRequest.class);
    assertThat(sent.getHandler()).isEqualTo("resize");
    assertThat(sent.getPayload().toStringUtf8()).isEqualTo("42.png");
    assertThat(sent.getPriority()).isEqualTo(70);
    assertThat(sent.getRunAt()).isEqualTo(Timestamp.newBuilder().setSeconds(5).setNanos(6).build());
    assertThat(sent.hasDelay()).isFalse();
    assertThat(sent.getRetryPolicy().getMaxAttempts()).isEqualTo(3);
    assertThat(sent.getRetryPolicy().getInitialBackoff())
        .isEqualTo(Duration.newBuilder().setSeconds(1).setNanos(500_000_000).build());
    assertThat(sent.getExecutionTimeout().getSeconds()).isEqualTo(60);
    assertThat(sent.getTraceparent()).isEqualTo("00-1-2-01");
    assertThat(node.tokens()).containsExactly("Bearer secret");
  }

  @Test
  void what_is_left_out_is_left_to_the_node() {
    node.answers(ScheduleTaskResponse.newBuilder().setId(ID).build());

    client.schedule(TaskRequest.to("resize").build());

    ScheduleTaskRequest sent = node.request(ScheduleTaskRequest.class);
    assertThat(sent).isEqualTo(ScheduleTaskRequest.newBuilder().setHandler("resize").build());
  }

  @Test
  void a_batch_keeps_its_order() {
    node.answers(batch(false));

    List<TaskId> ids =
        client.schedule(
            List.of(TASK, TaskRequest.to("b").delay(java.time.Duration.ofSeconds(2)).build()));

    assertThat(ids).containsExactly(TaskId.of(ID), TaskId.of(OTHER));
    BatchScheduleTasksRequest sent = node.request(BatchScheduleTasksRequest.class);
    assertThat(sent.getTasksList())
        .extracting(ScheduleTaskRequest::getHandler)
        .containsExactly("a", "b");
    assertThat(sent.getTasks(1).getDelay().getSeconds()).isEqualTo(2);
  }

  @Test
  void a_task_says_how_it_stands_to_others_and_hears_whether_it_is_a_duplicate() {
    node.answers(
        ScheduleTaskResponse.newBuilder().setId(ID).setDuplicate(true).build(), batch(true));
    TaskRequest task =
        TaskRequest.to("resize")
            .key("customer 7")
            .collection("import")
            .fairnessKey("acme")
            .fairnessWeight(3)
            .startDeadline(Instant.ofEpochSecond(9))
            .rejectBeyond(java.time.Duration.ofSeconds(8))
            .idempotency(
                Idempotency.key("order 7")
                    .forever()
                    .forTime(java.time.Duration.ofMinutes(1))
                    .onConflict(Idempotency.OnConflict.REPLACE))
            .build();

    assertThat(client.accept(task)).isEqualTo(new ScheduledTask(TaskId.of(ID), true));
    assertThat(client.accept(List.of(task, task)))
        .containsExactly(
            new ScheduledTask(TaskId.of(ID), false), new ScheduledTask(TaskId.of(OTHER), true));
    ScheduleTaskRequest sent = node.request(ScheduleTaskRequest.class);
    assertThat(sent.getKey()).isEqualTo("customer 7");
    assertThat(sent.getCollection()).isEqualTo("import");
    assertThat(sent.getFairnessKey()).isEqualTo("acme");
    assertThat(sent.getFairnessWeight()).isEqualTo(3);
    assertThat(sent.getStartDeadline().getSeconds()).isEqualTo(9);
    assertThat(sent.getRejectBeyond().getSeconds()).isEqualTo(8);
    assertThat(sent.getIdempotency())
        .isEqualTo(
            io.kairos.api.v1.Idempotency.newBuilder()
                .setKey("order 7")
                .setDuration(Duration.newBuilder().setSeconds(60))
                .setOnConflict(io.kairos.api.v1.Idempotency.OnConflict.REPLACE)
                .build());
  }

  @Test
  void a_schedule_call_whose_answer_was_lost_is_repeated_when_its_key_outlives_the_task() {
    node.fails(Status.UNAVAILABLE);
    node.answers(ScheduleTaskResponse.newBuilder().setId(ID).setDuplicate(true).build());
    Idempotency key = Idempotency.key("order 7");

    assertThat(client.accept(TaskRequest.to("a").idempotency(key.forever()).build()).duplicate())
        .isTrue();
    for (Idempotency other : List.of(key, key.forever().onConflict(Idempotency.OnConflict.ERROR))) {
      node.fails(Status.UNAVAILABLE);
      assertThat(
              catchThrowableOfType(
                      NodesUnavailableException.class,
                      () -> client.schedule(TaskRequest.to("a").idempotency(other).build()))
                  .mayHaveTakenEffect())
          .isTrue();
    }
    assertThat(node.calls()).isEqualTo(4);
  }

  @Test
  void a_key_that_is_taken_is_a_conflict() {
    node.fails(Code.ALREADY_EXISTS);

    assertThat(refusal(TaskConflictException.class)).isNotNull();
  }

  @Test
  void both_run_at_and_delay_are_refused_before_they_are_sent() {
    TaskRequest.Builder both =
        TaskRequest.to("a").runAt(Instant.EPOCH).delay(java.time.Duration.ZERO);

    assertThat(catchThrowableOfType(InvalidRequestException.class, both::build).field())
        .isEqualTo("delay");
  }

  @Test
  void a_task_is_shown_as_the_node_knows_it() {
    node.answers(
        wireTask()
            .setState(io.kairos.api.v1.Task.State.RETRIABLE_FAILURE)
            .addFailures(
                io.kairos.api.v1.Failure.newBuilder()
                    .setAttempt(1)
                    .setAt(Timestamp.newBuilder().setSeconds(8))
                    .setError("no"))
            .setNextTrigger(Timestamp.newBuilder().setSeconds(9))
            .build());

    Task task = client.get(TaskId.of(ID));

    assertThat(node.request(GetTaskRequest.class).getId()).isEqualTo(ID);
    assertThat(task.state()).isEqualTo(TaskState.RETRIABLE_FAILURE);
    assertThat(task.failures())
        .containsExactly(
            new Task.Failure(1, null, Instant.ofEpochSecond(8), null, "no", "", "", ""));
    assertThat(task.nextTrigger()).isEqualTo(Instant.ofEpochSecond(9));
    assertThat(task.finishedAt()).isNull();
  }

  @Test
  void an_awaited_task_is_asked_for_again_until_it_has_ended() {
    node.answers(
        AwaitTaskResponse.getDefaultInstance(),
        AwaitTaskResponse.newBuilder()
            .setTask(
                wireTask()
                    .setState(io.kairos.api.v1.Task.State.SUCCEEDED)
                    .setResultValue(
                        io.kairos.api.v1.TaskResult.newBuilder()
                            .setValue(ByteString.copyFromUtf8("42"))
                            .setContentType("text/plain")))
            .build());

    TaskOutcome outcome = client.await(TaskId.of(ID), java.time.Duration.ofMinutes(10));

    assertThat(outcome)
        .isInstanceOfSatisfying(
            TaskOutcome.Succeeded.class,
            done -> {
              assertThat(done.value(PayloadCodec.utf8())).isEqualTo("42");
              assertThat(done.task().result()).isEqualTo("42");
              assertThat(done.result().orElseThrow().contentType()).isEqualTo("text/plain");
            });
    assertThat(node.request(AwaitTaskRequest.class).getWait().getSeconds()).isPositive();
  }

  @Test
  void a_task_that_does_not_end_in_time_is_still_running() {
    node.answers(AwaitTaskResponse.getDefaultInstance());

    assertThat(client.await(TaskId.of(ID), java.time.Duration.ZERO))
        .isEqualTo(new TaskOutcome.StillRunning(TaskId.of(ID)));
    assertThat(node.request(AwaitTaskRequest.class).getWait())
        .isEqualTo(com.google.protobuf.Duration.getDefaultInstance());
  }

  @ParameterizedTest
  @CsvSource({"FAILED, Failed", "DEAD, Dead", "CANCELLED, Cancelled"})
  void other_ends_of_an_awaited_task_are_told_apart(
      io.kairos.api.v1.Task.State state, String outcome) {
    node.answers(AwaitTaskResponse.newBuilder().setTask(wireTask().setState(state)).build());

    assertThat(client.await(TaskId.of(ID), java.time.Duration.ZERO).getClass().getSimpleName())
        .isEqualTo(outcome);
  }

  @Test
  void tasks_are_listed_page_by_page() {
    node.answers(
        ListTasksResponse.newBuilder().addTasks(wireTask()).setNextPageToken("next").build(),
        ListTasksResponse.newBuilder().build());
    TaskQuery query = TaskQuery.all().handler("resize").states(TaskState.DEAD).pageSize(1);

    TaskPage first = client.list(query);
    TaskPage second = client.list(query.after(first));

    assertThat(first.isLast()).isFalse();
    assertThat(second.isLast()).isTrue();
    ListTasksRequest sent = node.request(ListTasksRequest.class);
    assertThat(sent.getStatesList()).containsExactly(io.kairos.api.v1.Task.State.DEAD);
    assertThat(node.request(ListTasksRequest.class).getPageToken()).isEqualTo("next");
  }

  @Test
  void a_task_is_cancelled_and_rescheduled() {
    node.answers(
        CancelTaskResponse.newBuilder().setOutcome(CancelTaskResponse.Outcome.REQUESTED).build(),
        wireTask().build());

    assertThat(client.cancel(TaskId.of(ID))).isEqualTo(CancelOutcome.REQUESTED);
    assertThat(client.reschedule(TaskId.of(ID), java.time.Duration.ofMillis(-1_500)).id())
        .isEqualTo(TaskId.of(ID));

    node.skipRequest();
    Duration sent = node.request(RescheduleTaskRequest.class).getDelay();
    assertThat(sent).isEqualTo(Duration.newBuilder().setSeconds(-1).setNanos(-500_000_000).build());
  }

  @Test
  void an_invalid_field_is_named() {
    node.fails(
        Code.INVALID_ARGUMENT,
        BadRequest.newBuilder()
            .addFieldViolations(
                BadRequest.FieldViolation.newBuilder()
                    .setField("tasks[3].priority")
                    .setDescription("must be 0 to 100"))
            .build());

    InvalidRequestException refused = refusal(InvalidRequestException.class);

    assertThat(refused.field()).isEqualTo("tasks[3].priority");
    assertThat(refused.rule()).isEqualTo("must be 0 to 100");
    assertThat(node.calls()).isEqualTo(1);
  }

  @Test
  void every_refusal_has_its_type() {
    assertThatThrownBy(() -> getWhen(Status.NOT_FOUND)).isInstanceOf(TaskNotFoundException.class);
    assertThatThrownBy(() -> getWhen(Status.FAILED_PRECONDITION))
        .isInstanceOf(TaskConflictException.class);
    assertThatThrownBy(() -> getWhen(Status.UNAUTHENTICATED))
        .isInstanceOf(AccessDeniedException.class);
    assertThatThrownBy(() -> getWhen(Status.INVALID_ARGUMENT.withDescription("id is no UUID")))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("id is no UUID");
    assertThatThrownBy(() -> getWhen(Status.INTERNAL)).isExactlyInstanceOf(KairosException.class);
  }

  @Test
  void a_schedule_call_whose_answer_was_lost_is_not_repeated() {
    node.fails(Status.UNAVAILABLE);

    assertThat(refusal(NodesUnavailableException.class).mayHaveTakenEffect()).isTrue();
    assertThat(node.calls()).isEqualTo(1);
  }

  @Test
  void a_store_that_did_not_answer_is_no_reason_to_schedule_twice() {
    node.fails(Code.UNAVAILABLE, retryAfterSeconds(1));

    assertThat(refusal(NodesUnavailableException.class).mayHaveTakenEffect()).isTrue();
    assertThat(node.calls()).isEqualTo(1);
  }

  @Test
  void da10_a_node_that_stops_has_done_nothing_and_the_call_goes_on() {
    node.fails(Code.UNAVAILABLE, retryAfterSeconds(1), NOTHING_DONE);
    node.answers(ScheduleTaskResponse.newBuilder().setId(ID).build());

    assertThat(client.schedule(TASK)).isEqualTo(TaskId.of(ID));
  }

  @Test
  void a_question_whose_answer_was_lost_is_asked_again() {
    node.fails(Status.UNAVAILABLE);
    node.fails(Status.UNAVAILABLE);
    node.answers(wireTask().build());

    assertThat(client.get(TaskId.of(ID)).id()).isEqualTo(TaskId.of(ID));

    assertThat(node.calls()).isEqualTo(3);
    assertThat(time.slept()).hasSize(2);
  }

  @Test
  void a_node_that_takes_no_more_is_given_the_time_that_it_asks_for() {
    node.fails(Code.RESOURCE_EXHAUSTED, retryAfterSeconds(3), NOTHING_DONE);
    node.answers(ScheduleTaskResponse.newBuilder().setId(ID).build());

    client.schedule(TASK);

    assertThat(time.slept()).containsExactly(java.time.Duration.ofSeconds(3));
  }

  @Test
  void repeats_are_bounded_and_the_last_failure_tells_when_to_try() {
    for (int i = 0; i < 6; i++) {
      node.fails(Code.RESOURCE_EXHAUSTED, retryAfterSeconds(1), NOTHING_DONE);
    }

    QuotaExceededException exceeded = refusal(QuotaExceededException.class);

    assertThat(exceeded.retryAfter()).contains(java.time.Duration.ofSeconds(1));
    assertThat(node.calls()).isEqualTo(6);
  }

  @Test
  void a_call_that_reached_nobody_goes_to_the_next_node() throws Exception {
    String closed = closedPort();
    node.answers(ScheduleTaskResponse.newBuilder().setId(ID).build());

    try (KairosClient two = client(closed, "node")) {
      assertThat(two.schedule(TASK)).isEqualTo(TaskId.of(ID));
    }
  }

  /** As in a rolling upgrade. */
  @Test
  void a_call_that_a_node_does_not_know_goes_to_the_others() {
    node.fails(Status.UNIMPLEMENTED);
    other.answers(ScheduleTaskResponse.newBuilder().setId(ID).build());

    try (KairosClient both = client("node", "other")) {
      assertThat(both.schedule(TASK)).isEqualTo(TaskId.of(ID));
    }
    assertThat(time.slept()).isEmpty();
  }

  @Test
  void a_call_that_no_node_knows_fails_with_their_addresses() {
    node.fails(Status.UNIMPLEMENTED.withDescription("Method not found"));
    other.fails(Status.UNIMPLEMENTED.withDescription("Method not found"));

    try (KairosClient both = client("node", "other")) {
      assertThatThrownBy(() -> both.schedule(TASK))
          .isInstanceOf(UnknownMethodException.class)
          .hasMessageStartingWith(
              "kairos.v1.TaskService/ScheduleTask is known to none of node, other:")
          .hasMessageContaining("Method not found");
    }
    assertThat(node.calls() + other.calls()).isEqualTo(2);
  }

  @Test
  void a_node_that_is_away_and_one_that_is_too_old_are_both_named() throws Exception {
    String closed = closedPort();
    node.fails(Status.UNIMPLEMENTED);

    try (KairosClient both = client("node", closed)) {
      assertThatThrownBy(() -> both.schedule(TASK))
          .isInstanceOf(NodesUnavailableException.class)
          .hasMessageEndingWith("; not known to node");
    }
    assertThat(node.calls()).isEqualTo(1);
  }

  /** A node without a broker refuses a topic in this way. */
  @Test
  void a_field_that_a_node_cannot_serve_is_tried_at_the_others() {
    BadRequest refusal =
        BadRequest.newBuilder()
            .addFieldViolations(
                BadRequest.FieldViolation.newBuilder()
                    .setField("topic")
                    .setDescription("this node has no broker"))
            .build();
    node.fails(Code.UNIMPLEMENTED, refusal);
    other.answers(ScheduleTaskResponse.newBuilder().setId(ID).build());

    try (KairosClient both = client("node", "other")) {
      assertThat(both.schedule(TASK)).isEqualTo(TaskId.of(ID));
    }
    node.fails(Code.UNIMPLEMENTED, refusal);
    assertThat(refusal(InvalidRequestException.class).field()).isEqualTo("topic");
  }

  @Test
  void when_no_node_is_reached_nothing_can_have_happened() throws Exception {
    String closed = closedPort();
    try (KairosClient lonely = client(closed)) {
      NodesUnavailableException away =
          catchThrowableOfType(NodesUnavailableException.class, () -> lonely.schedule(TASK));

      assertThat(away).hasMessageStartingWith("no node answers at " + closed + ": ");
      assertThat(away.mayHaveTakenEffect()).isFalse();
      assertThat(time.slept()).hasSize(5);
    }
  }

  @Test
  void a_client_without_addresses_is_refused() {
    assertThatThrownBy(KairosClient::builder)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("addresses");
  }

  private <E extends KairosException> E refusal(Class<E> type) {
    return catchThrowableOfType(type, () -> client.schedule(TASK));
  }

  private Task getWhen(Status status) {
    node.fails(status);
    return client.get(TaskId.of(ID));
  }

  private static BatchScheduleTasksResponse batch(boolean secondIsDuplicate) {
    return BatchScheduleTasksResponse.newBuilder()
        .addTasks(ScheduleTaskResponse.newBuilder().setId(ID))
        .addTasks(ScheduleTaskResponse.newBuilder().setId(OTHER).setDuplicate(secondIsDuplicate))
        .build();
  }

  private static io.kairos.api.v1.Task.Builder wireTask() {
    return io.kairos.api.v1.Task.newBuilder().setId(ID).setHandler("resize");
  }

  private static RetryInfo retryAfterSeconds(int seconds) {
    return RetryInfo.newBuilder().setRetryDelay(Duration.newBuilder().setSeconds(seconds)).build();
  }

  private static String closedPort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return "127.0.0.1:" + socket.getLocalPort();
    }
  }

  static Throwable statusOf(Code code, com.google.protobuf.Message... details) {
    com.google.rpc.Status.Builder status =
        com.google.rpc.Status.newBuilder().setCode(code.getNumber()).setMessage("refused");
    for (com.google.protobuf.Message detail : details) {
      status.addDetails(Any.pack(detail));
    }
    return StatusProto.toStatusRuntimeException(status.build());
  }

  @Test
  void a_graph_is_scheduled_by_one_call_that_names_its_edges() {
    node.answers(
        BatchScheduleTasksResponse.newBuilder()
            .addTasks(ScheduleTaskResponse.newBuilder().setId(ID))
            .addTasks(ScheduleTaskResponse.newBuilder().setId(ID))
            .addTasks(ScheduleTaskResponse.newBuilder().setId(ID))
            .build());
    Graph graph = new Graph();
    Graph.Step load = graph.add(TaskRequest.to("load").build());
    Graph.Step check = graph.add(TaskRequest.to("check").after(TaskId.of(ID)).build()).after(load);
    graph.add(TaskRequest.to("publish").build()).after(load).after(check, OnFailure.CONTINUE);

    assertThat(client.schedule(graph.tasks())).hasSize(3);

    BatchScheduleTasksRequest request = node.request(BatchScheduleTasksRequest.class);
    assertThat(request.getTasks(0).getAfterList()).isEmpty();
    assertThat(request.getTasks(1).getAfterList())
        .containsExactly(
            Predecessor.newBuilder().setId(ID).setOnFailure(Predecessor.OnFailure.FAIL).build(),
            Predecessor.newBuilder().setIndex(0).setOnFailure(Predecessor.OnFailure.FAIL).build());
    assertThat(request.getTasks(2).getAfterList())
        .extracting(after -> after.getIndex() + " " + after.getOnFailure())
        .containsExactly("0 FAIL", "1 CONTINUE");
  }

  @Test
  void what_was_left_out_of_what_a_task_has_waited_for_is_asked_for() {
    String large = "01890000-0000-7000-8000-000000000001";
    String more = "01890000-0000-7000-8000-000000000002";
    Work.Predecessor.Builder given = Work.Predecessor.newBuilder().setId(ID).setHandler("load");
    TaskContext context =
        TestAttempt.behind(
            true, given, Work.Predecessor.newBuilder().setId(large).setResultBytes(5));
    io.kairos.api.v1.Task ended =
        io.kairos.api.v1.Task.newBuilder()
            .setHandler("load")
            .setState(io.kairos.api.v1.Task.State.SUCCEEDED)
            .setResultValue(
                io.kairos.api.v1.TaskResult.newBuilder().setValue(ByteString.copyFromUtf8("large")))
            .build();
    String self = context.taskId().toString();
    node.answers(
        ended,
        io.kairos.api.v1.TaskGraph.newBuilder()
            .addEdges(edge(ID, self))
            .addEdges(edge(large, self))
            .addEdges(edge(more, self))
            .addEdges(edge(self, "01890000-0000-7000-8000-000000000009"))
            .build(),
        ended);

    assertThat(client.predecessors(context))
        .extracting(one -> one.id() + " " + one.result().map(TaskResult::text).orElse(""))
        .containsExactly(ID + " ", large + " large", more + " large");
    assertThat(node.calls()).isEqualTo(3);
    assertThat(client.predecessors(TestAttempt.behind(false, given))).hasSize(1);
    assertThat(node.calls()).as("nothing was left out").isEqualTo(3);
  }

  private static io.kairos.api.v1.TaskGraph.Edge edge(String predecessor, String successor) {
    return io.kairos.api.v1.TaskGraph.Edge.newBuilder()
        .setPredecessor(predecessor)
        .setSuccessor(successor)
        .build();
  }

  @Test
  void predecessors_that_cannot_all_be_asked_for_are_refused_rather_than_some() {
    TaskContext context = TestAttempt.behind(true);
    node.answers(io.kairos.api.v1.TaskGraph.newBuilder().setMore(true).build());

    assertThatThrownBy(() -> client.predecessors(context))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("batch");
  }

  @Test
  void a_step_of_another_graph_is_refused() {
    Graph.Step other = new Graph().add(TaskRequest.to("load").build());
    Graph.Step step = new Graph().add(TaskRequest.to("check").build());

    assertThatThrownBy(() -> step.after(other))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("must be a step of the same graph");
  }
}
