package io.kairos.edge.call;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import io.kairos.api.v1.BatchServiceGrpc;
import io.kairos.api.v1.HandlerServiceGrpc;
import io.kairos.api.v1.ListFailureGroupsResponse;
import io.kairos.api.v1.ListHandlersResponse;
import io.kairos.api.v1.ListPoolsResponse;
import io.kairos.api.v1.ListSchedulesResponse;
import io.kairos.api.v1.ListTasksResponse;
import io.kairos.api.v1.NextWorkRequest;
import io.kairos.api.v1.NextWorkResponse;
import io.kairos.api.v1.PoolServiceGrpc;
import io.kairos.api.v1.ScheduleServiceGrpc;
import io.kairos.api.v1.Task;
import io.kairos.api.v1.TaskGraph;
import io.kairos.api.v1.TaskServiceGrpc;
import io.kairos.api.v1.WorkerServiceGrpc;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskResult;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.batch.BatchCounts;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.graph.GraphEdge;
import io.kairos.domain.task.graph.OnFailure;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.edge.caller.CallerConfig;
import io.kairos.edge.caller.CallerRole;
import io.kairos.edge.caller.CallerScope;
import io.kairos.edge.caller.Hashes;
import io.kairos.engine.task.edge.HeartbeatResult;
import io.kairos.engine.task.edge.ReportResult;
import io.kairos.engine.task.port.HeartbeatFinding;
import io.kairos.engine.task.port.ReportedBy;
import io.kairos.engine.task.port.TaskHolder;
import io.kairos.engine.task.port.operator.TaskGraphView;
import io.kairos.engine.task.port.operator.TaskView;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an id stands for, and what lists show, to a caller who may use some names only. */
class FoundNamesTest {
  private static final String TOKEN = "limited";
  private static final String WHOLE = "whole";

  @RegisterExtension
  static final Edge EDGE =
      new Edge(
          new CallerConfig("limited", Hashes.of(TOKEN), Set.of(CallerRole.ADMIN))
              .within(
                  new CallerScope(
                      Set.of("a"),
                      Set.of("hooks-*"),
                      Set.of("orders"),
                      Set.of("night*"),
                      Set.of())),
          new CallerConfig("whole", Hashes.of(WHOLE), Set.of(CallerRole.ADMIN)));

  private static TaskId know(int number, String handler) {
    TaskView view =
        new TaskView(
            ScriptedTasks.id(number),
            new QueueName(new HandlerName(handler), 50),
            TaskDetails.of(new byte[] {1}),
            Edge.NOW,
            Edge.NOW,
            new TaskView.Progress(
                TaskState.NEW, 0, Edge.NOW, null, null, false, null, List.of(), TaskResult.NONE));
    EDGE.tasks.known.put(view.id(), view);
    return view.id();
  }

  private static <Q, A> A call(MethodDescriptor<Q, A> method, String json) throws IOException {
    return EDGE.call(method, json, TOKEN);
  }

  private static void assertDenied(MethodDescriptor<?, ?> method, String json) {
    assertThatThrownBy(() -> call(method, json))
        .hasMessageContaining("PERMISSION_DENIED")
        .hasMessageContaining("the caller limited may")
        .hasMessageNotContaining("secret-handler");
  }

