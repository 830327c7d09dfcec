package io.kairos.edge.call;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import com.google.rpc.RetryInfo;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.kairos.api.v1.AwaitTaskRequest;
import io.kairos.api.v1.BatchScheduleTasksRequest;
import io.kairos.api.v1.CancelTaskGraphRequest;
import io.kairos.api.v1.CancelTaskGraphResponse;
import io.kairos.api.v1.CancelTaskRequest;
import io.kairos.api.v1.CancelTaskResponse;
import io.kairos.api.v1.GetTaskGraphRequest;
import io.kairos.api.v1.GetTaskRequest;
import io.kairos.api.v1.ListTasksRequest;
import io.kairos.api.v1.ListTasksResponse;
import io.kairos.api.v1.Predecessor;
import io.kairos.api.v1.RescheduleTaskRequest;
import io.kairos.api.v1.RescheduleTasksRequest;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.ScheduleTaskResponse;
import io.kairos.api.v1.Task;
import io.kairos.api.v1.TaskFilter;
import io.kairos.api.v1.TaskServiceGrpc;
import io.kairos.api.v1.TaskServiceGrpc.TaskServiceBlockingStub;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.task.Fairness;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.PeriodUnit;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskIdempotency;
import io.kairos.domain.task.TaskResult;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.TraceContext;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.graph.GraphEdge;
import io.kairos.domain.task.graph.OnFailure;
import io.kairos.domain.task.graph.TaskGraph;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.edge.TaskSpec;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.TaskReceipt;
import io.kairos.engine.task.port.operator.CancelResult;
import io.kairos.engine.task.port.operator.ChangeRequest;
import io.kairos.engine.task.port.operator.ListQuery;
import io.kairos.engine.task.port.operator.TaskGraphView;
import io.kairos.engine.task.port.operator.TaskView;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TaskCallsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final long NOW_MICROS = Edge.NOW.getEpochSecond() * 1_000_000;

  @RegisterExtension static final Edge EDGE = new Edge();
  private final TaskServiceBlockingStub grpc = TaskServiceGrpc.newBlockingStub(EDGE.channel);

  private static TaskView view(int number, TaskState state) {
    return view(number, state, List.of(failure("no luck")), Edge.NOW);
  }

  private static final TaskResult DONE = TaskResult.text("well done");

  private static TaskView.Failure failure(String error) {
    return new TaskView.Failure(
        1,
        Edge.NOW.minusSeconds(3),
        Edge.NOW,
        TaskState.RETRIABLE_FAILURE,
        error,
        "java.io.IOException",
        "0123456789abcdef",
        "at a.B.c");
  }

  private static TaskView succeededWith(TaskResult result) {
    TaskView view = view(1, TaskState.SUCCEEDED);
    TaskView.Progress progress =
        new TaskView.Progress(
            TaskState.SUCCEEDED, 1, null, Edge.NOW, null, false, null, List.of(), result);
    return new TaskView(
        view.id(), view.queue(), view.details(), view.dueAt(), view.createdAt(), progress);
  }

  private static TaskView view(
      int number, TaskState state, List<TaskView.Failure> failures, Instant dueAt) {
    return new TaskView(
        ScriptedTasks.id(number),
        new QueueName(new HandlerName("h"), 50),
        TaskDetails.of("work".getBytes(UTF_8))
            .withRetryPolicy(RetryPolicy.DEFAULT)
            .withKey(new OrderingKey("customer 7"))
            .withCollection(new CollectionName("import"))
            .withFairness(new Fairness("acme", 3))
            .withStartDeadline(EpochMicros.of(Edge.NOW.plusSeconds(60))),
        dueAt,
        Edge.NOW,
        new TaskView.Progress(
            state,
            2,
            state.isFinished() ? null : Edge.NOW.plusSeconds(1),
            state.isFinished() ? Edge.NOW.plusSeconds(2) : null,
            state.isHeld() ? "w1" : null,
            false,
            state.isFinished() ? Edge.NOW.minusSeconds(1) : null,
            failures,
            state == TaskState.SUCCEEDED ? DONE : TaskResult.NONE));
  }

  private void know(TaskView... views) {
    for (TaskView view : views) {
      EDGE.tasks.known.put(view.id(), view);
    }
  }

  private Task get(int number) {
    return grpc.getTask(
        GetTaskRequest.newBuilder().setId(ScriptedTasks.id(number).toString()).build());
  }

  private TaskSpec onlyTask() {
    assertThat(EDGE.tasks.scheduled).hasSize(1);
    return EDGE.tasks.scheduled.getFirst();
  }

  @Test // DA-2
  void a_task_with_nothing_but_a_handler_is_due_now_and_has_the_defaults() {
    String id = grpc.scheduleTask(ScheduleTaskRequest.newBuilder().setHandler("h").build()).getId();

    TaskSpec task = onlyTask();
    assertThat(id).isEqualTo(ScriptedTasks.id(1).toString());
    assertThat(task.queue()).isEqualTo(new QueueName(new HandlerName("h"), 50));
    assertThat(task.dueMicros()).isEqualTo(NOW_MICROS);
    assertThat(task.details().payload()).isEmpty();
    assertThat(task.details().retryPolicy()).isNull();
    assertThat(task.details().executionTimeout()).isNull();
    assertThat(task.details().traceContext()).isNull();
  }

  @Test // DA-1, TW-9
  void everything_that_a_task_may_have_arrives_over_grpc() {
    grpc.scheduleTask(
        ScheduleTaskRequest.newBuilder()
            .setHandler("h")
            .setPriority(0)
            .setRunAt(Timestamp.newBuilder().setSeconds(-1).setNanos(1))
            .setPayload(ByteString.copyFromUtf8("work"))
            .setRetryPolicy(
                io.kairos.api.v1.RetryPolicy.newBuilder()
                    .setMaxAttempts(3)
                    .setInitialBackoff(Duration.newBuilder().setSeconds(300)))
            .setExecutionTimeout(Duration.newBuilder().setSeconds(5))
            .setTraceparent(TRACE)
            .build());

    TaskSpec task = onlyTask();
    assertThat(task.queue().priority()).isZero();
    assertThat(task.dueMicros()).as("never early").isEqualTo(-999_999);
    assertThat(task.details().payload()).isEqualTo("work".getBytes(UTF_8));
    assertThat(task.details().retryPolicy())
        .isEqualTo(
            new RetryPolicy(
                3, java.time.Duration.ofMinutes(5), 2, java.time.Duration.ofMinutes(5)));
    assertThat(task.details().executionTimeout()).isEqualTo(java.time.Duration.ofSeconds(5));
    assertThat(task.details().traceContext()).isEqualTo(new TraceContext(TRACE));
  }

  @Test
  void the_header_of_a_traced_caller_is_the_trace_context_of_a_task_without_one() throws Exception {
    String other = TRACE.replace("4bf9", "5cf9");
    EDGE.send(EDGE.json("POST", "/v1/tasks", "{\"handler\": \"h\"}").header("traceparent", TRACE));
    EDGE.send(
        EDGE.json("POST", "/v1/tasks", "{\"handler\": \"h\", \"traceparent\": \"" + other + "\"}")
            .header("traceparent", TRACE));
    EDGE.send(EDGE.json("POST", "/v1/tasks", "{\"handler\": \"h\"}").header("traceparent", "junk"));

    assertThat(EDGE.tasks.scheduled)
        .extracting(task -> task.details().traceContext())
        .containsExactly(new TraceContext(TRACE), new TraceContext(other), null);
  }

  @Test
  void everything_that_a_task_may_have_arrives_as_json() throws Exception {
    HttpResponse<String> response =
        EDGE.post(
            "/v1/tasks",
            """
            {"handler": "h", "priority": 100, "delay": "1.5s", "payload": "d29yaw", "execution_timeout": "5s",
             "retryPolicy": {"maxAttempts": "3", "factor": 1.5, "initialBackoff": "1s", "maxBackoff": "2s"}, "traceparent": null}
            """);

    TaskSpec task = onlyTask();
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("content-type"))
        .hasValueSatisfying(type -> assertThat(type).startsWith("application/json"));
    assertThat(response.body())
        .isEqualTo("{\"id\":\"" + ScriptedTasks.id(1) + "\",\"duplicate\":false}\n");
    assertThat(task.queue().priority()).isEqualTo(100);
    assertThat(task.dueMicros()).isEqualTo(NOW_MICROS + 1_500_000);
    assertThat(task.details().payload()).isEqualTo("work".getBytes(UTF_8));
    assertThat(task.details().executionTimeout()).isEqualTo(java.time.Duration.ofSeconds(5));
    assertThat(task.details().retryPolicy())
        .isEqualTo(
            new RetryPolicy(
                3, java.time.Duration.ofSeconds(1), 1.5, java.time.Duration.ofSeconds(2)));
    assertThat(task.details().traceContext()).isNull();
  }

  @Test
  void pd14_a_task_that_is_due_too_long_ago_is_refused_and_one_that_waits_too_long_must_not_begin()
      throws Exception {
    ScheduleTaskRequest late =
        ScheduleTaskRequest.newBuilder()
            .setHandler("h")
            .setRunAt(Timestamp.newBuilder().setSeconds(Edge.NOW.getEpochSecond() - 10))
            .setRejectBeyond(Duration.newBuilder().setSeconds(10))
            .build();
    grpc.scheduleTask(late);

    assertThat(EDGE.tasks.scheduled.getFirst().details().startDeadlineMicros())
        .isEqualTo(NOW_MICROS);
  }

  @Test // PD-12
  void key_collection_deadline_and_idempotency_arrive_on_both_doors() throws Exception {
    grpc.scheduleTask(
        ScheduleTaskRequest.newBuilder()
            .setHandler("h")
            .setKey("customer 7")
            .setCollection("import")
            .setStartDeadline(Timestamp.newBuilder().setSeconds(Edge.NOW.getEpochSecond() + 60))
            .setIdempotency(
                io.kairos.api.v1.Idempotency.newBuilder()
                    .setKey("order 7")
                    .setDuration(Duration.newBuilder().setSeconds(60)))
            .build());
    EDGE.post(
        "/v1/tasks",
        """
        {"handler": "h", "idempotency": {"key": "order 7", "window": "FOREVER", "onConflict": "REPLACE"}}
        """);

    TaskSpec first = EDGE.tasks.scheduled.getFirst();
    assertThat(first.details().key()).isEqualTo(new OrderingKey("customer 7"));
    assertThat(first.details().collection()).isEqualTo(new CollectionName("import"));
    assertThat(first.details().startDeadlineMicros()).isEqualTo(NOW_MICROS + 60_000_000);
    assertThat(first.idempotency())
        .isEqualTo(
            new TaskIdempotency(
                "order 7",
                new TaskIdempotency.Window.For(java.time.Duration.ofMinutes(1)),
                TaskIdempotency.OnConflict.KEEP));
    assertThat(EDGE.tasks.scheduled.getLast().idempotency())
        .isEqualTo(
            new TaskIdempotency(
                "order 7",
                new TaskIdempotency.Window.Forever(),
                TaskIdempotency.OnConflict.REPLACE));
  }

  @Test
  void a_task_is_debounced_or_once_in_the_period_in_which_it_is_due() throws Exception {
    EDGE.post(
        "/v1/tasks",
        """
        {"handler": "h", "delay": "5s", "idempotency": {"key": "k", "window": "WHILE_WAITING", "onConflict": "REPLACE", "maxWait": "60s"}}
        """);
    EDGE.post(
        "/v1/tasks",
        """
        {"handler": "h", "runAt": "2090-03-04T23:30:00Z", "idempotency": {"key": "k", "period": {"timeZone": "Europe/Berlin"}}}
        """);

    assertThat(EDGE.tasks.scheduled.getFirst().idempotency())
        .isEqualTo(
            new TaskIdempotency(
                "k",
                new TaskIdempotency.Window.WhileWaiting(),
                TaskIdempotency.OnConflict.REPLACE,
                java.time.Duration.ofSeconds(60)));
    assertThat(EDGE.tasks.scheduled.getLast().idempotency())
        .isEqualTo(
            new TaskIdempotency(
                "k",
                new TaskIdempotency.Window.Period(
                    PeriodUnit.DAY,
                    EpochMicros.of(Instant.parse("2090-03-04T23:00:00Z")),
                    EpochMicros.of(Instant.parse("2090-03-05T23:00:00Z"))),
                TaskIdempotency.OnConflict.KEEP));
  }

  @Test
  void a_fairness_key_arrives_with_its_weight_or_with_that_of_the_others() throws Exception {
    EDGE.post("/v1/tasks", "{\"handler\": \"h\", \"fairnessKey\": \"acme\"}");
    grpc.scheduleTask(
        ScheduleTaskRequest.newBuilder()
            .setHandler("h")
            .setFairnessKey("acme")
            .setFairnessWeight(1_000)
            .build());

    assertThat(EDGE.tasks.scheduled.getFirst().details().fairness())
        .isEqualTo(new Fairness("acme", 1));
    assertThat(EDGE.tasks.scheduled.getLast().details().fairness())
        .isEqualTo(new Fairness("acme", 1_000));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"fairnessKey\": \"a\", \"fairnessWeight\": 0 | fairness_weight: must be from 1 to 1000",
        "\"fairnessKey\": \"a\", \"fairnessWeight\": 1001 | fairness_weight: must be from 1 to 1000",
        "\"fairnessWeight\": 2 | fairness_weight: must be given only together with fairness_key",
        "\"fairnessKey\": \"a\\u0007\" | fairness_key: must have 1 to 256 characters",
      })
  void a_fairness_that_is_none_names_its_field(String fields, String problem) throws Exception {
    HttpResponse<String> refused =
        EDGE.post("/v1/tasks", "{\"handler\": \"h\", %s}".formatted(fields));

    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(JSON.readTree(refused.body()).path("detail").asText()).startsWith(problem);
  }

  @Test
  void a_duplicate_is_named_as_such() throws Exception {
    EDGE.tasks.insertResult =
        Optional.of(
            new InsertResult.Stored(
                List.of(
                    TaskReceipt.stored(ScriptedTasks.id(1), false),
                    TaskReceipt.duplicate(ScriptedTasks.id(9)))));

    HttpResponse<String> response =
        EDGE.post("/v1/tasks:batch", "{\"tasks\": [{\"handler\": \"a\"}, {\"handler\": \"b\"}]}");

    assertThat(response.body())
        .isEqualTo(
            ("{\"tasks\":[{\"id\":\"%s\",\"duplicate\":false},"
                    + "{\"id\":\"%s\",\"duplicate\":true}]}\n")
                .formatted(ScriptedTasks.id(1), ScriptedTasks.id(9)));
  }

  @ParameterizedTest
  @CsvSource({"EXISTS,ALREADY_EXISTS,409", "NOT_WAITING,FAILED_PRECONDITION,409"})
  void an_idempotency_key_that_is_taken_names_the_field_and_the_task(
      InsertResult.Reason reason, Status.Code code, int http) throws Exception {
    TaskId former = ScriptedTasks.id(7);
    EDGE.tasks.insertResult = Optional.of(new InsertResult.Conflict(3, former, reason));

    HttpResponse<String> problem =
        EDGE.post("/v1/tasks:batch", "{\"tasks\": [{\"handler\": \"a\"}]}");

    assertThat(
            code(() -> grpc.scheduleTask(ScheduleTaskRequest.newBuilder().setHandler("h").build())))
        .isEqualTo(code);
    assertThat(problem.statusCode()).isEqualTo(http);
    JsonNode body = JSON.readTree(problem.body());
    assertThat(body.path("detail").asText())
        .startsWith("tasks[3].idempotency.key: is that of task " + former);
    assertThat(body.path("reason").asText()).isEqualTo("KEY_TAKEN");
    assertThat(body.path("type").asText())
        .isEqualTo("urn:problem-type:kairos:idempotency-key-taken");
  }

  @Test
  void a_handler_that_is_full_says_when_to_try_again() throws Exception {
    EDGE.tasks.insertResult =
        Optional.of(
            new InsertResult.Exhausted(new HandlerName("h"), java.time.Duration.ofMillis(1_500)));

    StatusRuntimeException refusal =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () -> grpc.scheduleTask(ScheduleTaskRequest.newBuilder().setHandler("h").build()));
    HttpResponse<String> problem = EDGE.post("/v1/tasks", "{\"handler\": \"h\"}");

    assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(refusal.getStatus().getDescription()).startsWith("handler: h has as many");
    assertThat(
            Objects.requireNonNull(StatusProto.fromThrowable(refusal))
                .getDetails(0)
                .unpack(RetryInfo.class)
                .getRetryDelay())
        .isEqualTo(Duration.newBuilder().setSeconds(1).setNanos(500_000_000).build());
    assertThat(problem.statusCode()).isEqualTo(429);
    assertThat(problem.headers().firstValue("retry-after")).as("rounded up").contains("2");
    assertThat(problem.headers().firstValue("content-type")).contains("application/problem+json");
  }

  @Test
  void a_queue_too_many_is_refused_as_exhausted_and_not_to_be_repeated() throws Exception {
    EDGE.tasks.insertResult = Optional.of(new InsertResult.TooManyQueues());

    HttpResponse<String> problem = EDGE.post("/v1/tasks", "{\"handler\": \"h\"}");

    assertThat(problem.statusCode()).isEqualTo(429);
    assertThat(problem.body())
        .contains("handler: the task needs a new queue", "There are 10000 queues")
        .doesNotContain("NOTHING_DONE");
  }

  @Test
  void a_time_at_the_edge_of_the_calendar_stays_within_it() {
    grpc.scheduleTask(
        ScheduleTaskRequest.newBuilder()
            .setHandler("h")
            .setRunAt(Timestamp.newBuilder().setSeconds(253_402_300_799L).setNanos(999_999_999))
            .build());

    assertThat(onlyTask().dueMicros()).isEqualTo(253_402_300_799_999_999L);
  }

  @Test
  void a_batch_is_answered_in_its_order() throws Exception {
    BatchScheduleTasksRequest.Builder batch = BatchScheduleTasksRequest.newBuilder();
    for (int i = 0; i < 1_000; i++) {
      batch.addTasks(ScheduleTaskRequest.newBuilder().setHandler("h" + i));
    }

    List<String> ids =
        grpc.batchScheduleTasks(batch.build()).getTasksList().stream()
            .map(ScheduleTaskResponse::getId)
            .toList();
    HttpResponse<String> response =
        EDGE.post("/v1/tasks:batch", "{\"tasks\": [{\"handler\": \"a\"}, {\"handler\": \"b\"}]}");

    assertThat(ids).hasSize(1_000).last().isEqualTo(ScriptedTasks.id(1_000).toString());
    assertThat(EDGE.tasks.scheduled.subList(1_000, 1_002))
        .extracting(task -> task.queue().handler().wireName())
        .containsExactly("a", "b");
    assertThat(response.body())
        .isEqualTo(
            ("{\"tasks\":[{\"id\":\"%s\",\"duplicate\":false},"
                    + "{\"id\":\"%s\",\"duplicate\":false}]}\n")
                .formatted(ScriptedTasks.id(1), ScriptedTasks.id(2)));
  }

  @Test // DA-5, PD-40
  void what_is_known_of_a_task_is_told_on_both_doors() throws Exception {
    know(view(1, TaskState.PROCESSING));
    String id = ScriptedTasks.id(1).toString();

    Task task = grpc.getTask(GetTaskRequest.newBuilder().setId(id).build());
    JsonNode json = JSON.readTree(EDGE.get("/v1/tasks/" + id).body());

    assertThat(task.getState()).isEqualTo(Task.State.PROCESSING);
    assertThat(task.getPayload().toStringUtf8()).isEqualTo("work");
    assertThat(task.getHolder()).isEqualTo("w1");
    assertThat(task.getAttempt()).isEqualTo(2);
    assertThat(task.getFailures(0).getError()).isEqualTo("no luck");
    assertThat(task.getRetryPolicy().getMaxAttempts()).isEqualTo(101);
    assertThat(task.hasFinishedAt()).isFalse();
    assertThat(json.path("state").asText()).isEqualTo("PROCESSING");
    assertThat(json.path("runAt").asText()).isEqualTo("2030-01-01T00:00:00Z");
    assertThat(json.path("nextTrigger").asText()).isEqualTo("2030-01-01T00:00:01Z");
    assertThat(json.path("payload").asText()).isEqualTo("d29yaw==");
    assertThat(json.path("retryPolicy").path("initialBackoff").asText()).isEqualTo("20s");
    assertThat(json.path("cancelRequested").isBoolean()).isTrue();
    assertThat(json.has("finishedAt")).isFalse();
    assertThat(task.getKey()).isEqualTo("customer 7");
    assertThat(json.path("collection").asText()).isEqualTo("import");
    assertThat(json.path("fairnessKey").asText()).isEqualTo("acme");
    assertThat(task.getFairnessWeight()).isEqualTo(3);
    assertThat(json.path("startDeadline").asText()).isEqualTo("2030-01-01T00:01:00Z");
  }

  @Test
  void every_state_has_its_name_on_the_wire() {
    for (TaskState state : TaskState.values()) {
      know(view(1, state));

      Task task = get(1);

      assertThat(task.getState().name()).isEqualTo(state.name());
    }
  }

  @Test // PD-42
  void a_task_that_nobody_knows_is_not_found() throws Exception {
    String id = ScriptedTasks.id(9).toString();
    EDGE.tasks.cancelResult = CancelResult.UNKNOWN;

    assertThat(
            List.of(
                code(() -> grpc.getTask(GetTaskRequest.newBuilder().setId(id).build())),
                code(() -> grpc.cancelTask(CancelTaskRequest.newBuilder().setId(id).build())),
                code(() ->
                    grpc.rescheduleTask(
                        RescheduleTaskRequest.newBuilder()
                            .setId(id)
                            .setDelay(Duration.getDefaultInstance())
                            .build()))))
        .containsOnly(Status.Code.NOT_FOUND);
    assertThat(EDGE.get("/v1/tasks/" + id).statusCode()).isEqualTo(404);
    assertThat(EDGE.post("/v1/tasks/" + id + ":cancel", "").statusCode()).isEqualTo(404);
  }

  private static Status.Code code(Runnable call) {
    return catchThrowableOfType(StatusRuntimeException.class, call::run).getStatus().getCode();
  }

  @ParameterizedTest
  @CsvSource({"CANCELLED", "REQUESTED", "TOO_LATE"})
  void a_cancel_says_what_it_did(CancelResult result) throws Exception {
    EDGE.tasks.cancelResult = result;
    String id = ScriptedTasks.id(1).toString();

    CancelTaskResponse answer = grpc.cancelTask(CancelTaskRequest.newBuilder().setId(id).build());

    assertThat(answer.getOutcome().name()).isEqualTo(result.name());
    assertThat(EDGE.post("/v1/tasks/" + id + ":cancel", "").body())
        .isEqualTo("{\"outcome\":\"" + result + "\"}\n");
  }

  @Test
  void a_task_that_waits_gets_another_due_time() throws Exception {
    know(view(1, TaskState.NEW));
    String path = "/v1/tasks/" + ScriptedTasks.id(1) + ":reschedule";

    HttpResponse<String> response = EDGE.post(path, "{\"delay\": \"10s\"}");
    EDGE.post(path, "{\"runAt\": \"2030-01-01T01:00:00+01:00\"}");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).contains("\"state\":\"NEW\"");
    assertThat(EDGE.tasks.rescheduled).containsExactly(NOW_MICROS + 10_000_000, NOW_MICROS);
  }

  @ParameterizedTest
  @CsvSource({
    "PROCESSING, 10s, the task is PROCESSING",
    "NEW, 61s, start_deadline: the task must begin by 2030-01-01T00:01:00Z"
  })
  void a_task_that_is_performed_or_could_not_begin_in_time_keeps_its_due_time(
      TaskState state, String delay, String why) throws Exception {
    know(view(1, state)); // must begin within a minute
    EDGE.tasks.movable = false;

    HttpResponse<String> problem =
        EDGE.post(
            "/v1/tasks/" + ScriptedTasks.id(1) + ":reschedule", "{\"delay\": \"" + delay + "\"}");

    assertThat(problem.statusCode()).isEqualTo(400);
    assertThat(problem.body()).contains("\"code\":\"FAILED_PRECONDITION\"", why);
  }

  @Test
  void what_a_success_said_is_told() {
    know(view(1, TaskState.SUCCEEDED));

    assertThat(get(1).getResult()).isEqualTo("well done");
    assertThat(get(1).getResultValue().getValue().toStringUtf8()).isEqualTo("well done");
    assertThat(get(1).getResultValue().getContentType()).isEqualTo(TaskResult.TEXT);
  }

  @Test
  void by_rest_a_value_that_is_json_is_json() throws Exception {
    know(succeededWith(new TaskResult("{\"a\": 7}".getBytes(UTF_8), "application/json")));

    JsonNode task = JSON.readTree(EDGE.get("/v1/tasks/" + ScriptedTasks.id(1)).body());

    assertThat(task.at("/resultValue/json/a").asInt()).isEqualTo(7);
    assertThat(task.at("/resultValue/text").asText()).isEqualTo("{\"a\": 7}");
    assertThat(task.at("/resultValue/value").asText()).isEqualTo("eyJhIjogN30=");
    assertThat(task.at("/resultValue/contentType").asText()).isEqualTo("application/json");
  }

  @Test
  void lists_have_no_values_and_no_stacks() throws Exception {
    know(view(1, TaskState.DEAD));
    know(view(2, TaskState.SUCCEEDED));

    String list = EDGE.get("/v1/tasks").body();

    assertThat(list).contains("no luck").doesNotContain("well done", "at a.B.c");
    assertThat(get(1).getFailures(0).getStack()).isEqualTo("at a.B.c");
  }

  @Test
  void an_awaited_task_is_answered_when_it_has_ended() throws Exception {
    know(view(1, TaskState.PROCESSING));
    var answer =
        TaskServiceGrpc.newFutureStub(EDGE.channel)
            .awaitTask(AwaitTaskRequest.newBuilder().setId(ScriptedTasks.id(1).toString()).build());
    EDGE.tasks.awaited.take().answered(Optional.of(view(1, TaskState.SUCCEEDED)));

    assertThat(answer.get().getTask().getState()).isEqualTo(Task.State.SUCCEEDED);
    assertThat(answer.get().getTask().getResultValue().getValue().toStringUtf8())
        .isEqualTo("well done");
  }

  @Test
  void a_task_that_has_ended_is_answered_however_short_the_wait() throws Exception {
    know(view(1, TaskState.SUCCEEDED));

    HttpResponse<String> answer = EDGE.get("/v1/tasks/" + ScriptedTasks.id(1) + ":await?wait=0s");

    JsonNode task = JSON.readTree(answer.body()).path("task");
    assertThat(task.at("/resultValue/text").asText()).isEqualTo("well done");
    assertThat(task.path("payload").asText()).isEmpty();
    assertThat(EDGE.tasks.awaited).isEmpty();
  }

  @Test
  void a_wait_that_is_over_is_answered_without_the_task() throws Exception {
    know(view(1, TaskState.PROCESSING));
    String path = "/v1/tasks/" + ScriptedTasks.id(1) + ":await";

    HttpResponse<String> answer = EDGE.get(path + "?wait=0.01s");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(JSON.readTree(answer.body()).has("task")).isFalse();
    assertThat(EDGE.get(path + "?wait=61s").body()).contains("wait: must be at most 60 s");
  }

  @Test
  void an_unknown_task_is_not_awaited() throws Exception {
    HttpResponse<String> answer = EDGE.get("/v1/tasks/" + ScriptedTasks.id(9) + ":await");

    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(EDGE.tasks.awaited).isEmpty();
  }

  @Test // PD-36
  void an_attempt_is_shown_with_its_start_its_end_its_outcome_and_the_class_of_its_error()
      throws Exception {
    know(view(1, TaskState.DEAD));

    JsonNode task = JSON.readTree(EDGE.get("/v1/tasks/" + ScriptedTasks.id(1)).body());

    assertThat(task.path("attemptStartedAt").asText())
        .isEqualTo(Edge.NOW.minusSeconds(1).toString());
    JsonNode failure = task.path("failures").path(0);
    assertThat(failure.path("startedAt").asText()).isEqualTo(Edge.NOW.minusSeconds(3).toString());
    assertThat(failure.path("at").asText()).isEqualTo(Edge.NOW.toString());
    assertThat(failure.path("outcome").asText()).isEqualTo("RETRIABLE_FAILURE");
    assertThat(failure.path("errorClass").asText()).isEqualTo("java.io.IOException");
  }

  @Test
  void who_may_only_submit_sees_neither_payload_nor_failures() throws Exception {
    know(view(1, TaskState.RETRIABLE_FAILURE));
    String path = "/v1/tasks/" + ScriptedTasks.id(1);

    String moved = EDGE.post(path + ":reschedule", "{\"delay\": \"10s\"}").body();

    assertThat(JSON.readTree(moved).path("payload").asText()).isEmpty();
    assertThat(JSON.readTree(moved).path("failures")).isEmpty();
    assertThat(JSON.readTree(EDGE.get(path).body()).path("failures")).isNotEmpty();
  }

  @Test
  void an_answer_that_cannot_be_written_as_json_is_one_all_the_same() throws Exception {
    TaskView task = view(1, TaskState.NEW, List.of(), Instant.parse("+12000-01-01T00:00:00Z"));
    know(task);

    HttpResponse<String> problem = EDGE.get("/v1/tasks/" + task.id());

    assertThat(problem.statusCode()).isEqualTo(500);
  }

  @Test
  void a_list_goes_on_where_its_last_page_ended() {
    for (int i = 1; i <= 7; i++) {
      know(view(i, i % 2 == 0 ? TaskState.DEAD : TaskState.FAILED));
    }
    ListTasksRequest request =
        ListTasksRequest.newBuilder()
            .setHandler("h")
            .addStates(Task.State.FAILED)
            .addStates(Task.State.DEAD)
            .setPageSize(3)
            .build();

    List<String> ids = new ArrayList<>();
    String token = "";
    List<Integer> sizes = new ArrayList<>();
    do {
      ListTasksResponse page = grpc.listTasks(request.toBuilder().setPageToken(token).build());
      page.getTasksList().forEach(task -> ids.add(task.getId()));
      sizes.add(page.getTasksCount());
      token = page.getNextPageToken();
    } while (!token.isEmpty());

    assertThat(sizes).containsExactly(3, 3, 1);
    assertThat(ids)
        .containsExactlyElementsOf(
            List.of(7, 6, 5, 4, 3, 2, 1).stream()
                .map(ScriptedTasks::id)
                .map(TaskId::toString)
                .toList());
  }

  @Test
  void a_page_ends_before_it_is_too_large_for_a_client() {
    String error = "x".repeat(2_000);
    List<TaskView.Failure> failures = Collections.nCopies(10, failure(error));
    List<String> all = new ArrayList<>();
    for (int i = 1; i <= 300; i++) {
      TaskView view = view(i, TaskState.DEAD, failures, Edge.NOW);
      know(view);
      all.addFirst(view.id().toString());
    }

    List<String> ids = new ArrayList<>();
    ListTasksRequest.Builder request = ListTasksRequest.newBuilder().setPageSize(1_000);
    do {
      ListTasksResponse page = grpc.listTasks(request.build());
      assertThat(page.getSerializedSize()).isLessThan(3 << 20);
      page.getTasksList().forEach(task -> ids.add(task.getId()));
      request.setPageToken(page.getNextPageToken());
    } while (!request.getPageToken().isEmpty());

    assertThat(ids).isEqualTo(all);
  }

  @Test
  void a_page_token_of_another_list_is_refused() {
    know(view(1, TaskState.FAILED), view(2, TaskState.FAILED));
    ListTasksRequest request = ListTasksRequest.newBuilder().setPageSize(1).build();
    String token = grpc.listTasks(request).getNextPageToken();

    assertThat(token).isNotEmpty();
    assertThat(
            code(() ->
                grpc.listTasks(request.toBuilder().setHandler("h").setPageToken(token).build())))
        .isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(
            code(() ->
                grpc.listTasks(
                    request.toBuilder().addStates(Task.State.FAILED).setPageToken(token).build())))
        .isEqualTo(Status.Code.INVALID_ARGUMENT);
  }

  @Test // PD-40
  void a_list_is_limited_to_a_window_of_due_times_which_its_page_token_keeps() throws Exception {
    for (int i = 1; i <= 5; i++) {
      know(view(i, TaskState.NEW, List.of(), Edge.NOW.plusSeconds(i)));
    }
    String path =
        "/v1/tasks?pageSize=1&before="
            + Edge.NOW.plusSeconds(4)
            + "&notBefore="
            + Edge.NOW.plusSeconds(2);

    JsonNode first = JSON.readTree(EDGE.get(path).body());
    String token = "&pageToken=" + first.path("nextPageToken").asText();
    JsonNode second = JSON.readTree(EDGE.get(path + token).body());

    assertThat(first.path("tasks").path(0).path("runAt").asText())
        .isEqualTo(Edge.NOW.plusSeconds(3).toString());
    assertThat(second.path("tasks").path(0).path("runAt").asText())
        .isEqualTo(Edge.NOW.plusSeconds(2).toString());
    assertThat(second.path("nextPageToken").asText()).isEmpty();
    assertThat(EDGE.get("/v1/tasks?pageSize=1" + token).statusCode()).isEqualTo(400);
  }

  @Test
  void a_list_is_filtered_by_handler_and_states() throws Exception {
    know(view(1, TaskState.NEW), view(2, TaskState.DEAD), view(3, TaskState.FAILED));

    JsonNode some = JSON.readTree(EDGE.get("/v1/tasks?states=NEW&states=DEAD&handler=h").body());
    JsonNode none = JSON.readTree(EDGE.get("/v1/tasks?handler=other").body());

    assertThat(some.path("tasks").findValuesAsText("state")).containsExactly("DEAD", "NEW");
    assertThat(none.path("tasks").isArray()).isTrue();
    assertThat(none.path("tasks")).isEmpty();
  }

  private ListQuery.Search searched(String parameters) throws Exception {
    HttpResponse<String> answer = EDGE.get("/v1/tasks?" + parameters);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return EDGE.tasks.queries.getLast().search();
  }

  @Test
  void a_list_is_searched_by_id_attempts_errors_end_text_priority_and_schedule() throws Exception {
    assertThat(searched("minAttempts=2&errorClass=x.Error&errorFingerprint=0123456789ABCDEF"))
        .isEqualTo(
            new ListQuery.Search(
                null, 2, "x.Error", "0123456789abcdef", null, null, "", null, null));
    assertThat(
            searched(
                "endedNotBefore="
                    + Edge.NOW
                    + "&endedBefore="
                    + Edge.NOW.plusSeconds(1)
                    + "&text=sHop&priority=0&schedule=nightly"))
        .isEqualTo(
            new ListQuery.Search(
                null,
                0,
                "",
                "",
                NOW_MICROS,
                NOW_MICROS + 1_000_000,
                "sHop",
                0,
                new ScheduleName("nightly")));
    assertThat(searched("idPrefix=0000-00007").from())
        .isEqualTo(new TaskId(UUID.fromString("00000000-7000-0000-0000-000000000000")));
    assertThat(EDGE.tasks.queries.getLast().before())
        .isEqualTo(new TaskId(UUID.fromString("00000000-8000-0000-0000-000000000000")));
    searched("idPrefix=FFFFFFFF");
    assertThat(EDGE.tasks.queries.getLast().before()).isNull();
    searched("text=a&endedNotBefore=" + Edge.NOW.minusSeconds(86_400));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "idPrefix=0000000",
        "idPrefix=0000000g",
        "idPrefix=000000000000000000000000000000000",
        "minAttempts=-1",
        "errorFingerprint=0123",
        "priority=101",
        "schedule=a%20b",
        "text=a",
        "text=a&notBefore=2030-01-01T00:00:00Z",
        "text=a&notBefore=2030-01-01T00:00:00Z&before=2030-02-02T00:00:00Z",
        "endedNotBefore=2030-01-01T00:00:00Z&endedBefore=2030-01-01T00:00:00Z",
      })
  void a_search_that_makes_no_sense_is_refused(String parameters) throws Exception {
    assertThat(EDGE.get("/v1/tasks?" + parameters).statusCode()).isEqualTo(400);
    assertThat(EDGE.tasks.queries).isEmpty();
  }

  @Test
  void the_page_token_of_a_search_belongs_to_it() throws Exception {
    know(view(1, TaskState.FAILED), view(2, TaskState.FAILED));
    String search = "/v1/tasks?pageSize=1&errorClass=java.io.IOException";
    String token =
        "&pageToken=" + JSON.readTree(EDGE.get(search).body()).path("nextPageToken").asText();

    assertThat(EDGE.get(search + token).statusCode()).isEqualTo(200);
    assertThat(EDGE.get("/v1/tasks?pageSize=1" + token).statusCode()).isEqualTo(400);
  }

  @Test
  void a_task_is_shown_with_its_trace_and_on_demand_without_its_payload() throws Exception {
    TaskView plain = view(1, TaskState.DEAD);
    know(
        new TaskView(
            plain.id(),
            plain.queue(),
            TaskDetails.of("work".getBytes(UTF_8)).withTraceContext(new TraceContext(TRACE)),
            plain.dueAt(),
            plain.createdAt(),
            plain.progress(),
            null,
            new ScheduleName("nightly"),
            new BatchId(ScriptedTasks.id(7).value())));

    JsonNode whole = JSON.readTree(EDGE.get("/v1/tasks/" + plain.id()).body());
    JsonNode bare =
        JSON.readTree(EDGE.get("/v1/tasks/" + plain.id() + "?withoutPayload=true").body());
    JsonNode listed = JSON.readTree(EDGE.get("/v1/tasks").body()).path("tasks").path(0);

    assertThat(whole.path("traceparent").asText()).isEqualTo(TRACE);
    assertThat(whole.path("schedule").asText()).isEqualTo("nightly");
    assertThat(whole.path("batch").asText()).isEqualTo(ScriptedTasks.id(7).toString());
    assertThat(whole.path("failures").path(0).path("fingerprint").asText())
        .isEqualTo("0123456789abcdef");
    assertThat(whole.path("payload").asText()).isNotEmpty();
    assertThat(bare.path("payload").asText()).isEmpty();
    assertThat(listed.path("schedule").asText()).isEqualTo("nightly");
    assertThat(listed.path("traceparent").asText()).isEmpty();
  }

  @Test
  void many_tasks_are_cancelled_by_a_filter_and_counted_first() throws Exception {
    String filter =
        """
        {"handler": "h", "states": ["NEW", "PROCESSING"], "collection": "spring", "key": "anna",
         "notBefore": "2030-01-01T00:00:00Z", "before": "2030-01-01T00:00:01Z", "minAttempts": 2,
         "errorClass": "x.Error", "errorFingerprint": "0123456789abcdef",
         "acceptedUntil": "2030-01-01T00:00:02Z", "after": "%s"}\
        """
            .formatted(ScriptedTasks.id(1));
    long from = 1_893_456_000_000_000L;

    JsonNode counted =
        JSON.readTree(
            EDGE.post("/v1/tasks:cancel", "{\"filter\": " + filter + ", \"dryRun\": true}").body());
    JsonNode done =
        JSON.readTree(
            EDGE.post("/v1/tasks:cancel", "{\"filter\": " + filter + ", \"limit\": 7}").body());

    assertThat(counted.path("count").asInt()).isEqualTo(3);
    assertThat(counted.path("at").asText()).isEqualTo(Edge.NOW.toString());
    assertThat(done.path("more").asBoolean()).isTrue();
    assertThat(done.path("nextAfter").asText()).isEqualTo(ScriptedTasks.id(3).toString());
    ChangeRequest.Filter read =
        new ChangeRequest.Filter(
            new HandlerName("h"),
            Set.of(TaskState.NEW, TaskState.PROCESSING),
            new CollectionName("spring"),
            new OrderingKey("anna"),
            from,
            from + 1_000_000,
            2,
            "x.Error",
            "0123456789abcdef",
            from + 2_000_000,
            ScriptedTasks.id(1));
    assertThat(EDGE.tasks.changes)
        .containsExactly(
            new ChangeRequest(read, new ChangeRequest.Cancel(), 100_000, true),
            new ChangeRequest(read, new ChangeRequest.Cancel(), 7, false));
  }

  @Test
  void many_tasks_are_rescheduled_at_a_rate_or_now() {
    grpc.rescheduleTasks(
        RescheduleTasksRequest.newBuilder()
            .setFilter(TaskFilter.newBuilder().setMinAttempts(1))
            .setStart(Timestamp.newBuilder().setSeconds(2_000_000_000))
            .setPerSecond(4)
            .build());
    grpc.rescheduleTasks(
        RescheduleTasksRequest.newBuilder()
            .setFilter(TaskFilter.newBuilder().setMinAttempts(1))
            .build());

    assertThat(EDGE.tasks.changes)
        .extracting(ChangeRequest::action)
        .containsExactly(
            new ChangeRequest.Reschedule(2_000_000_000_000_000L, java.time.Duration.ofMillis(250)),
            new ChangeRequest.Reschedule(null, java.time.Duration.ZERO));
    assertThat(EDGE.tasks.changes.getFirst().filter().states()).isEqualTo(ChangeRequest.UNFINISHED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"filter\": {}}",
        "{\"filter\": {\"after\": \"00000000-0001-7000-8000-000000000000\"}}",
        "{\"filter\": {\"handler\": \"h\"}, \"limit\": 10001}",
        "{\"filter\": {\"handler\": \"h\", \"states\": [\"DEAD\"]}}",
        "{\"filter\": {\"key\": \"anna\"}}",
        "{\"filter\": {\"errorFingerprint\": \"abc\"}}",
        "{\"filter\": {\"minAttempts\": -1}}",
      })
  void a_change_of_many_that_makes_no_sense_is_refused(String json) throws Exception {
    assertThat(EDGE.post("/v1/tasks:cancel", json).statusCode()).isEqualTo(400);
    assertThat(EDGE.post("/v1/tasks:reschedule", json).statusCode()).isEqualTo(400);
    assertThat(EDGE.tasks.changes).isEmpty();
  }

  @Test
  void when_too_much_waits_it_is_said_when_to_try_again() throws Exception {
    EDGE.tasks.full = true;

    StatusRuntimeException refusal =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () -> grpc.scheduleTask(ScheduleTaskRequest.newBuilder().setHandler("h").build()));
    HttpResponse<String> problem = EDGE.post("/v1/tasks", "{\"handler\": \"h\"}");

    assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(
            Objects.requireNonNull(StatusProto.fromThrowable(refusal))
                .getDetails(0)
                .unpack(RetryInfo.class)
                .getRetryDelay()
                .getSeconds())
        .isEqualTo(1);
    assertThat(problem.statusCode()).isEqualTo(429);
    assertThat(problem.body()).contains("\"reason\":\"NOTHING_DONE\"");
    assertThat(problem.headers().firstValue("retry-after")).contains("1");
    assertThat(EDGE.tasks.scheduled).isEmpty();
  }

  @Test // PD-13
  void a_store_that_does_not_answer_makes_the_node_unavailable() throws Exception {
    EDGE.tasks.down = true;
    String id = ScriptedTasks.id(1).toString();

    assertThat(
            code(() -> grpc.scheduleTask(ScheduleTaskRequest.newBuilder().setHandler("h").build())))
        .isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(code(() -> grpc.getTask(GetTaskRequest.newBuilder().setId(id).build())))
        .isEqualTo(Status.Code.UNAVAILABLE);
    HttpResponse<String> problem = EDGE.get("/v1/tasks/" + id);
    assertThat(problem.statusCode()).isEqualTo(503);
    assertThat(problem.body()).contains("the store did not answer").doesNotContain("injected");
  }

  @Test
  void da10_what_a_node_that_is_not_enrolled_refuses_may_be_repeated() throws Exception {
    EDGE.tasks.enrolled = false;

    HttpResponse<String> problem = EDGE.post("/v1/tasks", "{\"handler\": \"h\"}");

    assertThat(problem.statusCode()).isEqualTo(503);
    assertThat(problem.body()).contains("\"reason\":\"NOTHING_DONE\"");
  }

  @Test
  void until_the_node_is_ready_calls_are_unavailable() throws Exception {
    EDGE.ready = false;

    assertThat(
            code(() -> grpc.scheduleTask(ScheduleTaskRequest.newBuilder().setHandler("h").build())))
        .isEqualTo(Status.Code.UNAVAILABLE);
    HttpResponse<String> problem = EDGE.post("/v1/tasks", "{\"handler\": \"h\"}");
    assertThat(problem.statusCode()).isEqualTo(503);
    assertThat(problem.headers().firstValue("retry-after")).contains("1");

    EDGE.ready = true;

    assertThat(EDGE.post("/v1/tasks", "{\"handler\": \"h\"}").statusCode()).isEqualTo(200);
  }

  @Test
  @SuppressWarnings("NullAway") // does not see in a class file that the payload may be null
  void an_instant_is_told_to_the_nanosecond_that_is_known() throws Exception {
    TaskView view = view(1, TaskState.NEW);
    know(
        new TaskView(
            view.id(),
            view.queue(),
            TaskDetails.of(TaskView.NO_PAYLOAD).withRetryPolicy(view.details().retryPolicy()),
            Instant.parse("2030-01-01T00:00:00.000001Z"),
            view.createdAt(),
            new TaskView.Progress(
                view.state(), 0, null, null, null, true, null, List.of(), TaskResult.NONE)));

    JsonNode json = JSON.readTree(EDGE.get("/v1/tasks/" + view.id()).body());

    assertThat(json.path("runAt").asText()).isEqualTo("2030-01-01T00:00:00.000001Z");
    assertThat(json.path("attempt").asInt(-1)).isZero();
    assertThat(json.path("payload").asText()).isEmpty();
  }

  @Test
  void tasks_of_a_batch_wait_for_each_other_and_for_stored_ones() throws Exception {
    String stored = ScriptedTasks.id(9).toString();
    EDGE.send(
        EDGE.json(
            "POST",
            "/v1/tasks:batch",
            """
            {"tasks": [{"handler": "h"}, {"handler": "h", "after": [{"index": 0}, {"id": "%s", "onFailure": "BLOCK"}]}]}
            """
                .formatted(stored)));

    assertThat(EDGE.tasks.scheduled.getFirst().after()).isEmpty();
    assertThat(EDGE.tasks.scheduled.getLast().after())
        .containsExactly(
            new TaskSpec.After(new TaskGraph.Predecessor.Member(0), OnFailure.FAIL),
            new TaskSpec.After(
                new TaskGraph.Predecessor.Stored(ScriptedTasks.id(9)), OnFailure.BLOCK));
  }

  @Test
  void an_unknown_predecessor_is_named_by_its_field() {
    EDGE.tasks.insertResult =
        Optional.of(new InsertResult.UnknownPredecessor(1, ScriptedTasks.id(9)));
    Predecessor after = Predecessor.newBuilder().setId(ScriptedTasks.id(9).toString()).build();
    ScheduleTaskRequest task = ScheduleTaskRequest.newBuilder().setHandler("h").build();

    assertThatThrownBy(() ->
            grpc.batchScheduleTasks(
                BatchScheduleTasksRequest.newBuilder()
                    .addTasks(task.toBuilder().addAfter(after))
                    .addTasks(task)
                    .addTasks(task.toBuilder().addAfter(after))
                    .build()))
        .hasMessageContaining("NOT_FOUND: tasks[2].after[0].id: there is no task with this id");
  }

  @Test
  void a_task_does_not_wait_for_others_while_older_nodes_run() {
    EDGE.tasks.insertResult = Optional.of(new InsertResult.OlderNodes(2));
    Predecessor after = Predecessor.newBuilder().setId(ScriptedTasks.id(9).toString()).build();

    assertThatThrownBy(() ->
            grpc.scheduleTask(
                ScheduleTaskRequest.newBuilder().setHandler("h").addAfter(after).build()))
        .hasMessageContaining("FAILED_PRECONDITION: after[0]: ")
        .hasMessageContaining("nodes run that may not: 2");
  }

  @Test
  void a_graph_is_shown_and_cancelled() {
    know(view(1, TaskState.SUCCEEDED), view(2, TaskState.PROCESSING), view(3, TaskState.AWAITING));
    EDGE.tasks.edges.add(
        new TaskGraphView.Edge(
            new GraphEdge(ScriptedTasks.id(2), ScriptedTasks.id(3), OnFailure.CONTINUE), true));
    String id = ScriptedTasks.id(3).toString();

    io.kairos.api.v1.TaskGraph graph =
        grpc.getTaskGraph(GetTaskGraphRequest.newBuilder().setId(id).build());

    assertThat(graph.getTasksList())
        .extracting(task -> task.getHandler() + " " + task.getState())
        .containsExactly("h SUCCEEDED", "h PROCESSING", "h AWAITING");
    assertThat(graph.getEdgesList())
        .containsExactly(
            io.kairos.api.v1.TaskGraph.Edge.newBuilder()
                .setPredecessor(ScriptedTasks.id(2).toString())
                .setSuccessor(id)
                .setOnFailure(Predecessor.OnFailure.CONTINUE)
                .setOpen(true)
                .build());
    assertThat(
            grpc.cancelTaskGraph(CancelTaskGraphRequest.newBuilder().setId(id).build()).getCount())
        .isEqualTo(2);
  }

  @Test
  void an_answer_has_a_bounded_number_of_edges_and_a_cancel_of_tasks() {
    TaskView[] views =
        IntStream.rangeClosed(1, 1_001)
            .mapToObj(number -> view(number, TaskState.AWAITING))
            .toArray(TaskView[]::new);
    know(views);
    for (int i = 0; i <= 10_000; i++) {
      EDGE.tasks.edges.add(
          new TaskGraphView.Edge(
              new GraphEdge(ScriptedTasks.id(1), ScriptedTasks.id(2), OnFailure.FAIL), true));
    }
    String id = ScriptedTasks.id(1).toString();

    io.kairos.api.v1.TaskGraph graph =
        grpc.getTaskGraph(GetTaskGraphRequest.newBuilder().setId(id).build());
    assertThat(graph.getEdgesCount()).isEqualTo(10_000);
    assertThat(graph.getMore()).isTrue();

    CancelTaskGraphResponse some =
        grpc.cancelTaskGraph(CancelTaskGraphRequest.newBuilder().setId(id).build());
    assertThat(some.getCount()).isEqualTo(1_000);
    assertThat(some.getMore()).isTrue();
  }

  @Test
  void the_graph_of_an_unknown_task_is_not_found() {
    GetTaskGraphRequest unknown =
        GetTaskGraphRequest.newBuilder().setId(ScriptedTasks.id(9).toString()).build();

    assertThat(code(() -> grpc.getTaskGraph(unknown))).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(EDGE.tasks.graphsWalked).hasValue(0);
  }
}
