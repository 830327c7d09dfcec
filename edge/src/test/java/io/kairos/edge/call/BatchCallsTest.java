package io.kairos.edge.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.MethodDescriptor;
import io.kairos.api.v1.Batch;
import io.kairos.api.v1.BatchServiceGrpc;
import io.kairos.api.v1.CancelBatchResponse;
import io.kairos.api.v1.CreateBatchResponse;
import io.kairos.api.v1.ListBatchesResponse;
import io.kairos.api.v1.Task;
import io.kairos.api.v1.TaskServiceGrpc;
import io.kairos.domain.task.batch.BatchCounts;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.graph.OnFailure;
import io.kairos.domain.task.graph.TaskGraph;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.engine.task.edge.TaskSpec;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.InsertResult.BatchReason;
import io.kairos.engine.task.port.batch.BatchCancel;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Batches by gRPC and REST, and tasks that join them or wait for them. */
final class BatchCallsTest {
  @RegisterExtension static final Edge EDGE = new Edge();

  private static BatchId know(int number, BatchCounts counts) {
    BatchId id = new BatchId(ScriptedTasks.id(number).value());
    EDGE.tasks.batches.known.put(id, ScriptedBatches.view(id, new HandlerName("resize"), counts));
    return id;
  }

  private static <Q, A> A call(MethodDescriptor<Q, A> method, String json) throws IOException {
    return EDGE.call(method, json, null);
  }

  private static CreateBatchResponse create(String json) throws Exception {
    return call(BatchServiceGrpc.getCreateBatchMethod(), json);
  }

  @Test
  void a_batch_is_created_once_for_a_name() throws Exception {
    CreateBatchResponse first = create("{\"handler\": \"resize\", \"name\": \"import-42\"}");
    CreateBatchResponse again = create("{\"handler\": \"resize\", \"name\": \"import-42\"}");
    CreateBatchResponse ofPool = create("{\"handler\": \"pool:hooks\"}");

    assertThat(first.getExisted()).isFalse();
    assertThat(first.getBatch().getName()).isEqualTo("import-42");
    assertThat(first.getBatch().getPercent()).isEqualTo(100);
    assertThat(again.getExisted()).isTrue();
    assertThat(again.getBatch()).isEqualTo(first.getBatch());
    assertThat(ofPool.getBatch().getHandler()).isEqualTo("pool:hooks");
    assertThat(EDGE.tasks.batches.known.lastEntry().getValue().handler())
        .isEqualTo(new PoolName("hooks"));
  }

  @Test
  void no_batch_is_created_while_older_nodes_run() {
    EDGE.tasks.batches.olderNodes.set(Optional.of(2));

    assertThatThrownBy(() -> create("{\"handler\": \"resize\"}"))
        .hasMessageContaining("FAILED_PRECONDITION: batches may be created")
        .hasMessageContaining("nodes run that may not: 2");
  }

  @Test
  void a_batch_is_shown_with_its_counts_and_closed() throws Exception {
    BatchId id = know(1, new BatchCounts(10, 4, 1, 2, 1));
    String json = "{\"id\": \"%s\"}".formatted(id);

    Batch shown = call(BatchServiceGrpc.getGetBatchMethod(), json);
    Batch closed = call(BatchServiceGrpc.getCloseBatchMethod(), json);

    assertThat(shown.getCounts())
        .isEqualTo(
            Batch.Counts.newBuilder()
                .setTotal(10)
                .setUnfinished(2)
                .setSucceeded(4)
                .setFailed(1)
                .setCancelled(2)
                .setDead(1)
                .build());
    assertThat(shown.getPercent()).isEqualTo(80);
    assertThat(shown.hasClosedAt()).isFalse();
    assertThat(shown.getState()).isEqualTo(Task.State.STATE_UNSPECIFIED);
    assertThat(closed.hasClosedAt()).isTrue();
    assertThatThrownBy(() ->
            call(
                BatchServiceGrpc.getGetBatchMethod(),
                "{\"id\": \"%s\"}".formatted(ScriptedTasks.id(9))))
        .hasMessageContaining("NOT_FOUND: id: there is no batch with this id");
  }

  @Test
  void batches_are_listed_by_pages() throws Exception {
    BatchId first = know(1, BatchCounts.NONE);
    BatchId second = know(2, BatchCounts.NONE);

    ListBatchesResponse page = call(BatchServiceGrpc.getListBatchesMethod(), "{\"pageSize\": 1}");
    ListBatchesResponse rest =
        call(
            BatchServiceGrpc.getListBatchesMethod(),
            "{\"pageSize\": 1, \"pageToken\": \"%s\"}".formatted(page.getNextPageToken()));

    assertThat(page.getBatches(0).getId()).isEqualTo(second.toString());
    assertThat(rest.getBatches(0).getId()).isEqualTo(first.toString());
    assertThat(rest.getNextPageToken()).isEmpty();
  }

