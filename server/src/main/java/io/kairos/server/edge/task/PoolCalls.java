package io.kairos.server.edge.task;

import static io.kairos.server.edge.refusal.InvalidField.require;

import io.grpc.stub.StreamObserver;
import io.kairos.api.v1.CompleteExecutionRequest;
import io.kairos.api.v1.CompleteExecutionResponse;
import io.kairos.api.v1.CreatePoolRequest;
import io.kairos.api.v1.DeletePoolRequest;
import io.kairos.api.v1.DeletePoolResponse;
import io.kairos.api.v1.FailExecutionRequest;
import io.kairos.api.v1.FailExecutionResponse;
import io.kairos.api.v1.GetPoolRequest;
import io.kairos.api.v1.HeartbeatExecutionRequest;
import io.kairos.api.v1.HeartbeatExecutionResponse;
import io.kairos.api.v1.ListPoolsRequest;
import io.kairos.api.v1.ListPoolsResponse;
import io.kairos.api.v1.Pool;
import io.kairos.api.v1.PoolServiceGrpc;
import io.kairos.api.v1.RegisterEndpointRequest;
import io.kairos.api.v1.RegisterEndpointResponse;
import io.kairos.api.v1.RotateKeyRequest;
import io.kairos.api.v1.UnregisterEndpointRequest;
import io.kairos.api.v1.UnregisterEndpointResponse;
import io.kairos.api.v1.UpdatePoolRequest;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.Outcome;
import io.kairos.domain.task.PoolName;
import io.kairos.engine.pool.port.PoolStore;
import io.kairos.engine.pool.port.PoolStore.Created;
import io.kairos.engine.pool.port.StoredPool;
import io.kairos.engine.task.HeartbeatResult;
import io.kairos.engine.task.Report;
import io.kairos.engine.task.ReportResult;
import io.kairos.engine.task.TaskEdge;
import io.kairos.engine.task.port.Beat;
import io.kairos.server.edge.refusal.InvalidField;
import io.kairos.server.edge.refusal.Refusals;
import io.kairos.server.push.PoolEdge;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Pools: operators set them up, workers register with them, and end what goes on after its answer.
 * Called on the connections' threads; what waits for the store does not stay there.
 */
