package io.kairos.edge.cluster;

import static io.kairos.edge.task.RequestFields.instant;
import static io.kairos.edge.task.RequestFields.pageSize;

import io.grpc.BindableService;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import io.kairos.api.v1.Cluster;
import io.kairos.api.v1.ClusterServiceGrpc;
import io.kairos.api.v1.CountWaitingRequest;
import io.kairos.api.v1.CountWaitingResponse;
import io.kairos.api.v1.DrainWorkerRequest;
import io.kairos.api.v1.ListFiguresRequest;
import io.kairos.api.v1.ListFiguresResponse;
import io.kairos.api.v1.ListWorkersRequest;
import io.kairos.api.v1.ListWorkersResponse;
import io.kairos.api.v1.Worker;
import io.kairos.edge.call.ReadyNode;
import io.kairos.edge.call.SharedAnswer;
import io.kairos.edge.call.SharedAnswer.Keeping;
import io.kairos.edge.call.SharedAnswers;
import io.kairos.edge.call.StoreCalls;
import io.kairos.edge.refusal.CallRefusals;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.edge.refusal.Refusals;
import io.kairos.edge.task.RequestFields;
import io.kairos.engine.cluster.ClusterEdge;
import io.kairos.engine.cluster.WaitingSpan;
import io.kairos.engine.worker.WorkerPlace;
import io.kairos.engine.worker.WorkerView;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Shows all nodes together, and the workers, which it drains. Called on the connections' threads;
 * what asks the store moves to another thread. State and waiting are computed at most once in five
 * seconds, for all callers. To count a month may take most of a second: callers get the last count
 * meanwhile, if it is younger than a minute. A page of workers is computed once for all who ask for
 * the same one.
 */
public final class ClusterCalls implements BindableService {
  private static final Duration OLDEST_COUNT = Duration.ofMinutes(1);

  private final ReadyNode node;
  private final StoreCalls store;
  private final SharedAnswer<Cluster> state;
  private final Map<WaitingSpan, SharedAnswer<CountWaitingResponse>> waiting =
      new EnumMap<>(WaitingSpan.class);
  private final SharedAnswers<WorkerPage, ListWorkersResponse> workers;

  public ClusterCalls(ReadyNode node, StoreCalls store, InstantSource clock) {
    this.node = node;
    this.store = store;
    this.state =
        new SharedAnswer<>(
            store,
            clock,
            this::state,
            Keeping.<Cluster>fiveSeconds().withStopgaps(Cluster::getOwnOnly));
    this.workers = new SharedAnswers<>(store, clock, this::workers, Keeping.asItTook());
    for (WaitingSpan span : WaitingSpan.values()) {
      waiting.put(
          span,
          new SharedAnswer<>(
              store,
              clock,
              () -> ClusterAnswers.waiting(node.getCluster().waiting(span)),
              Keeping.<CountWaitingResponse>fiveSeconds().whileRenewed(OLDEST_COUNT)));
    }
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder(ClusterServiceGrpc.getServiceDescriptor())
        .addMethod(
            ClusterServiceGrpc.getGetClusterMethod(),
            ServerCalls.asyncUnaryCall((_, caller) -> state.to(caller)))
        .addMethod(ClusterServiceGrpc.getListFiguresMethod(), store.unary(this::figures))
        .addMethod(ClusterServiceGrpc.getCountWaitingMethod(), countWaiting())
        .addMethod(ClusterServiceGrpc.getListWorkersMethod(), listWorkers())
        .addMethod(ClusterServiceGrpc.getDrainWorkerMethod(), store.unary(this::drain))
        .build();
  }

  private Cluster state() {
    ClusterEdge cluster = node.getCluster();
    return ClusterAnswers.cluster(cluster.state(), cluster.self());
  }

  private ListFiguresResponse figures(ListFiguresRequest request) {
    return ClusterAnswers.figures(
        node.getCluster()
            .figures(request.hasAfter() ? instant("after", request.getAfter()) : null));
  }

  private ServerCallHandler<ListWorkersRequest, ListWorkersResponse> listWorkers() {
    return ServerCalls.asyncUnaryCall((request, caller) -> {
      WorkerPage page;
      try {
        page =
            new WorkerPage(
                WorkerPages.place(request.getPageToken()), pageSize(request.getPageSize()));
      } catch (InvalidField e) {
        caller.onError(CallRefusals.of(e));
        return;
      }
      workers.to(page, caller);
    });
  }

  private record WorkerPage(WorkerPlace after, int size) {}

  private ListWorkersResponse workers(WorkerPage page) {
    int size = page.size();
    List<WorkerView> found = node.getWorkers().list(page.after(), size + 1);
    List<WorkerView> shown = found.subList(0, Math.min(size, found.size()));
    ListWorkersResponse.Builder answer = ListWorkersResponse.newBuilder();
    shown.forEach(worker -> answer.addWorkers(ClusterAnswers.worker(worker)));
    if (found.size() > size) {
      answer.setNextPageToken(WorkerPages.token(shown.getLast().place()));
    }
    return answer.build();
  }

  private Worker drain(DrainWorkerRequest request) {
    String id = RequestFields.worker(request.getWorker());
    return node.getWorkers()
        .drain(id, !request.getUndo())
        .map(ClusterAnswers::worker)
        .orElseThrow(() ->
            CallRefusals.of(
                Refusals.notFound(
                    "worker: no worker of this id has asked for work in the last day; a worker that is new is"
                        + " known after some seconds")));
  }

  private ServerCallHandler<CountWaitingRequest, CountWaitingResponse> countWaiting() {
    return ServerCalls.asyncUnaryCall((request, caller) -> {
      @Nullable SharedAnswer<CountWaitingResponse> answer =
          switch (request.getSpan()) {
            case HOUR, SPAN_UNSPECIFIED -> waiting.get(WaitingSpan.HOUR);
            case DAY -> waiting.get(WaitingSpan.DAY);
            case MONTH -> waiting.get(WaitingSpan.MONTH);
            case UNRECOGNIZED -> null;
          };
      if (answer == null) {
        caller.onError(CallRefusals.of(new InvalidField("span", "must be HOUR, DAY or MONTH")));
      } else {
        answer.to(caller);
      }
    });
  }
}
