package io.kairos.edge.task;

import static io.kairos.api.text.GivenValue.ifGiven;
import static io.kairos.api.v1.HandlerServiceGrpc.getEndPauseMethod;
import static io.kairos.api.v1.HandlerServiceGrpc.getGetHandlerMethod;
import static io.kairos.api.v1.HandlerServiceGrpc.getGetPauseMethod;
import static io.kairos.api.v1.HandlerServiceGrpc.getGetQueueMethod;
import static io.kairos.api.v1.HandlerServiceGrpc.getListFailureGroupsMethod;
import static io.kairos.api.v1.HandlerServiceGrpc.getListHandlersMethod;
import static io.kairos.api.v1.HandlerServiceGrpc.getListPausesMethod;
import static io.kairos.api.v1.HandlerServiceGrpc.getListStuckKeysMethod;
import static io.kairos.api.v1.HandlerServiceGrpc.getRedriveMethod;
import static io.kairos.api.v1.HandlerServiceGrpc.getRetryHeadMethod;
import static io.kairos.api.v1.HandlerServiceGrpc.getServiceDescriptor;
import static io.kairos.api.v1.HandlerServiceGrpc.getSetPauseMethod;
import static io.kairos.api.v1.HandlerServiceGrpc.getSkipHeadMethod;
import static io.kairos.api.v1.HandlerServiceGrpc.getUpdateHandlerMethod;
import static io.kairos.api.v1.HandlerServiceGrpc.getUpdateQueueMethod;
import static io.kairos.edge.task.RequestFields.handlerOrAny;
import static io.kairos.edge.task.RequestFields.pageSize;

import io.grpc.BindableService;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.Access.Kind;
import io.kairos.api.v1.EndPauseRequest;
import io.kairos.api.v1.EndPauseResponse;
import io.kairos.api.v1.GetHandlerRequest;
import io.kairos.api.v1.GetPauseRequest;
import io.kairos.api.v1.GetQueueRequest;
import io.kairos.api.v1.Handler;
import io.kairos.api.v1.ListFailureGroupsRequest;
import io.kairos.api.v1.ListFailureGroupsResponse;
import io.kairos.api.v1.ListHandlersRequest;
import io.kairos.api.v1.ListHandlersResponse;
import io.kairos.api.v1.ListPausesRequest;
import io.kairos.api.v1.ListPausesResponse;
import io.kairos.api.v1.ListStuckKeysRequest;
import io.kairos.api.v1.ListStuckKeysResponse;
import io.kairos.api.v1.Pause;
import io.kairos.api.v1.Queue;
import io.kairos.api.v1.RedriveRequest;
import io.kairos.api.v1.RedriveResponse;
import io.kairos.api.v1.RetryHeadRequest;
import io.kairos.api.v1.RetryHeadResponse;
import io.kairos.api.v1.SetPauseRequest;
import io.kairos.api.v1.SkipHeadRequest;
import io.kairos.api.v1.SkipHeadResponse;
import io.kairos.api.v1.UpdateHandlerRequest;
import io.kairos.api.v1.UpdateQueueRequest;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.edge.call.CallReply;
import io.kairos.edge.call.EntityTag;
import io.kairos.edge.call.ReadyNode;
import io.kairos.edge.call.SharedAnswer.Keeping;
import io.kairos.edge.call.SharedAnswers;
import io.kairos.edge.call.StoreCalls;
import io.kairos.edge.caller.CallerScope;
import io.kairos.edge.caller.PresentCaller;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.edge.refusal.Refusals;
import io.kairos.engine.cluster.DetailFigures.Attempts;
import io.kairos.engine.task.edge.QueueEdge;
import io.kairos.engine.task.port.operator.FailureGroup;
import io.kairos.engine.task.port.operator.HandlerCounts;
import io.kairos.engine.task.port.operator.HandlerCounts.Counting;
import io.kairos.engine.task.port.operator.QueueUse;
import io.kairos.engine.task.port.operator.RedriveResult;
import io.kairos.engine.task.port.operator.StoredHandlerSettings;
import io.kairos.engine.task.port.operator.TaskPause;
import io.kairos.engine.task.port.operator.TaskPause.Active;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Serves operators' calls about handlers, queues, ordering keys and pauses. Every call is checked,
 * and waits for the store, off the connections' threads. Groups of failures are found once for all
 * who ask for the same ones.
 */
