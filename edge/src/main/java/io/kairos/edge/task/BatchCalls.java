package io.kairos.edge.task;

import static io.kairos.api.text.GivenValue.ifGiven;
import static io.kairos.api.v1.BatchServiceGrpc.getCancelBatchMethod;
import static io.kairos.api.v1.BatchServiceGrpc.getCloseBatchMethod;
import static io.kairos.api.v1.BatchServiceGrpc.getCreateBatchMethod;
import static io.kairos.api.v1.BatchServiceGrpc.getGetBatchMethod;
import static io.kairos.api.v1.BatchServiceGrpc.getListBatchesMethod;
import static io.kairos.api.v1.BatchServiceGrpc.getServiceDescriptor;
import static io.kairos.edge.refusal.InvalidField.reading;

import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.Access.Kind;
import io.kairos.api.v1.Batch;
import io.kairos.api.v1.CancelBatchRequest;
import io.kairos.api.v1.CancelBatchResponse;
import io.kairos.api.v1.CloseBatchRequest;
import io.kairos.api.v1.CreateBatchRequest;
import io.kairos.api.v1.CreateBatchResponse;
import io.kairos.api.v1.GetBatchRequest;
import io.kairos.api.v1.ListBatchesRequest;
import io.kairos.api.v1.ListBatchesResponse;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.batch.BatchCounts;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.batch.BatchName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.edge.call.ReadyNode;
import io.kairos.edge.call.StoreCalls;
import io.kairos.edge.caller.PresentCaller;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.edge.refusal.Refusals;
import io.kairos.engine.task.port.batch.BatchCancel;
import io.kairos.engine.task.port.batch.BatchCreation;
import io.kairos.engine.task.port.batch.BatchQuery;
import io.kairos.engine.task.port.batch.BatchView;
import java.util.List;

/**
 * Serves calls about batches. Called on the connections' threads; every call moves to another
 * thread, where it may wait for the store.
 */
public final class BatchCalls implements BindableService {
  private static final int MOST_CANCELLED = 1_000;

  private final ReadyNode node;
  private final StoreCalls store;

  public BatchCalls(ReadyNode node, StoreCalls store) {
    this.node = node;
    this.store = store;
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder(getServiceDescriptor())
        .addMethod(getCreateBatchMethod(), store.unary(this::create))
        .addMethod(getGetBatchMethod(), store.unary(this::get))
        .addMethod(getListBatchesMethod(), store.unary(this::list))
        .addMethod(getCloseBatchMethod(), store.unary(this::close))
        .addMethod(getCancelBatchMethod(), store.unary(this::cancel))
        .build();
  }

  private CreateBatchResponse create(CreateBatchRequest request) {
    TaskHandler handler = RequestFields.handler("handler", request.getHandler());
    BatchName name =
        request.getName().isEmpty()
            ? null
            : reading(
                "name", "must have " + BatchName.RULE, () -> new BatchName(request.getName()));
    return switch (node.get().batches().create(handler, name, PresentCaller.name())) {
      case BatchCreation.Stored(BatchView batch, boolean isNew) ->
          CreateBatchResponse.newBuilder().setBatch(batch(batch)).setExisted(!isNew).build();
      case BatchCreation.OlderNodes(int nodes) ->
          throw Refusals.notInState(
              "batches may be created when all nodes know them, and nodes run that may not: "
                  + nodes
                  + "; stop them, or replace them by this version first");
    };
  }

  private Batch get(GetBatchRequest request) {
    return batch(found(RequestFields.batchId("id", request.getId())));
  }

  /** Before a batch is changed: only its row says whether the caller may use it. */
  private BatchView found(BatchId id) {
    BatchView view =
        node.get()
            .batches()
            .find(id)
            .orElseThrow(() ->
                Refusals.notFound("id: there is no batch with this id, or it has been pruned"));
    PresentCaller.requireFound(Kind.HANDLER, view.handler().wireName(), "id");
    return view;
  }

  private ListBatchesResponse list(ListBatchesRequest request) {
    int size = RequestFields.pageSize(request.getPageSize());
    TaskHandler handler = RequestFields.handlerOrAny("handler", request.getHandler());
    String token = request.getPageToken();
    BatchId before = token.isEmpty() ? null : RequestFields.batchId("page_token", token);
    List<BatchView> found = node.get().batches().list(new BatchQuery(handler, before, size + 1));
    ListBatchesResponse.Builder answer = ListBatchesResponse.newBuilder();
    found.stream().limit(size).forEach(view -> answer.addBatches(batch(view)));
    if (found.size() > size) {
      answer.setNextPageToken(found.get(size - 1).id().toString());
    }
    return answer.build();
  }

  private Batch close(CloseBatchRequest request) {
    BatchId id = RequestFields.batchId("id", request.getId());
    found(id);
    node.get().batches().close(id);
    return batch(found(id));
  }

  private CancelBatchResponse cancel(CancelBatchRequest request) {
    BatchId id = RequestFields.batchId("id", request.getId());
    int limit = request.getLimit() == 0 ? MOST_CANCELLED : request.getLimit();
    InvalidField.require(
        limit >= 1 && limit <= MOST_CANCELLED,
        "limit",
        "must be 1 to %,d".formatted(MOST_CANCELLED));
    TaskId before =
        request.getBefore().isEmpty() ? null : RequestFields.id("before", request.getBefore());
    found(id);
    node.get().batches().close(id);
    BatchCancel cancelled = node.get().batches().cancel(id, before, limit);
    CancelBatchResponse.Builder answer =
        CancelBatchResponse.newBuilder().setCount(cancelled.count());
    ifGiven(cancelled.next(), next -> answer.setMore(true).setNextBefore(next.toString()));
    return answer.build();
  }

  private static Batch batch(BatchView view) {
    Batch.Builder batch =
        Batch.newBuilder()
            .setId(view.id().toString())
            .setHandler(view.handler().wireName())
            .setCreatedAt(ProtoTime.of(view.createdAt()))
            .setCounts(counts(view.counts()))
            .setPercent(view.counts().percent());
    ifGiven(view.name(), name -> batch.setName(name.value()));
    ifGiven(view.createdBy(), batch::setCreatedBy);
    ifGiven(view.closedAt(), at -> batch.setClosedAt(ProtoTime.of(at)));
    ifGiven(view.end(), end -> batch.setState(TaskAnswers.STATES.write(end)));
    ifGiven(view.completedAt(), at -> batch.setCompletedAt(ProtoTime.of(at)));
    return batch.build();
  }

  private static Batch.Counts counts(BatchCounts counts) {
    return Batch.Counts.newBuilder()
        .setTotal((int) counts.total())
        .setUnfinished((int) counts.unfinished())
        .setSucceeded((int) counts.succeeded())
        .setFailed((int) counts.failed())
        .setCancelled((int) counts.cancelled())
        .setDead((int) counts.dead())
        .build();
  }
}