public final class PoolCalls extends PoolServiceGrpc.PoolServiceImplBase {
  private static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);
  private static final Duration DEFAULT_OVERLAP = Duration.ofHours(24);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final ReadyNode node;
  private final StoreCalls store;

  public PoolCalls(ReadyNode node, StoreCalls store) {
    this.node = node;
    this.store = store;
  }

  @Override
  public void createPool(CreatePoolRequest request, StreamObserver<Pool> caller) {
    PoolEdge edge = node.getPools();
    io.kairos.domain.pool.Pool pool = PoolRequests.create(request, edge.allowed());
    store.answer(
        caller,
        () -> {
          Created created = edge.pools().create(pool, edge.newSecret());
          switch (created) {
            case TAKEN -> throw Refusals.exists("pool.name: there is a pool " + pool.name());
            case FULL ->
                throw Refusals.notInState(
                    "pool: there are as many pools as there may be, " + PoolStore.MOST_POOLS);
            case YES -> edge.poolsChanged();
          }
          return PoolAnswers.pool(found(edge, "pool.name", pool.name()), List.of(), true);
        });
  }

  private static StoredPool found(PoolEdge edge, String field, PoolName name) {
    return edge.pools()
        .find(name)
        .orElseThrow(() -> PoolTargets.missing(edge.pools(), field, name));
  }

  @Override
  public void getPool(GetPoolRequest request, StreamObserver<Pool> caller) {
    PoolEdge edge = node.getPools();
    PoolName name = PoolRequests.name("name", request.getName());
    store.answer(
        caller, () -> PoolAnswers.pool(found(edge, "name", name), edge.endpoints(name), false));
  }

  @Override
  public void listPools(ListPoolsRequest request, StreamObserver<ListPoolsResponse> caller) {
    PoolEdge edge = node.getPools();
    int size = Fields.pageSize(request.getPageSize());
    PoolName after = PoolRequests.after(request);
    store.answer(
        caller,
        () -> {
          List<StoredPool> pools = edge.pools().list(after, size + 1);
          List<StoredPool> shown = pools.subList(0, Math.min(size, pools.size()));
          ListPoolsResponse.Builder answer = ListPoolsResponse.newBuilder();
          for (StoredPool one : shown) {
            answer.addPools(PoolAnswers.pool(one, edge.endpoints(one.pool().name()), false));
          }
          if (pools.size() > shown.size()) {
            answer.setNextPageToken(shown.getLast().pool().name().value());
          }
          return answer.build();
        });
  }

  @Override
  public void updatePool(UpdatePoolRequest request, StreamObserver<Pool> caller) {
    PoolEdge edge = node.getPools();
    PoolName name = PoolRequests.name("pool.name", request.getPool().getName());
    UnaryOperator<io.kairos.domain.pool.Pool> change = PoolRequests.change(request, edge.allowed());
    store.answer(
        caller,
        () -> {
          StoredPool changed =
              edge.pools()
                  .update(name, change)
                  .orElseThrow(() -> PoolTargets.missing(edge.pools(), "pool.name", name));
          edge.poolsChanged();
          return PoolAnswers.pool(changed, edge.endpoints(name), false);
        });
  }

  @Override
  public void deletePool(DeletePoolRequest request, StreamObserver<DeletePoolResponse> caller) {
    PoolEdge edge = node.getPools();
    PoolName name = PoolRequests.name("name", request.getName());
    store.answer(
        caller,
        () -> {
          if (!edge.pools().delete(name)) {
            throw PoolTargets.missing(edge.pools(), "name", name);
          }
          edge.poolsChanged();
          return DeletePoolResponse.getDefaultInstance();
        });
  }

  @Override
  public void registerEndpoint(
      RegisterEndpointRequest request, StreamObserver<RegisterEndpointResponse> caller) {
    PoolEdge edge = node.getPools();
    PoolName name = PoolRequests.name("pool", request.getPool());
    EndpointUrl url = PoolRequests.url("url", request.getUrl(), edge.allowed());
    Duration lease =
        PoolRequests.length(
            "lease",
            request.hasLease(),
            request.getLease(),
            DEFAULT_LEASE,
            SECOND,
            Duration.ofHours(1));
    store.answer(
        caller,
        () -> {
          switch (edge.pools().register(name, url, lease)) {
            case NO_POOL -> throw PoolTargets.missing(edge.pools(), "pool", name);
            case OTHER_KIND ->
                throw Refusals.notInState("pool: its endpoints do not register themselves");
            case FULL ->
                throw Refusals.notInState(
                    "pool: it has as many endpoints as it may have, "
                        + io.kairos.domain.pool.Pool.MOST_ENDPOINTS);
            case NEW -> edge.poolsChanged();
            case RENEWED -> {}
          }
          return RegisterEndpointResponse.getDefaultInstance();
        });
  }

  @Override
  public void unregisterEndpoint(
      UnregisterEndpointRequest request, StreamObserver<UnregisterEndpointResponse> caller) {
    PoolEdge edge = node.getPools();
    PoolName name = PoolRequests.name("pool", request.getPool());
    EndpointUrl url = PoolRequests.url("url", request.getUrl(), edge.allowed());
    store.answer(
        caller,
        () -> {
          if (edge.pools().unregister(name, url)) {
            edge.poolsChanged();
          }
          return UnregisterEndpointResponse.getDefaultInstance();
        });
  }

  @Override
  public void rotateKey(RotateKeyRequest request, StreamObserver<Pool> caller) {
    PoolEdge edge = node.getPools();
    PoolName name = PoolRequests.name("pool", request.getPool());
    Duration overlap =
        request.hasOverlap()
            ? Fields.duration("overlap", request.getOverlap(), Fields.YEAR)
            : DEFAULT_OVERLAP;
    store.answer(
        caller,
        () -> {
          StoredPool rotated =
              edge.pools()
                  .rotate(name, edge.newSecret(), overlap)
                  .orElseThrow(() -> PoolTargets.missing(edge.pools(), "pool", name));
          edge.poolsChanged();
          return PoolAnswers.pool(rotated, edge.endpoints(name), true);
        });
  }

  @Override
  public void completeExecution(
      CompleteExecutionRequest request, StreamObserver<CompleteExecutionResponse> caller) {
    end(
        request.getToken(),
        new Outcome.Succeeded(WorkerRequests.kept(request.getResult())),
        new Reply<>(caller, counted(CompleteExecutionResponse.getDefaultInstance())));
  }

  @Override
  public void failExecution(
      FailExecutionRequest request, StreamObserver<FailExecutionResponse> caller) {
    require(
        !(request.getFatal() && request.hasRetryAfter()),
        "retry_after",
        "must not be given together with fatal");
    end(
        request.getToken(),
        failure(request),
        new Reply<>(caller, counted(FailExecutionResponse.getDefaultInstance())));
  }

  private static Outcome failure(FailExecutionRequest request) {
    String error = WorkerRequests.kept(request.getError());
    if (request.getFatal()) {
      return new Outcome.Failed(error);
    }
    return request.hasRetryAfter()
        ? new Outcome.RetryAfter(
            error, Fields.duration("retry_after", request.getRetryAfter(), Fields.YEAR))
        : new Outcome.RetryLater(error);
  }

  private void end(String token, Outcome outcome, Reply<List<ReportResult>, ?> reply) {
    TaskEdge tasks = node.get();
    if (!tasks.report(List.of(new Report(task(token), outcome)), reply)) {
      throw Refusals.tooMuch();
    }
  }

  private FencedTask task(String token) {
    return node.getPools()
        .tokens()
        .read(token)
        .orElseThrow(
            () -> new InvalidField("token", "must be that of a request, whole and unchanged"));
  }

  private static <A> Function<List<ReportResult>, A> counted(A answer) {
    return results -> {
      if (results.getFirst() instanceof ReportResult.Accepted) {
        return answer;
      }
      throw old();
    };
  }

  private static RuntimeException old() {
    return Refusals.notInState(
        "token: is of an attempt that has ended or was given up; another may be under way");
  }

  @Override
  public void heartbeatExecution(
      HeartbeatExecutionRequest request, StreamObserver<HeartbeatExecutionResponse> caller) {
    TaskEdge tasks = node.get();
    Duration lease =
        PoolRequests.length(
            "lease",
            request.hasLease(),
            request.getLease(),
            io.kairos.domain.pool.Pool.DEFAULT_COMPLETION_TIMEOUT,
            SECOND,
            io.kairos.domain.pool.Pool.LONGEST_COMPLETION);
    Reply<List<HeartbeatResult>, HeartbeatExecutionResponse> reply =
        new Reply<>(caller, results -> beaten(results.getFirst().beat()));
    if (!tasks.heartbeat(List.of(task(request.getToken())), lease, reply)) {
      throw Refusals.tooMuch();
    }
  }

  private static HeartbeatExecutionResponse beaten(Beat beat) {
    if (beat == Beat.LOST) {
      throw old();
    }
    return HeartbeatExecutionResponse.newBuilder()
        .setCancelRequested(beat == Beat.CANCEL_REQUESTED)
        .build();
  }
}