public final class HandlerCalls implements BindableService {
  private static final int MOST_GROUPS = 200;
  private static final int MOST_GROUPS_LOOKED_AT = 1_000;

  private final ReadyNode node;
  private final InstantSource clock;
  private final StoreCalls store;
  private final SharedAnswers<FailureGroup.Query, FailureGroup.Listing> failures;

  public HandlerCalls(ReadyNode node, InstantSource clock, StoreCalls store) {
    this.node = node;
    this.clock = clock;
    this.store = store;
    this.failures =
        new SharedAnswers<>(store, clock, query -> queues().failures(query), Keeping.asItTook());
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder(getServiceDescriptor())
        .addMethod(getGetHandlerMethod(), store.unary(this::getHandler))
        .addMethod(getUpdateHandlerMethod(), store.unary(this::updateHandler))
        .addMethod(getListHandlersMethod(), store.unary(this::listHandlers))
        .addMethod(getListStuckKeysMethod(), store.unary(this::listStuckKeys))
        .addMethod(getSkipHeadMethod(), store.unary(this::skipHead))
        .addMethod(getRetryHeadMethod(), store.unary(this::retryHead))
        .addMethod(getGetQueueMethod(), store.unary(this::getQueue))
        .addMethod(getUpdateQueueMethod(), store.unary(this::updateQueue))
        .addMethod(getSetPauseMethod(), store.unary(this::setPause))
        .addMethod(getGetPauseMethod(), store.unary(this::getPause))
        .addMethod(getEndPauseMethod(), store.unary(this::endPause))
        .addMethod(getListPausesMethod(), store.unary(this::listPauses))
        .addMethod(getRedriveMethod(), store.unary(this::redrive))
        .addMethod(getListFailureGroupsMethod(), listFailureGroups())
        .build();
  }

  private QueueEdge queues() {
    return node.get().queues();
  }

  private Handler getHandler(GetHandlerRequest request) {
    TaskHandler name = RequestFields.handler("name", request.getName());
    return queues()
        .numbers(name)
        .map(numbers -> whole(numbers, queues().settings(name)))
        .orElseThrow(() -> Refusals.notFound("name: no task was ever scheduled for this handler"));
  }

  private Handler updateHandler(UpdateHandlerRequest request) {
    TaskHandler name = HandlerRequests.name(request);
    UnaryOperator<StoredHandlerSettings> change =
        before -> {
          EntityTag.require(
              request.getHandler().getEtag(),
              QueueAnswers.tag(before),
              "the handler " + name.wireName());
          return HandlerRequests.change(request).apply(before);
        };
    // A refused change makes no queue.
    var _ = change.apply(queues().settings(name));
    queues().make(new QueueName(name, QueueName.DEFAULT), PresentCaller.maker());
    StoredHandlerSettings settings = queues().changeHandler(name, change);
    return whole(queues().numbers(name).orElseThrow(), settings);
  }

  private Handler whole(HandlerCounts numbers, StoredHandlerSettings settings) {
    return QueueAnswers.handler(
            numbers, queues().limits(), queues().pauses(), attempts(), clock.instant())
        .mergeFrom(QueueAnswers.settings(settings).buildPartial())
        .setEtag(QueueAnswers.tag(settings))
        .build();
  }

  /** Those of the last minute, of all nodes. */
  private Map<TaskHandler, Attempts> attempts() {
    return node.lastMinute().handlers();
  }

