package io.kairos.edge.task;

import static io.grpc.stub.ServerCalls.asyncUnaryCall;
import static io.kairos.api.v1.PoolServiceGrpc.getCompleteExecutionMethod;
import static io.kairos.api.v1.PoolServiceGrpc.getCreatePoolMethod;
import static io.kairos.api.v1.PoolServiceGrpc.getDeletePoolMethod;
import static io.kairos.api.v1.PoolServiceGrpc.getFailExecutionMethod;
import static io.kairos.api.v1.PoolServiceGrpc.getGetPoolMethod;
import static io.kairos.api.v1.PoolServiceGrpc.getHeartbeatExecutionMethod;
import static io.kairos.api.v1.PoolServiceGrpc.getListPoolsMethod;
import static io.kairos.api.v1.PoolServiceGrpc.getRegisterEndpointMethod;
import static io.kairos.api.v1.PoolServiceGrpc.getRotateKeyMethod;
import static io.kairos.api.v1.PoolServiceGrpc.getServiceDescriptor;
import static io.kairos.api.v1.PoolServiceGrpc.getSnoozeExecutionMethod;
import static io.kairos.api.v1.PoolServiceGrpc.getUnregisterEndpointMethod;
import static io.kairos.api.v1.PoolServiceGrpc.getUpdatePoolMethod;
import static io.kairos.edge.refusal.InvalidField.require;
import static io.kairos.edge.task.RequestFields.duration;
import static io.kairos.edge.task.RequestFields.pageSize;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.kairos.api.v1.Access.Kind;
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
import io.kairos.api.v1.RegisterEndpointRequest;
import io.kairos.api.v1.RegisterEndpointResponse;
import io.kairos.api.v1.RotateKeyRequest;
import io.kairos.api.v1.SnoozeExecutionRequest;
import io.kairos.api.v1.SnoozeExecutionResponse;
import io.kairos.api.v1.UnregisterEndpointRequest;
import io.kairos.api.v1.UnregisterEndpointResponse;
import io.kairos.api.v1.UpdatePoolRequest;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.edge.call.AuditedText;
import io.kairos.edge.call.CallReply;
import io.kairos.edge.call.EntityTag;
import io.kairos.edge.call.ReadyNode;
import io.kairos.edge.call.StoreCalls;
import io.kairos.edge.call.WaitingItems;
import io.kairos.edge.caller.CallerScope;
import io.kairos.edge.caller.PresentCaller;
import io.kairos.edge.refusal.CallRefusals;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.edge.refusal.Refusals;
import io.kairos.engine.audit.AuditedCall;
import io.kairos.engine.cluster.DetailFigures.Endpoint;
import io.kairos.engine.cluster.DetailFigures.EndpointWork;
import io.kairos.engine.pool.PoolEdge;
import io.kairos.engine.pool.port.PoolStore;
import io.kairos.engine.pool.port.PoolStore.Created;
import io.kairos.engine.pool.port.StoredPool;
import io.kairos.engine.task.edge.AttemptReport;
import io.kairos.engine.task.edge.HeartbeatResult;
import io.kairos.engine.task.edge.ReportResult;
import io.kairos.engine.task.edge.TaskEdge;
import io.kairos.engine.task.port.HeartbeatFinding;
import io.kairos.engine.task.port.LeaseRenewal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Serves calls about pools. Operators create and change pools; endpoints register themselves, and
 * report the outcome of executions that outlast the HTTP answer. Calls that end or extend an
 * execution are answered on the connections' threads, the others wait for the store on another
 * thread.
 */