  @Test
  void a_task_of_others_is_neither_shown_nor_changed() throws Exception {
    TaskId theirs = know(1, "secret-handler");
    TaskId own = know(2, "a");
    String id = "{\"id\": \"%s\"}";
    String later = "{\"id\": \"%s\", \"runAt\": \"2030-01-01T00:00:00Z\"}";
    String ids = "{\"ids\": [\"%s\"]}";

    assertDenied(TaskServiceGrpc.getGetTaskMethod(), id.formatted(theirs));
    assertDenied(TaskServiceGrpc.getAwaitTaskMethod(), id.formatted(theirs));
    assertDenied(TaskServiceGrpc.getCancelTaskMethod(), id.formatted(theirs));
    assertDenied(TaskServiceGrpc.getRescheduleTaskMethod(), later.formatted(theirs));
    assertDenied(HandlerServiceGrpc.getRedriveMethod(), ids.formatted(theirs));
    assertDenied(
        HandlerServiceGrpc.getRedriveMethod(),
        "{\"ids\": [\"%s\", \"%s\"]}".formatted(own, theirs));
    assertDenied(HandlerServiceGrpc.getRedriveMethod(), "{\"filter\": {}}");
    assertDenied(TaskServiceGrpc.getGetTaskGraphMethod(), id.formatted(theirs));
    assertDenied(TaskServiceGrpc.getCancelTaskGraphMethod(), id.formatted(theirs));
    assertDenied(
        TaskServiceGrpc.getScheduleTaskMethod(),
        "{\"handler\": \"a\", \"after\": [{\"id\": \"%s\"}]}".formatted(theirs));
    assertThat(EDGE.tasks.graphsWalked).hasValue(0);
    assertThat(EDGE.tasks.scheduled).isEmpty();
    assertThat(EDGE.tasks.rescheduled).isEmpty();
    assertThat(EDGE.tasks.queues.redriven).isEmpty();

    assertThat(call(TaskServiceGrpc.getGetTaskMethod(), id.formatted(own)).getHandler())
        .isEqualTo("a");
    call(TaskServiceGrpc.getRescheduleTaskMethod(), later.formatted(own));
    call(
        TaskServiceGrpc.getScheduleTaskMethod(),
        "{\"handler\": \"a\", \"after\": [{\"id\": \"%s\"}]}".formatted(own));
    assertThat(EDGE.tasks.scheduled).hasSize(1);
    EDGE.tasks.edges.add(
        new TaskGraphView.Edge(
            new GraphEdge(ScriptedTasks.id(7), own, OnFailure.FAIL), false)); // 7 was pruned
    TaskGraph graph = call(TaskServiceGrpc.getGetTaskGraphMethod(), id.formatted(own));
    assertThat(graph.getTasksList()).extracting(one -> one.getId()).containsExactly(own.toString());
    assertThat(graph.getEdgesList()).isEmpty();
    assertThat(call(TaskServiceGrpc.getCancelTaskGraphMethod(), id.formatted(own)).getCount())
        .isEqualTo(1);
    assertThat(EDGE.tasks.cancelled).containsExactly(own);
    call(HandlerServiceGrpc.getRedriveMethod(), ids.formatted(own));
    call(HandlerServiceGrpc.getRedriveMethod(), "{\"filter\": {\"handler\": \"a\"}}");
    assertThat(EDGE.tasks.rescheduled).hasSize(1);
    assertThat(EDGE.tasks.queues.redriven).hasSize(2);
  }

  private static BatchId knowBatch(int number, String handler) {
    BatchId id = new BatchId(ScriptedTasks.id(number).value());
    EDGE.tasks.batches.known.put(
        id, ScriptedBatches.view(id, new HandlerName(handler), BatchCounts.NONE));
    return id;
  }

  @Test
  void a_batch_of_others_is_neither_shown_nor_changed() throws Exception {
    BatchId theirs = knowBatch(1, "secret-handler");
    BatchId own = knowBatch(2, "a");
    String id = "{\"id\": \"%s\"}";

    assertDenied(BatchServiceGrpc.getGetBatchMethod(), id.formatted(theirs));
    assertDenied(BatchServiceGrpc.getCloseBatchMethod(), id.formatted(theirs));
    assertDenied(BatchServiceGrpc.getCancelBatchMethod(), id.formatted(theirs));
    assertDenied(BatchServiceGrpc.getListBatchesMethod(), "{}");
    assertDenied(BatchServiceGrpc.getCreateBatchMethod(), "{\"handler\": \"another\"}");
    assertThat(requireNonNull(EDGE.tasks.batches.known.get(theirs)).closedAt()).isNull();

    assertThat(call(BatchServiceGrpc.getCloseBatchMethod(), id.formatted(own)).getHandler())
        .isEqualTo("a");
    assertThat(
            call(BatchServiceGrpc.getListBatchesMethod(), "{\"handler\": \"a\"}").getBatchesList())
        .hasSize(1);
  }