  private ListHandlersResponse listHandlers(ListHandlersRequest request) {
    int size = pageSize(request.getPageSize());
    @Nullable TaskHandler after = handlerOrAny("page_token", request.getPageToken());
    CallerScope scope = PresentCaller.scope();
    if (scope.closes(Kind.HANDLER) && scope.closes(Kind.POOL)) {
      return ListHandlersResponse.getDefaultInstance();
    }
    Counting counting =
        QueueAnswers.COUNTINGS.read("counting", request.getCounting(), Counting.FULL);
    List<HandlerCounts> found = queues().numbers(scope.ofHandlers(), after, size + 1, counting);
    List<HandlerCounts> shown = found.subList(0, Math.min(size, found.size()));
    ListHandlersResponse.Builder answer = ListHandlersResponse.newBuilder();
    if (found.size() > shown.size()) {
      answer.setNextPageToken(shown.getLast().handler().wireName());
    }
    if (counting == Counting.NONE) {
      shown.forEach(one -> answer.addHandlersBuilder().setName(one.handler().wireName()));
      return answer.build();
    }
    Map<QueueName, QueueUse> limits = queues().limits();
    List<Active> pauses = queues().pauses();
    Map<TaskHandler, Attempts> attempts = attempts();
    Instant now = clock.instant();
    shown.forEach(
        one -> answer.addHandlers(QueueAnswers.handler(one, limits, pauses, attempts, now)));
    return answer.build();
  }

  private ListStuckKeysResponse listStuckKeys(ListStuckKeysRequest request) {
    int size = pageSize(request.getPageSize());
    return KeyRequests.page(queues().stuckKeys(KeyRequests.query(request, size + 1)), size);
  }

  private SkipHeadResponse skipHead(SkipHeadRequest request) {
    TaskHandler handler = RequestFields.handler("handler", request.getHandler());
    KeyRequests.check(
        queues()
            .skipHead(
                handler, KeyRequests.key(request.getKey()), KeyRequests.head(request.getHead())));
    return SkipHeadResponse.getDefaultInstance();
  }

  private RetryHeadResponse retryHead(RetryHeadRequest request) {
    TaskHandler handler = RequestFields.handler("handler", request.getHandler());
    KeyRequests.check(
        queues()
            .retryHead(
                handler, KeyRequests.key(request.getKey()), KeyRequests.head(request.getHead())));
    return RetryHeadResponse.getDefaultInstance();
  }

  private Queue getQueue(GetQueueRequest request) {
    QueueName name =
        new QueueName(
            RequestFields.handler("handler", request.getHandler()),
            RequestFields.priority("priority", request.hasPriority(), request.getPriority()));
    return QueueAnswers.queue(name, limit(name));
  }

  private Queue updateQueue(UpdateQueueRequest request) {
    QueueName name = QueueRequests.queue(request);
    UnaryOperator<TaskQueueLimit> change =
        before -> {
          EntityTag.require(
              request.getQueue().getEtag(), QueueAnswers.tag(before), "the queue " + name);
          return QueueRequests.change(request).apply(before);
        };
    // A refused change makes no queue.
    var _ = change.apply(limit(name).limit());
    queues().make(name, PresentCaller.maker());
    return QueueAnswers.queue(name, queues().changeLimit(name, change));
  }

  private QueueUse limit(QueueName name) {
    return queues().limits().getOrDefault(name, QueueUse.NONE);
  }

  private Pause setPause(SetPauseRequest request) {
    TaskPause pause = QueueRequests.pause(request, clock.instant());
    queues().setPause(pause);
    Optional<Active> kept = pause(pause.handler(), pause.collection());
    // Without one, another caller has resumed it meanwhile.
    return kept.isPresent() ? QueueAnswers.pause(kept.get()) : QueueAnswers.pause(pause);
  }

  private Pause getPause(GetPauseRequest request) {
    TaskHandler handler = RequestFields.handler("handler", request.getHandler());
    CollectionName collection = RequestFields.collection("collection", request.getCollection());
    return pause(handler, collection)
        .map(QueueAnswers::pause)
        .orElseThrow(HandlerCalls::noSuchPause);
  }

  private Optional<Active> pause(TaskHandler handler, @Nullable CollectionName collection) {
    return queues().pauses().stream()
        .filter(kept ->
            kept.pause().handler().equals(handler)
                && Objects.equals(kept.pause().collection(), collection))
        .findFirst();
  }

  private static RuntimeException noSuchPause() {
    return Refusals.notFound("handler: it has no such pause");
  }