public record PoolCalls(
    ReadyNode node, StoreCalls store, WaitingItems heartbeats, WaitingItems results)
    implements BindableService {
  private static final Duration DEFAULT_OVERLAP = Duration.ofHours(24);
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder(getServiceDescriptor())
        .addMethod(getCreatePoolMethod(), store.unary(this::createPool))
        .addMethod(getGetPoolMethod(), store.unary(this::getPool))
        .addMethod(getListPoolsMethod(), store.unary(this::listPools))
        .addMethod(getUpdatePoolMethod(), store.unary(this::updatePool))
        .addMethod(getDeletePoolMethod(), store.unary(this::deletePool))
        .addMethod(getRegisterEndpointMethod(), store.unary(this::registerEndpoint))
        .addMethod(getUnregisterEndpointMethod(), store.unary(this::unregisterEndpoint))
        .addMethod(getRotateKeyMethod(), store.unary(this::rotateKey))
        .addMethod(getCompleteExecutionMethod(), asyncUnaryCall(this::completeExecution))
        .addMethod(getFailExecutionMethod(), asyncUnaryCall(this::failExecution))
        .addMethod(getSnoozeExecutionMethod(), asyncUnaryCall(this::snoozeExecution))
        .addMethod(getHeartbeatExecutionMethod(), asyncUnaryCall(this::heartbeatExecution))
        .build();
  }

  private Pool createPool(CreatePoolRequest request) {
    PoolEdge edge = node.getPools();
    io.kairos.domain.pool.Pool pool = PoolRequests.create(request, edge.allowed());
    Created created = edge.pools().create(pool, edge.newSecret());
    switch (created) {
      case TAKEN ->
          throw CallRefusals.of(Refusals.exists("pool.name: there is a pool " + pool.name()));
      case FULL ->
          throw CallRefusals.of(
              Refusals.notInState(
                  "pool: there are as many pools as there may be, " + PoolStore.MOST_POOLS));
      case YES -> edge.poolsChanged();
    }
    return PoolAnswers.pool(
        known("pool.name", pool.name(), edge.pools().find(pool.name())), List.of(), Map.of(), true);
  }

  /** The work of all nodes with endpoints. */
  private Map<Endpoint, EndpointWork> work() {
    return node.lastMinute().endpoints();
  }

  private StoredPool known(String field, PoolName name, Optional<StoredPool> stored) {
    return stored.orElseThrow(() -> PoolTargets.missing(node.getPools().pools(), field, name));
  }

  private Pool getPool(GetPoolRequest request) {
    PoolEdge edge = node.getPools();
    PoolName name = PoolRequests.name("name", request.getName());
    StoredPool stored = known("name", name, edge.pools().find(name));
    return PoolAnswers.pool(stored, edge.endpoints(name), work(), false);
  }

  private ListPoolsResponse listPools(ListPoolsRequest request) {
    PoolEdge edge = node.getPools();
    int size = pageSize(request.getPageSize());
    CallerScope scope = PresentCaller.scope();
    // Whoever may name some only gets a page of these, whose last one is the token of the next.
    int read = scope.isWhole() ? size + 1 : PoolStore.MOST_POOLS;
    NavigableMap<String, Runnable> page = new TreeMap<>(); // by name, as the store lists them
    Map<Endpoint, EndpointWork> work = work();
    ListPoolsResponse.Builder answer = ListPoolsResponse.newBuilder();
    edge.pools()
        .list(
            PoolRequests.after(request),
            read,
            (name, why) ->
                page.put(
                    name.value(), () -> answer.addUnreadable(PoolAnswers.unreadable(name, why))))
        .forEach(one -> {
          PoolName name = one.pool().name();
          page.put(
              name.value(),
              () -> answer.addPools(PoolAnswers.pool(one, edge.endpoints(name), work, false)));
        });
    page.keySet().removeIf(name -> !scope.covers(Kind.POOL, name));
    if (page.size() > size) {
      while (page.size() > size) {
        page.pollLastEntry();
      }
      answer.setNextPageToken(page.lastKey());
    }
    page.values().forEach(Runnable::run);
    return answer.build();
  }

  private Pool updatePool(UpdatePoolRequest request) {
    PoolEdge edge = node.getPools();
    PoolName name = PoolRequests.name("pool.name", request.getPool().getName());
    UnaryOperator<io.kairos.domain.pool.Pool> change = PoolRequests.change(request, edge.allowed());
    StoredPool changed =
        known(
            "pool.name",
            name,
            edge.pools()
                .update(
                    name,
                    before -> {
                      EntityTag.require(
                          request.getPool().getEtag(), PoolAnswers.tag(before), "the pool " + name);
                      return change.apply(before);
                    }));
    edge.poolsChanged();
    return PoolAnswers.pool(changed, edge.endpoints(name), work(), false);
  }

  private DeletePoolResponse deletePool(DeletePoolRequest request) {
    PoolEdge edge = node.getPools();
    PoolName name = PoolRequests.name("name", request.getName());
    if (!edge.pools().delete(name)) {
      throw PoolTargets.missing(edge.pools(), "name", name);
    }
    edge.poolsChanged();
    return DeletePoolResponse.getDefaultInstance();
  }

  private RegisterEndpointResponse registerEndpoint(RegisterEndpointRequest request) {
    PoolEdge edge = node.getPools();
    PoolName name = PoolRequests.name("pool", request.getPool());
    EndpointUrl url = PoolRequests.url("url", request.getUrl(), edge.allowed());
    Duration lease =
        duration(
            request,
            "lease",
            SECOND,
            Duration.ofHours(1),
            io.kairos.domain.pool.Pool.DEFAULT_LEASE);
    switch (edge.pools().register(name, url, lease)) {
      case NO_POOL -> throw PoolTargets.missing(edge.pools(), "pool", name);
      case OTHER_KIND ->
          throw CallRefusals.of(
              Refusals.notInState("pool: its endpoints do not register themselves"));
      case NEEDS_TLS ->
          throw new InvalidField("url", "must be " + io.kairos.domain.pool.Pool.TLS_URL_RULE);
      case FULL ->
          throw CallRefusals.of(
              Refusals.notInState(
                  "pool: it has as many endpoints as it may have, "
                      + io.kairos.domain.pool.Pool.MOST_ENDPOINTS));
      case NEW -> {
        edge.poolsChanged();
        recordChange("RegisterEndpoint", name, url);
      }
      case RENEWED -> {}
    }
    return RegisterEndpointResponse.getDefaultInstance();
  }

  private UnregisterEndpointResponse unregisterEndpoint(UnregisterEndpointRequest request) {
    PoolEdge edge = node.getPools();
    PoolName name = PoolRequests.name("pool", request.getPool());
    EndpointUrl url = PoolRequests.url("url", request.getUrl(), edge.allowed());
    if (edge.pools().unregister(name, url)) {
      edge.poolsChanged();
      recordChange("UnregisterEndpoint", name, url);
    }
    return UnregisterEndpointResponse.getDefaultInstance();
  }

  /**
   * Workers register again and again, so only what has changed the pool has an entry in the audit
   * log. The path of the URL is left out, because it may be a secret.
   */
  private void recordChange(String action, PoolName pool, EndpointUrl url) {
    String caller = PresentCaller.name();
    node.getAudit()
        .changed(
            new AuditedCall(
                caller == null ? null : AuditedText.plain(caller),
                AuditedText.plain(PresentCaller.address(ServiceRequestContext.current())),
                action,
                "pool",
                pool.value(),
                "endpoint=" + url.authority()),
            Status.Code.OK.name());
  }

  private Pool rotateKey(RotateKeyRequest request) {
    PoolEdge edge = node.getPools();
    PoolName name = PoolRequests.name("name", request.getName());
    Duration overlap = duration(request, "overlap", RequestFields.YEAR, DEFAULT_OVERLAP);
    StoredPool rotated = known("name", name, edge.pools().rotate(name, edge.newSecret(), overlap));
    edge.poolsChanged();
    return PoolAnswers.pool(rotated, edge.endpoints(name), work(), true);
  }

  private void completeExecution(
      CompleteExecutionRequest request, StreamObserver<CompleteExecutionResponse> caller) {
    require(
        request.getResult().isEmpty() || !request.hasValue(),
        "value",
        "must not be given together with result");
    end(
        request.getToken(),
        request.hasValue()
            ? new AttemptOutcome.Succeeded(WorkerRequests.result("value", request.getValue()))
            : new AttemptOutcome.Succeeded(WorkerRequests.kept(request.getResult())),
        new CallReply<>(caller, counted(CompleteExecutionResponse.getDefaultInstance())));
  }

  private void failExecution(
      FailExecutionRequest request, StreamObserver<FailExecutionResponse> caller) {
    require(
        !(request.getFatal() && request.hasRetryAfter()),
        "retry_after",
        "must not be given together with fatal");
    end(
        request.getToken(),
        failure(request),
        new CallReply<>(caller, counted(FailExecutionResponse.getDefaultInstance())));
  }

  private void snoozeExecution(
      SnoozeExecutionRequest request, StreamObserver<SnoozeExecutionResponse> caller) {
    end(
        request.getToken(),
        WorkerRequests.snoozed("delay", request.hasDelay(), request.getDelay()),
        new CallReply<>(caller, counted(SnoozeExecutionResponse.getDefaultInstance())));
  }

  private static AttemptOutcome failure(FailExecutionRequest request) {
    String error = WorkerRequests.kept(request.getError());
    String errorClass = WorkerRequests.keptClass(request.getErrorClass());
    String stack = WorkerRequests.keptStack(request.getStack());
    return request.getFatal()
        ? new AttemptOutcome.Failed(error, errorClass, stack)
        : WorkerRequests.retry(
            new AttemptOutcome.RetryLater(error, errorClass, stack),
            "retry_after",
            request.hasRetryAfter(),
            request.getRetryAfter());
  }

  private void end(String token, AttemptOutcome outcome, CallReply<List<ReportResult>, ?> reply) {
    TaskEdge tasks = node.get();
    List<AttemptReport> report = List.of(new AttemptReport(task(token), outcome));
    results.offer(1, reply, answer -> tasks.report(report, answer));
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
    return CallRefusals.of(
        Refusals.notInState(
            "token: is of an attempt that has ended or was given up; another may be under way"));
  }

  private void heartbeatExecution(
      HeartbeatExecutionRequest request, StreamObserver<HeartbeatExecutionResponse> caller) {
    TaskEdge tasks = node.get();
    Duration lease =
        duration(
            request,
            "lease",
            SECOND,
            io.kairos.domain.pool.Pool.LONGEST_COMPLETION,
            io.kairos.domain.pool.Pool.DEFAULT_COMPLETION_TIMEOUT);
    CallReply<List<HeartbeatResult>, HeartbeatExecutionResponse> reply =
        new CallReply<>(caller, results -> beaten(results.getFirst().beat()));
    List<LeaseRenewal> held =
        List.of(
            new LeaseRenewal(
                task(request.getToken()),
                lease,
                null,
                request.hasProgress() ? WorkerRequests.progress(request.getProgress()) : null));
    heartbeats.offer(1, reply, answer -> tasks.renew(held, answer));
  }

  private static HeartbeatExecutionResponse beaten(HeartbeatFinding beat) {
    if (beat == HeartbeatFinding.LOST) {
      throw old();
    }
    return HeartbeatExecutionResponse.newBuilder()
        .setCancelRequested(beat == HeartbeatFinding.CANCEL_REQUESTED)
        .build();
  }
}