  @Test
  void a_task_of_others_that_was_asked_for_is_in_the_audit_log() throws Exception {
    TaskId theirs = know(1, "secret-handler");
    TaskId own = know(2, "a");
    String id = "{\"id\": \"%s\"}";

    assertDenied(TaskServiceGrpc.getGetTaskMethod(), id.formatted(theirs));
    call(TaskServiceGrpc.getGetTaskMethod(), id.formatted(own));
    assertDenied(TaskServiceGrpc.getCancelTaskMethod(), id.formatted(theirs));
    assertThat(
            EDGE.send(
                    HttpRequest.newBuilder(EDGE.uri("/v1/tasks/" + theirs))
                        .header("authorization", "Bearer " + TOKEN))
                .statusCode())
        .isEqualTo(403);

    assertThat(EDGE.audit.entries().reversed())
        .extracting(entry ->
            "%s %s %s: %s"
                .formatted(
                    entry.call().caller(),
                    entry.call().action(),
                    entry.call().object(),
                    entry.outcome()))
        .containsExactly(
            "limited GetTask " + theirs + ": PERMISSION_DENIED",
            "limited CancelTask " + theirs + ": PERMISSION_DENIED",
            "limited GetTask " + theirs + ": PERMISSION_DENIED");
  }

  @Test
  void runs_of_a_schedule_are_listed_only_of_handlers_that_the_caller_may_name() throws Exception {
    know(1, "secret-handler");
    TaskId own = know(2, "a");
    know(3, "secret-handler");
    String json = "{\"schedule\": \"night\", \"pageSize\": 2}";

    ListTasksResponse limited = call(TaskServiceGrpc.getListTasksMethod(), json);
    ListTasksResponse rest =
        call(
            TaskServiceGrpc.getListTasksMethod(),
            "{\"schedule\": \"night\", \"pageSize\": 2, \"pageToken\": \"%s\"}"
                .formatted(limited.getNextPageToken()));

    assertThat(limited.getTasksList()).extracting(Task::getId).containsExactly(own.toString());
    assertThat(limited.getIncomplete()).isTrue();
    assertThat(rest.getTasksList()).isEmpty();
    assertThat(rest.getNextPageToken()).isEmpty();
    assertThat(EDGE.call(TaskServiceGrpc.getListTasksMethod(), json, WHOLE).getTasksList())
        .hasSize(2);
  }

  @Test
  void many_tasks_are_changed_only_of_a_handler_that_the_caller_may_name() throws Exception {
    for (String filter : List.of("{\"minAttempts\": 1}", "{\"handler\": \"secret-handler\"}")) {
      String json = "{\"filter\": %s}".formatted(filter);
      assertThatThrownBy(() -> call(TaskServiceGrpc.getCancelTasksMethod(), json))
          .hasMessageContaining("PERMISSION_DENIED");
      assertThatThrownBy(() -> call(TaskServiceGrpc.getRescheduleTasksMethod(), json))
          .hasMessageContaining("PERMISSION_DENIED");
    }
    assertThat(EDGE.tasks.changes).isEmpty();

    call(TaskServiceGrpc.getCancelTasksMethod(), "{\"filter\": {\"handler\": \"a\"}}");
    assertThat(EDGE.tasks.changes).hasSize(1);
  }

  @Test
  void a_message_of_a_route_that_has_topics_of_others_is_not_amended() throws Exception {
    String id = "{\"id\": \"%s\"}".formatted(ScriptedMessages.id(1));
    String later =
        "{\"id\": \"%s\", \"runAt\": \"2030-01-01T00:00:00Z\"}".formatted(ScriptedMessages.id(1));
    EDGE.tasks.cancelResult = io.kairos.engine.task.port.operator.CancelResult.UNKNOWN;

    assertDenied(TaskServiceGrpc.getCancelTaskMethod(), id);
    assertDenied(TaskServiceGrpc.getRescheduleTaskMethod(), later);
    assertThat(EDGE.messages.amendments).isEmpty();

    EDGE.call(TaskServiceGrpc.getCancelTaskMethod(), id, WHOLE);
    assertThat(EDGE.messages.amendments).hasSize(1);
  }