  private EndPauseResponse endPause(EndPauseRequest request) {
    TaskHandler handler = RequestFields.handler("handler", request.getHandler());
    CollectionName collection = RequestFields.collection("collection", request.getCollection());
    if (!queues().endPause(handler, collection)) {
      throw noSuchPause();
    }
    return EndPauseResponse.getDefaultInstance();
  }

  private ListPausesResponse listPauses(ListPausesRequest request) {
    @Nullable TaskHandler handler = handlerOrAny("handler", request.getHandler());
    int size = pageSize(request.getPageSize());
    List<Pause> found =
        queues().pauses().stream()
            .filter(closed -> handler == null || closed.pause().handler().equals(handler))
            .map(QueueAnswers::pause)
            .filter(pause -> place(pause).compareTo(request.getPageToken()) > 0)
            .sorted(Comparator.comparing(HandlerCalls::place))
            .toList();
    List<Pause> shown = found.subList(0, Math.min(size, found.size()));
    ListPausesResponse.Builder answer = ListPausesResponse.newBuilder().addAllPauses(shown);
    if (found.size() > shown.size()) {
      answer.setNextPageToken(place(shown.getLast()));
    }
    return answer.build();
  }

  /** Orders pauses by handler and collection: no name has a character as small as a space. */
  private static String place(Pause pause) {
    return pause.getHandler() + ' ' + pause.getCollection();
  }

  /** A caller who may use some names only names the handler, or ids of tasks of such handlers. */
  private void requireOwn(RedriveRequest request) {
    if (PresentCaller.scope().isWhole()) {
      return;
    }
    if (request.hasFilter() && request.getFilter().getHandler().isEmpty()) {
      throw Refusals.denied(
          "filter.handler: must be given, because the caller "
              + PresentCaller.nameOrAddress()
              + " may use some names only");
    }
    RequestFields.batch("ids", Math.max(1, request.getIdsCount()));
    for (String id : request.getIdsList()) {
      node.get()
          .find(RequestFields.id("ids", id), false)
          .ifPresent(view ->
              PresentCaller.requireFound(Kind.HANDLER, view.queue().handler().wireName(), "ids"));
    }
  }

  private RedriveResponse redrive(RedriveRequest request) {
    requireOwn(request);
    RedriveResult back = queues().redrive(QueueRequests.redrive(request, clock.instant()));
    RedriveResponse.Builder answer =
        RedriveResponse.newBuilder().setCount(back.count()).setAt(ProtoTime.of(back.at()));
    back.tasks().forEach(id -> answer.addIds(id.toString()));
    ifGiven(back.next(), next -> answer.setMore(true).setNextAfter(next.toString()));
    return answer.build();
  }

  private ServerCallHandler<ListFailureGroupsRequest, ListFailureGroupsResponse>
      listFailureGroups() {
    return ServerCalls.asyncUnaryCall((request, caller) -> {
      CallerScope scope = PresentCaller.scope();
      CallReply<FailureGroup.Listing, ListFailureGroupsResponse> reply =
          new CallReply<>(caller, found -> own(found, scope));
      FailureGroup.Query query;
      try {
        query = query(request, scope);
      } catch (InvalidField e) {
        reply.failed(e);
        return;
      }
      failures.to(query, reply);
    });
  }

  /**
   * Of a caller who may use some names only, more groups are looked at: those of others are left
   * out.
   */
  private static FailureGroup.Query query(ListFailureGroupsRequest request, CallerScope scope) {
    return QueueRequests.failures(request, scope.isWhole() ? MOST_GROUPS : MOST_GROUPS_LOOKED_AT);
  }

  private static ListFailureGroupsResponse own(FailureGroup.Listing found, CallerScope scope) {
    List<FailureGroup> own =
        found.groups().stream()
            .filter(group -> scope.covers(Kind.HANDLER, group.handler().wireName()))
            .toList();
    ListFailureGroupsResponse.Builder answer =
        ListFailureGroupsResponse.newBuilder()
            .setIncomplete(found.isIncomplete() || own.size() > MOST_GROUPS);
    own.stream().limit(MOST_GROUPS).map(QueueAnswers::failures).forEach(answer::addGroups);
    return answer.build();
  }
}