  @Test
  void a_cancel_closes_the_batch_and_says_where_to_go_on() throws Exception {
    BatchId id = know(1, new BatchCounts(5, 0, 0, 0, 0));
    EDGE.tasks.batches.cancelled.set(new BatchCancel(3, ScriptedTasks.id(7)));

    CancelBatchResponse answer =
        call(
            BatchServiceGrpc.getCancelBatchMethod(),
            "{\"id\": \"%s\", \"limit\": 3}".formatted(id));

    assertThat(answer.getCount()).isEqualTo(3);
    assertThat(answer.getMore()).isTrue();
    assertThat(answer.getNextBefore()).isEqualTo(ScriptedTasks.id(7).toString());
    assertThat(EDGE.tasks.batches.known.get(id).closedAt()).isNotNull();
  }

  @Test
  void a_task_joins_a_batch_and_waits_for_another() throws Exception {
    BatchId own = know(1, BatchCounts.NONE);
    BatchId other = know(2, BatchCounts.NONE);

    call(
        TaskServiceGrpc.getScheduleTaskMethod(),
        """
        {"handler": "resize", "batch": "%s", "after": [{"batch": "%s", "onFailure": "CONTINUE"}]}
        """
            .formatted(own, other));

    TaskSpec spec = EDGE.tasks.scheduled.getFirst();
    assertThat(spec.batch()).isEqualTo(own);
    assertThat(spec.after())
        .containsExactly(
            new TaskSpec.After(new TaskGraph.Predecessor.OfBatch(other), OnFailure.CONTINUE));
  }

  @Test
  void a_refusal_names_the_task_and_says_why() {
    assertRefused(BatchReason.UNKNOWN, "NOT_FOUND: tasks[1].batch: there is no batch");
    assertRefused(BatchReason.CLOSED, "FAILED_PRECONDITION: tasks[1].batch: the batch is closed");
    assertRefused(BatchReason.FULL, "FAILED_PRECONDITION: tasks[1].batch: the batch would have");
    assertRefused(
        BatchReason.OF_OTHER_HANDLER,
        "INVALID_ARGUMENT: tasks[1].batch: must be a batch of the task's handler");
  }

  private static void assertRefused(BatchReason reason, String message) {
    BatchId id = new BatchId(ScriptedTasks.id(1).value());
    EDGE.tasks.insertResult = Optional.of(new InsertResult.NotInBatch(1, id, reason));
    String task = "{\"handler\": \"resize\", \"batch\": \"%s\"}".formatted(id);

    assertThatThrownBy(() ->
            call(
                TaskServiceGrpc.getBatchScheduleTasksMethod(),
                "{\"tasks\": [%s, %s]}".formatted(task, task)))
        .hasMessageContaining(message);
  }

  @Test
  void an_unknown_batch_that_is_to_be_awaited_is_named_by_its_field() {
    EDGE.tasks.insertResult =
        Optional.of(new InsertResult.UnknownPredecessor(0, ScriptedTasks.id(9)));

    assertThatThrownBy(() ->
            call(
                TaskServiceGrpc.getScheduleTaskMethod(),
                "{\"handler\": \"h\", \"after\": [{\"batch\": \"%s\"}]}"
                    .formatted(ScriptedTasks.id(9))))
        .hasMessageContaining("NOT_FOUND: after[0].batch: there is no batch with this id");
  }

  @Test
  void batches_have_their_paths_of_rest_and_are_in_the_audit_log() throws Exception {
    BatchId id = know(1, BatchCounts.NONE);

    assertThat(
            EDGE.send(
                    HttpRequest.newBuilder(EDGE.uri("/v1/batches/" + id + ":close"))
                        .header("content-type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString("{}")))
                .statusCode())
        .isEqualTo(200);
    assertThat(EDGE.send(HttpRequest.newBuilder(EDGE.uri("/v1/batches/" + id))).body())
        .contains("\"percent\":100");
    assertThat(EDGE.audit.entries().getFirst().call().action()).isEqualTo("CloseBatch");
    assertThat(EDGE.audit.entries().getFirst().call().object()).isEqualTo(id.toString());
    assertThat(EDGE.audit.entries().getFirst().call().kind()).isEqualTo("batch");
  }
}