  @Test
  void lists_have_only_what_the_caller_may_name() throws Exception {
    for (String name : List.of("daily", "night", "night-2")) {
      make(
          ScheduleServiceGrpc.getCreateScheduleMethod(),
          "{\"schedule\": {\"name\": \"%s\", \"every\": \"60s\", \"target\": {\"handler\": \"h\"}}}"
              .formatted(name));
    }
    for (String name : List.of("hooks-1", "other")) {
      make(
          PoolServiceGrpc.getCreatePoolMethod(),
          "{\"pool\": {\"name\": \"%s\", \"registered\": {}}}".formatted(name));
    }

    ListHandlersResponse handlers = call(HandlerServiceGrpc.getListHandlersMethod(), "{}");
    ListFailureGroupsResponse failures =
        call(HandlerServiceGrpc.getListFailureGroupsMethod(), "{}");
    ListPoolsResponse pools = call(PoolServiceGrpc.getListPoolsMethod(), "{}");
    ListSchedulesResponse schedules =
        call(ScheduleServiceGrpc.getListSchedulesMethod(), "{\"pageSize\": 1}");

    assertThat(handlers.getHandlersList()).extracting(one -> one.getName()).containsExactly("a");
    assertThat(failures.getGroupsList()).extracting(one -> one.getHandler()).containsExactly("a");
    assertThat(pools.getPoolsList()).extracting(one -> one.getName()).containsExactly("hooks-1");
    assertThat(schedules.getSchedulesList())
        .extracting(one -> one.getName())
        .containsExactly("night");
    assertThat(
            call(
                    ScheduleServiceGrpc.getListSchedulesMethod(),
                    "{\"pageToken\": \"%s\"}".formatted(schedules.getNextPageToken()))
                .getSchedulesList())
        .extracting(one -> one.getName())
        .containsExactly("night-2");
    assertThat(
            call(ScheduleServiceGrpc.getListPlannedFiresMethod(), "{\"count\": 3}").getFiresList())
        .extracting(one -> one.getSchedule())
        .containsExactly("night", "night-2", "night");
  }

  @Test
  void a_token_of_the_next_page_has_no_name_of_others() throws Exception {
    for (String name : List.of("aaa", "hooks-1", "hooks-2", "other")) {
      make(
          PoolServiceGrpc.getCreatePoolMethod(),
          "{\"pool\": {\"name\": \"%s\", \"registered\": {}}}".formatted(name));
    }
    for (int i = 0; i < 120; i++) {
      make(
          ScheduleServiceGrpc.getCreateScheduleMethod(),
          "{\"schedule\": {\"name\": \"daily-%d\", \"every\": \"60s\", \"target\": {\"handler\": \"h\"}}}"
              .formatted(i));
    }
    String one = "{\"pageSize\": 1, \"pageToken\": \"%s\"}";

    ListHandlersResponse handlers =
        call(HandlerServiceGrpc.getListHandlersMethod(), one.formatted(""));
    ListPoolsResponse pools = call(PoolServiceGrpc.getListPoolsMethod(), one.formatted(""));
    ListPoolsResponse second =
        call(PoolServiceGrpc.getListPoolsMethod(), one.formatted(pools.getNextPageToken()));

    assertThat(handlers.getHandlersList()).extracting(each -> each.getName()).containsExactly("a");
    assertThat(handlers.getNextPageToken()).isEmpty();
    assertThat(EDGE.tasks.queues.listed).as("no more than the page and one").containsExactly(2);
    assertThat(pools.getPoolsList()).extracting(each -> each.getName()).containsExactly("hooks-1");
    assertThat(pools.getNextPageToken()).isEqualTo("hooks-1");
    assertThat(second.getPoolsList()).extracting(each -> each.getName()).containsExactly("hooks-2");
    assertThat(second.getNextPageToken()).isEmpty();
    assertThat(call(ScheduleServiceGrpc.getListSchedulesMethod(), one.formatted("")))
        .isEqualTo(ListSchedulesResponse.getDefaultInstance());
  }

  @Test
  void a_list_of_schedules_passes_over_a_bounded_number_of_those_of_others() throws Exception {
    for (String name : List.of("daily-1", "daily-2", "night", "own")) {
      make(
          ScheduleServiceGrpc.getCreateScheduleMethod(),
          "{\"schedule\": {\"name\": \"%s\", \"every\": \"60s\", \"target\": {\"handler\": \"h\"}}}"
              .formatted(name));
    }
    EDGE.schedules.mostLooked = 2;
    String next = "{\"pageToken\": \"%s\"}";

    ListSchedulesResponse first = call(ScheduleServiceGrpc.getListSchedulesMethod(), "{}");
    ListSchedulesResponse second =
        call(
            ScheduleServiceGrpc.getListSchedulesMethod(), next.formatted(first.getNextPageToken()));

    assertThat(first.getSchedulesList()).isEmpty();
    assertThat(first.getNextPageToken()).startsWith("~").doesNotContain("daily");
    assertThat(second.getSchedulesList()).extracting(one -> one.getName()).containsExactly("night");
    assertThat(second.getNextPageToken()).isEmpty();
    for (String token : List.of("~daily-2", "~00000000-0000-0000-0000-000000000000")) {
      assertThatThrownBy(
              () -> call(ScheduleServiceGrpc.getListSchedulesMethod(), next.formatted(token)))
          .hasMessageContaining("INVALID_ARGUMENT")
          .hasMessageContaining("page_token");
    }
  }

