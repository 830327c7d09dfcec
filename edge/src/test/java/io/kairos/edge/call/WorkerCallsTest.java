package io.kairos.edge.call;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import io.grpc.ManagedChannel;
import io.kairos.api.v1.HeartbeatRequest;
import io.kairos.api.v1.HeartbeatResponse;
import io.kairos.api.v1.HeartbeatResponse.Verdict;
import io.kairos.api.v1.LeaveRequest;
import io.kairos.api.v1.NextWorkRequest;
import io.kairos.api.v1.NextWorkResponse;
import io.kairos.api.v1.Result;
import io.kairos.api.v1.SetResultRequest;
import io.kairos.api.v1.SetResultResponse;
import io.kairos.api.v1.WorkerServiceGrpc;
import io.kairos.api.v1.WorkerServiceGrpc.WorkerServiceBlockingStub;
import io.kairos.api.v1.WorkerServiceGrpc.WorkerServiceFutureStub;
import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskProgress;
import io.kairos.domain.task.TaskResult;
import io.kairos.domain.task.TraceContext;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.edge.AttemptReport;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.edge.HeartbeatResult;
import io.kairos.engine.task.edge.NoAnswerRoom;
import io.kairos.engine.task.edge.ReportResult;
import io.kairos.engine.task.port.HeartbeatFinding;
import io.kairos.engine.task.port.TaskHolder;
import io.kairos.engine.worker.WorkerDetails;
import io.kairos.engine.worker.WorkerKey;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class WorkerCallsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ID = ScriptedTasks.id(1).toString();
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final NextWorkRequest REQUEST =
      NextWorkRequest.newBuilder().setWorker("w").addHandlers("h").setMaxTasks(10).build();

  @RegisterExtension static final Edge EDGE = new Edge();
  private final WorkerServiceBlockingStub grpc = WorkerServiceGrpc.newBlockingStub(EDGE.channel);
  private final WorkerServiceFutureStub later = WorkerServiceGrpc.newFutureStub(EDGE.channel);

  private static ClaimedTask work(int number) {
    return new ClaimedTask(
        new FencedTask(ScriptedTasks.id(number), 7),
        new QueueName(new HandlerName("h"), 60),
        2,
        1_500_000,
        TaskDetails.of("work".getBytes(UTF_8))
            .withExecutionTimeout(java.time.Duration.ofSeconds(5))
            .withKey(new OrderingKey("customer 7"))
            .withCollection(new CollectionName("import"))
            .withTraceContext(new TraceContext(TRACE)));
  }

  private static NextWorkRequest waiting(long millis) {
    return REQUEST.toBuilder()
        .setWait(Duration.newBuilder().setNanos((int) millis * 1_000_000))
        .build();
  }

  @Test
  void a_worker_gets_its_work_with_fence_and_lease() throws Exception {
    ListenableFuture<NextWorkResponse> answer = later.nextWork(REQUEST);
    ScriptedTasks.Poll poll = EDGE.tasks.nextPoll();
    poll.answer(List.of(work(1), work(2)));

    assertThat(poll.request.worker()).isEqualTo("w");
    assertThat(poll.request.handlers()).isEqualTo(Set.of(new HandlerName("h")));
    assertThat(poll.request.maxTasks()).isEqualTo(10);
    assertThat(poll.request.maxBytes()).isEqualTo(3 << 20);
    NextWorkResponse response = answer.get();
    assertThat(Durations.toMillis(response.getLease())).isEqualTo(4_500);
    assertThat(Durations.toMillis(response.getHeartbeatInterval())).isEqualTo(1_000);
    assertThat(response.getWorkList()).hasSize(2);
    io.kairos.api.v1.Work first = response.getWork(0);
    assertThat(first.getId()).isEqualTo(ID);
    assertThat(first.getFence()).isEqualTo(7);
    assertThat(first.getHandler()).isEqualTo("h");
    assertThat(first.getPriority()).isEqualTo(60);
    assertThat(first.getAttempt()).isEqualTo(2);
    assertThat(Timestamps.toMillis(first.getRunAt())).isEqualTo(1_500);
    assertThat(first.getPayload().toStringUtf8()).isEqualTo("work");
    assertThat(first.getExecutionTimeout().getSeconds()).isEqualTo(5);
    assertThat(first.getTraceparent()).isEqualTo(TRACE);
  }

  @Test
  void what_a_worker_says_of_itself_is_noted() throws Exception {
    grpc.nextWork(
        waiting(1).toBuilder()
            .setWorker("says")
            .addHandlers("a")
            .setHost("db-7")
            .setVersion("kairos-client 1.2.3")
            .setSlots(8)
            .build());
    EDGE.tasks.nextPoll().awaitEnd();

    assertThat(EDGE.workers.asked)
        .containsEntry(
            WorkerKey.of("says", null),
            new WorkerDetails("db-7", "kairos-client 1.2.3", 8, List.of("a", "h")));
    assertThatThrownBy(() -> grpc.nextWork(REQUEST.toBuilder().setHost("h".repeat(256)).build()))
        .hasMessageContaining("host");
    assertThatThrownBy(() -> grpc.nextWork(REQUEST.toBuilder().setVersion("a\0").build()))
        .hasMessageContaining("version");
    assertThatThrownBy(() -> grpc.nextWork(REQUEST.toBuilder().setSlots(-1).build()))
        .hasMessageContaining("slots");
  }

  @Test
  void a_drained_worker_waits_for_the_tasks_of_no_handler() throws Exception {
    EDGE.workers.drained.add("drained");

    NextWorkResponse response = grpc.nextWork(waiting(20).toBuilder().setWorker("drained").build());

    ScriptedTasks.Poll poll = EDGE.tasks.nextPoll();
    poll.awaitEnd();
    assertThat(poll.request.worker()).isEqualTo("drained");
    assertThat(poll.request.handlers()).isEmpty();
    assertThat(response.getWorkList()).isEmpty();
    assertThat(response.hasLease()).isTrue();
  }

  @Test
  void a_wait_that_is_over_is_answered_with_nothing() throws Exception {
    NextWorkResponse response = grpc.nextWork(waiting(20));

    EDGE.tasks.nextPoll().awaitEnd();
    assertThat(response.getWorkList()).isEmpty();
    assertThat(response.getLease().getSeconds()).isEqualTo(4);
  }

  @Test
  void what_was_claimed_when_the_wait_was_over_is_not_lost() throws Exception {
    EDGE.tasks.claimedForNext.set(List.of(work(1)));

    assertThat(grpc.nextWork(waiting(20)).getWorkList()).hasSize(1);
    EDGE.tasks.nextPoll().awaitEnd();
  }

  @Test
  void a_worker_that_leaves_is_answered_at_once_with_what_was_claimed() throws Exception {
    ListenableFuture<NextWorkResponse> answer = later.nextWork(REQUEST);
    ListenableFuture<NextWorkResponse> others =
        later.nextWork(REQUEST.toBuilder().setWorker("another").build());
    ScriptedTasks.Poll poll = EDGE.tasks.nextPoll();
    ScriptedTasks.Poll othersPoll = EDGE.tasks.nextPoll();
    poll.claimed = List.of(work(1));
    othersPoll.claimed = List.of(work(1));

    grpc.leave(LeaveRequest.newBuilder().setWorker("w").build());

    assertThat(answer.get().getWorkList()).hasSize(1);
    assertThat(others.isDone()).isFalse();
    grpc.leave(LeaveRequest.newBuilder().setWorker("another").build());
    assertThat(others.get().getWorkList()).hasSize(1);
  }

  @Test
  void a_worker_that_goes_away_ends_its_wait_and_gives_back_what_it_did_not_get() throws Exception {
    ListenableFuture<NextWorkResponse> answer = later.nextWork(REQUEST);
    ScriptedTasks.Poll poll = EDGE.tasks.nextPoll();
    poll.claimed = List.of(work(1));

    answer.cancel(true);
    poll.awaitEnd();
    // The next call on this connection comes after what the first one left behind.
    grpc.nextWork(waiting(1));

    assertThat(EDGE.tasks.reports).hasSize(1);
    assertThat(EDGE.tasks.reports.getFirst().task()).isEqualTo(work(1).task());
    assertThat(EDGE.tasks.reports.getFirst().outcome()).isEqualTo(new AttemptOutcome.NotBegun());
  }

  @Test
  void a_connection_that_breaks_ends_its_waits() throws Exception {
    ManagedChannel connection = EDGE.connect();
    WorkerServiceFutureStub worker = WorkerServiceGrpc.newFutureStub(connection);
    var _ = worker.nextWork(REQUEST);
    var _ = worker.nextWork(REQUEST);
    ScriptedTasks.Poll first = EDGE.tasks.nextPoll();
    ScriptedTasks.Poll second = EDGE.tasks.nextPoll();

    connection.shutdownNow();

    first.awaitEnd();
    second.awaitEnd();
  }

  @Test
  void a_node_that_cannot_give_work_says_so_to_those_who_wait() throws Exception {
    ListenableFuture<NextWorkResponse> answer = later.nextWork(REQUEST);
    EDGE.tasks.nextPoll().fail(new StoreUnavailable("injected"));

    assertThatThrownBy(answer::get).hasMessageContaining("UNAVAILABLE: the store did not answer");
  }

  @Test
  void waits_of_one_caller_get_no_more_bytes_at_a_time_than_it_may_have() throws Exception {
    long most = 3 << 20;
    for (int i = 0; i < 10; i++) {
      var _ = later.nextWork(REQUEST);
      assertThat(EDGE.tasks.nextPoll().takeRoom(most)).isTrue();
    }
    ListenableFuture<NextWorkResponse> beyond = later.nextWork(REQUEST);
    ScriptedTasks.Poll poll = EDGE.tasks.nextPoll();

    assertThat(poll.takeRoom(most)).isFalse();
    poll.fail(new NoAnswerRoom());

    assertThatThrownBy(beyond::get)
        .hasMessageContaining("RESOURCE_EXHAUSTED: the requests and answers in flight");
    grpc.leave(LeaveRequest.newBuilder().setWorker("w").build());
  }

  private static CompletableFuture<HttpResponse<String>> waitsByRest() {
    String request = "{\"worker\": \"w\", \"handlers\": [\"h\"], \"maxTasks\": 1}";
    return EDGE.http()
        .sendAsync(EDGE.json("POST", "/v1/work:next", request).build(), BodyHandlers.ofString());
  }

  @Test
  void a_worker_may_wait_and_get_work_as_json() throws Exception {
    CompletableFuture<HttpResponse<String>> answer = waitsByRest();
    EDGE.tasks.nextPoll().answer(List.of(work(1)));

    JsonNode work = JSON.readTree(answer.get().body()).path("work").path(0);
    assertThat(work.path("fence").asText()).isEqualTo("7");
    assertThat(work.path("payload").asText()).isEqualTo("d29yaw==");
    assertThat(work.path("runAt").asText()).isEqualTo("1970-01-01T00:00:01.500Z");
  }

  @Test
  void a_worker_that_waits_by_rest_and_goes_away_ends_its_wait() throws Exception {
    CompletableFuture<HttpResponse<String>> answer = waitsByRest();
    ScriptedTasks.Poll poll = EDGE.tasks.nextPoll();

    answer.cancel(true);

    poll.awaitEnd();
  }

  @Test
  void a_heartbeat_says_how_far_an_attempt_has_come() {
    EDGE.tasks.beats = List.of(new HeartbeatResult(HeartbeatFinding.EXTENDED, null));
    HeartbeatRequest.Builder request = HeartbeatRequest.newBuilder().setWorker("w");
    request
        .addHeldBuilder()
        .setId(ScriptedTasks.id(1).toString())
        .setFence(1)
        .getProgressBuilder()
        .setPercent(30)
        .setNote("rows");

    grpc.heartbeat(request.build());

    assertThat(EDGE.tasks.said).containsExactly(Optional.of(new TaskProgress(30, "rows")));
    request.getHeldBuilder(0).getProgressBuilder().setPercent(101);
    assertThatThrownBy(() -> grpc.heartbeat(request.build()))
        .hasMessageContaining("progress.percent: must be 0 to 100");
  }

  @Test
  void a_success_has_a_value_with_its_content_type_and_a_failure_its_stack() throws Exception {
    EDGE.tasks.reportResults =
        List.of(
            new ReportResult.Accepted(), new ReportResult.Accepted(), new ReportResult.Accepted());
    String results =
        """
        {"worker": "w", "results": [
          {"id": "%s", "fence": 1, "success": {"result": {"json": [1, 2]}}},
          {"id": "%s", "fence": 1, "success": {"result": {"value": "AP8=", "contentType": "a/b"}}},
          {"id": "%s", "fence": 1, "fatal": {"error": "no", "errorClass": "E", "stack": "at x"}}]}
        """
            .formatted(ScriptedTasks.id(1), ScriptedTasks.id(2), ScriptedTasks.id(3));

    assertThat(EDGE.post("/v1/work:result", results).statusCode()).isEqualTo(200);

    assertThat(EDGE.tasks.reports)
        .extracting(AttemptReport::outcome)
        .containsExactly(
            new AttemptOutcome.Succeeded(
                new TaskResult("[1,2]".getBytes(UTF_8), "application/json")),
            new AttemptOutcome.Succeeded(new TaskResult(new byte[] {0, -1}, "a/b")),
            new AttemptOutcome.Failed("no", "E", "at x"));
  }

  @Test
  void a_value_that_is_too_large_is_refused() {
    SetResultRequest.Builder request = SetResultRequest.newBuilder().setWorker("w");
    request
        .addResultsBuilder()
        .setId(ScriptedTasks.id(1).toString())
        .setFence(1)
        .getSuccessBuilder()
        .getResultBuilder()
        .setValue(ByteString.copyFrom(new byte[TaskResult.MOST_BYTES + 1]));

    assertThatThrownBy(() -> grpc.setResult(request.build()))
        .hasMessageContaining("success.result.value: must be at most 262,144 bytes");
    assertThat(EDGE.tasks.reports).isEmpty();
  }

  @Test
  void da22_a_heartbeat_is_answered_in_its_order_and_says_who_holds_what_is_lost() {
    EDGE.tasks.beats =
        List.of(
            new HeartbeatResult(HeartbeatFinding.EXTENDED, null),
            new HeartbeatResult(HeartbeatFinding.CANCEL_REQUESTED, null),
            new HeartbeatResult(HeartbeatFinding.LOST, new TaskHolder("other", 9)),
            new HeartbeatResult(HeartbeatFinding.LOST, null));
    HeartbeatRequest.Builder request = HeartbeatRequest.newBuilder().setWorker("w");
    for (int i = 1; i <= 4; i++) {
      request.addHeldBuilder().setId(ScriptedTasks.id(i).toString()).setFence(i);
    }

    HeartbeatResponse answer = grpc.heartbeat(request.build());

    assertThat(EDGE.workers.beaten).contains(WorkerKey.of("w", null));
    assertThat(answer.getAnswersList())
        .extracting(HeartbeatResponse.Answer::getVerdict)
        .containsExactly(Verdict.EXTENDED, Verdict.CANCEL_REQUESTED, Verdict.LOST, Verdict.LOST);
    assertThat(answer.getAnswersList())
        .extracting(HeartbeatResponse.Answer::getReason)
        .containsExactly(
            "",
            "",
            "fence: is an old one, or of another worker's attempt; other holds the task now, with fence 9",
            "fence: is an old one, or of another worker's attempt; nobody is known to hold the task now");
    assertThat(EDGE.tasks.beaten.getFirst())
        .containsExactly(
            new FencedTask(ScriptedTasks.id(1), 1),
            new FencedTask(ScriptedTasks.id(2), 2),
            new FencedTask(ScriptedTasks.id(3), 3),
            new FencedTask(ScriptedTasks.id(4), 4));
  }

  @Test
  void da07_a_stale_result_is_refused_by_itself_and_told_who_holds_the_task() throws Exception {
    EDGE.tasks.reportResults =
        List.of(
            new ReportResult.Accepted(),
            new ReportResult.HeldBy(new TaskHolder("other", 9)),
            new ReportResult.NotHeld());
    String results =
        "{\"id\": \"%1$s\", \"fence\": \"7\", \"success\": {}}, {\"id\": \"%1$s\", \"fence\": 7, \"fatal\": {\"error\": \"e\"}}, {\"id\": \"%1$s\", \"fence\": 7, \"cancelled\": {}}"
            .formatted(ID);

    HttpResponse<String> response =
        EDGE.post("/v1/work:result", "{\"worker\": \"w\", \"results\": [" + results + "]}");

    JsonNode answers = JSON.readTree(response.body()).path("answers");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(answers.path(0).path("accepted").asBoolean()).isTrue();
    assertThat(answers.path(1).path("accepted").isBoolean()).isTrue();
    assertThat(answers.path(1).path("accepted").asBoolean()).isFalse();
    assertThat(answers.path(1).path("reason").asText())
        .contains("other holds the task now, with fence 9");
    assertThat(answers.path(2).path("reason").asText()).contains("nobody holds the task now");
  }

  @Test
  void da12_every_outcome_arrives_and_errors_are_cut_to_what_is_kept() {
    SetResultRequest.Builder request = SetResultRequest.newBuilder().setWorker("w");
    request.addResults(result().setSuccess(Result.Success.getDefaultInstance()));
    request.addResults(
        result()
            .setRetryLater(
                Result.RetryLater.newBuilder()
                    .setError("\0" + "x".repeat(3_000))
                    .setErrorClass("\0" + "c".repeat(300))));
    request.addResults(
        result()
            .setRetryLater(
                Result.RetryLater.newBuilder()
                    .setError("x".repeat(1_999) + "\uD83D\uDE00")
                    .setDelay(Duration.newBuilder().setSeconds(3))));
    request.addResults(
        result().setFatal(Result.Fatal.newBuilder().setError("e").setErrorClass("E")));
    request.addResults(result().setCancelled(Result.Cancelled.getDefaultInstance()));
    request.addResults(result().setNotBegun(Result.NotBegun.getDefaultInstance()));
    request.addResults(
        result()
            .setSnoozed(Result.Snoozed.newBuilder().setDelay(Duration.newBuilder().setSeconds(3))));

    SetResultResponse response = grpc.setResult(request.build());

    assertThat(response.getAnswers(0).getAccepted()).isTrue();
    assertThat(EDGE.tasks.reports)
        .extracting(report -> report.outcome())
        .containsExactly(
            new AttemptOutcome.Succeeded(),
            new AttemptOutcome.RetryLater("\uFFFD" + "x".repeat(1_999), "\uFFFD" + "c".repeat(199)),
            new AttemptOutcome.RetryAfter("x".repeat(1_999), java.time.Duration.ofSeconds(3)),
            new AttemptOutcome.Failed("e", "E"),
            new AttemptOutcome.Cancelled(),
            new AttemptOutcome.NotBegun(),
            new AttemptOutcome.Snoozed(java.time.Duration.ofSeconds(3)));
  }

  private static Result.Builder result() {
    return Result.newBuilder().setId(ID).setFence(7);
  }

  @Test
  void when_too_much_waits_heartbeats_and_results_are_refused() {
    EDGE.tasks.full = true;

    assertThatThrownBy(() ->
            grpc.heartbeat(
                HeartbeatRequest.newBuilder()
                    .setWorker("w")
                    .addHeld(HeartbeatRequest.Held.newBuilder().setId(ID).setFence(1))
                    .build()))
        .hasMessageContaining("RESOURCE_EXHAUSTED");
    assertThatThrownBy(() ->
            grpc.setResult(
                SetResultRequest.newBuilder()
                    .setWorker("w")
                    .addResults(result().setSuccess(Result.Success.getDefaultInstance()))
                    .build()))
        .hasMessageContaining("RESOURCE_EXHAUSTED");
  }
}