  @Test
  void a_refusal_of_a_result_or_heartbeat_does_not_say_who_holds_the_task() throws Exception {
    TaskHolder holder = new TaskHolder("secret-worker", 9);
    EDGE.tasks.reportResults = List.of(new ReportResult.HeldBy(holder), new ReportResult.NotHeld());
    EDGE.tasks.beats =
        List.of(
            new HeartbeatResult(HeartbeatFinding.LOST, holder),
            new HeartbeatResult(HeartbeatFinding.LOST, null));
    String held = "{\"id\": \"%s\", \"fence\": 1%s}";
    String results =
        "{\"worker\": \"w\", \"results\": [%s]}"
            .formatted(held.formatted(ScriptedTasks.id(1), ", \"success\": {}"));
    String beat =
        "{\"worker\": \"w\", \"held\": [%s]}".formatted(held.formatted(ScriptedTasks.id(1), ""));

    assertThat(call(WorkerServiceGrpc.getSetResultMethod(), results).getAnswersList())
        .extracting(answer -> answer.getReason())
        .containsOnly("fence: is an old one, or of another worker's attempt")
        .hasSize(2);
    assertThat(call(WorkerServiceGrpc.getHeartbeatMethod(), beat).getAnswersList())
        .extracting(answer -> answer.getReason())
        .containsOnly("fence: is an old one, or of another worker's attempt")
        .hasSize(2);
    assertThat(
            EDGE.call(WorkerServiceGrpc.getSetResultMethod(), results, WHOLE)
                .getAnswers(0)
                .getReason())
        .contains("secret-worker holds the task now");
    assertThat(EDGE.tasks.reports.getFirst().by()).isEqualTo(new ReportedBy("w", "limited"));
    assertThat(EDGE.tasks.reports.getLast().by()).isEqualTo(new ReportedBy("w", "whole"));
    assertThat(EDGE.tasks.beatenBy).containsExactly(Optional.of("limited"));
  }

  @Test
  void a_worker_of_another_caller_is_not_sent_away() throws Exception {
    ListenableFuture<NextWorkResponse> waits =
        WorkerServiceGrpc.newFutureStub(EDGE.as(WHOLE))
            .nextWork(
                NextWorkRequest.newBuilder()
                    .setWorker("w")
                    .addHandlers("a")
                    .setMaxTasks(1)
                    .build());
    ScriptedTasks.Poll poll = EDGE.tasks.nextPoll();

    call(WorkerServiceGrpc.getLeaveMethod(), "{\"worker\": \"w\"}");
    assertThat(poll.isEnded()).isFalse();
    EDGE.call(WorkerServiceGrpc.getLeaveMethod(), "{\"worker\": \"w\"}", WHOLE);

    poll.awaitEnd();
    assertThat(waits.get().getWorkList()).isEmpty();
  }

  @Test
  void a_schedule_that_keeps_a_target_of_others_is_not_changed() throws Exception {
    make(
        ScheduleServiceGrpc.getCreateScheduleMethod(),
        "{\"schedule\": {\"name\": \"night\", \"every\": \"60s\", \"target\": {\"handler\":"
            + " \"secret-handler\"}}}");
    MethodDescriptor<?, ?> update = ScheduleServiceGrpc.getUpdateScheduleMethod();

    assertDenied(
        update, "{\"schedule\": {\"name\": \"night\", \"target\": {\"text\": \"pay me\"}}}");
    assertDenied(update, "{\"schedule\": {\"name\": \"night\", \"every\": \"1s\"}}");
    call(update, "{\"schedule\": {\"name\": \"night\", \"target\": {\"handler\": \"a\"}}}");
  }

  private static void make(MethodDescriptor<?, ? extends Message> method, String json)
      throws IOException {
    EDGE.call(method, json, WHOLE);
  }
}
