package io.kairos.edge.task;

import io.grpc.stub.StreamObserver;
import io.kairos.api.v1.Gate;
import io.kairos.api.v1.GetHandlerRequest;
import io.kairos.api.v1.Handler;
import io.kairos.api.v1.LiftGateRequest;
import io.kairos.api.v1.LiftGateResponse;
import io.kairos.api.v1.ListGatesRequest;
import io.kairos.api.v1.ListGatesResponse;
import io.kairos.api.v1.ListHandlersRequest;
import io.kairos.api.v1.ListHandlersResponse;
import io.kairos.api.v1.ListKeysRequest;
import io.kairos.api.v1.ListKeysResponse;
import io.kairos.api.v1.Queue;
import io.kairos.api.v1.QueueServiceGrpc;
import io.kairos.api.v1.RedriveRequest;
import io.kairos.api.v1.RedriveResponse;
import io.kairos.api.v1.RetryHeadRequest;
import io.kairos.api.v1.RetryHeadResponse;
import io.kairos.api.v1.SetGateRequest;
import io.kairos.api.v1.SkipHeadRequest;
import io.kairos.api.v1.SkipHeadResponse;
import io.kairos.api.v1.UpdateHandlerRequest;
import io.kairos.api.v1.UpdateQueueRequest;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.edge.call.ReadyNode;
import io.kairos.edge.call.StoreCalls;
import io.kairos.edge.refusal.CallRefusals;
import io.kairos.engine.task.edge.QueueEdge;
import io.kairos.engine.task.port.operator.HandlerCounts;
import io.kairos.engine.task.port.operator.HeadResult;
import io.kairos.engine.task.port.operator.KeyQuery;
import io.kairos.engine.task.port.operator.QueueUse;
import io.kairos.engine.task.port.operator.RedriveResult;
import io.kairos.engine.task.port.operator.StoredHandlerSettings;
import io.kairos.engine.task.port.operator.TaskPause.Closed;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Serves operators' calls about handlers, queues, ordering keys and pauses. Called on the
 * connections' threads; every call waits for the store on another thread.
 */
public final class QueueCalls extends QueueServiceGrpc.QueueServiceImplBase {
  private final ReadyNode node;
  private final InstantSource clock;
  private final StoreCalls store;

  public QueueCalls(ReadyNode node, InstantSource clock, StoreCalls store) {
    this.store = store;
    this.node = node;
    this.clock = clock;
  }

  @Override
  public void getHandler(GetHandlerRequest request, StreamObserver<Handler> caller) {
    QueueEdge queues = node.get().queues();
    TaskHandler name = RequestFields.handler("name", request.getName());
    store.answer(
        caller,
        () -> {
          List<HandlerCounts> found = queues.numbers(name, null, 1);
          if (found.isEmpty()) {
            throw CallRefusals.notFound("name: no task was ever scheduled for this handler");
          }
          return whole(found.getFirst(), queues, queues.settings(name));
        });
  }

  private Handler whole(HandlerCounts numbers, QueueEdge queues, StoredHandlerSettings settings) {
    return QueueAnswers.with(settings, answer(numbers, queues.limits(), queues.gates()));
  }

  @Override
  public void updateHandler(UpdateHandlerRequest request, StreamObserver<Handler> caller) {
    QueueEdge queues = node.get().queues();
    TaskHandler name = HandlerRequests.name(request);
    UnaryOperator<StoredHandlerSettings> change = HandlerRequests.change(request);
    store.answer(
        caller,
        () -> {
          StoredHandlerSettings settings = queues.changeHandler(name, change);
          return whole(queues.numbers(name, null, 1).getFirst(), queues, settings);
        });
  }

  @Override
  public void listKeys(ListKeysRequest request, StreamObserver<ListKeysResponse> caller) {
    QueueEdge queues = node.get().queues();
    int size = RequestFields.pageSize(request.getPageSize());
    KeyQuery query = KeyRequests.query(request, size + 1);
    store.answer(caller, () -> KeyRequests.page(queues.stuckKeys(query), size));
  }

  @Override
  public void skipHead(SkipHeadRequest request, StreamObserver<SkipHeadResponse> caller) {
    head(
        node.get().queues()::skipHead,
        request.getHandler(),
        request.getKey(),
        caller,
        SkipHeadResponse.getDefaultInstance());
  }

  @Override
  public void retryHead(RetryHeadRequest request, StreamObserver<RetryHeadResponse> caller) {
    head(
        node.get().queues()::retryHead,
        request.getHandler(),
        request.getKey(),
        caller,
        RetryHeadResponse.getDefaultInstance());
  }

  private <A> void head(
      BiFunction<TaskHandler, OrderingKey, HeadResult> change,
      String givenHandler,
      String givenKey,
      StreamObserver<A> caller,
      A done) {
    TaskHandler handler = RequestFields.handler("handler", givenHandler);
    OrderingKey key = KeyRequests.key(givenKey);
    store.answer(
        caller,
        () -> {
          KeyRequests.check(change.apply(handler, key));
          return done;
        });
  }

  @Override
  public void listHandlers(
      ListHandlersRequest request, StreamObserver<ListHandlersResponse> caller) {
    QueueEdge queues = node.get().queues();
    int size = RequestFields.pageSize(request.getPageSize());
    TaskHandler after = RequestFields.handlerOrAny("page_token", request.getPageToken());
    store.answer(caller, () -> handlers(queues, after, size));
  }

  private ListHandlersResponse handlers(QueueEdge queues, @Nullable TaskHandler after, int size) {
    List<HandlerCounts> found = queues.numbers(null, after, size + 1);
    List<HandlerCounts> shown = found.subList(0, Math.min(size, found.size()));
    Map<QueueName, QueueUse> limits = queues.limits();
    List<Closed> gates = queues.gates();
    ListHandlersResponse.Builder answer = ListHandlersResponse.newBuilder();
    shown.forEach(numbers -> answer.addHandlers(answer(numbers, limits, gates)));
    if (found.size() > shown.size()) {
      answer.setNextPageToken(shown.getLast().handler().wireName());
    }
    return answer.build();
  }

  private Handler answer(
      HandlerCounts numbers, Map<QueueName, QueueUse> limits, List<Closed> gates) {
    return QueueAnswers.handler(numbers, limits, gates, clock.instant());
  }

  @Override
  public void updateQueue(UpdateQueueRequest request, StreamObserver<Queue> caller) {
    QueueEdge queues = node.get().queues();
    QueueName name = QueueRequests.queue(request);
    UnaryOperator<TaskQueueLimit> change = QueueRequests.change(request);
    store.answer(caller, () -> QueueAnswers.queue(name, queues.changeLimit(name, change)));
  }

  @Override
  public void setGate(SetGateRequest request, StreamObserver<Gate> caller) {
    QueueEdge queues = node.get().queues();
    io.kairos.engine.task.port.operator.TaskPause gate =
        QueueRequests.gate(request, clock.instant());
    store.answer(
        caller,
        () -> {
          queues.setGate(gate);
          for (Closed closed : queues.gates()) {
            if (isOf(closed, gate.handler(), gate.collection())) {
              return QueueAnswers.gate(closed);
            }
          }
          return QueueAnswers.gate(gate); // another caller has resumed it meanwhile
        });
  }

  private static boolean isOf(
      Closed closed, TaskHandler handler, @Nullable CollectionName collection) {
    return closed.gate().handler().equals(handler)
        && Objects.equals(closed.gate().collection(), collection);
  }

  @Override
  public void liftGate(LiftGateRequest request, StreamObserver<LiftGateResponse> caller) {
    QueueEdge queues = node.get().queues();
    TaskHandler handler = RequestFields.handler("handler", request.getHandler());
    CollectionName collection = RequestFields.collection("collection", request.getCollection());
    store.answer(
        caller,
        () -> {
          if (!queues.liftGate(handler, collection)) {
            throw CallRefusals.notFound("handler: no gate of it is closed here");
          }
          return LiftGateResponse.getDefaultInstance();
        });
  }

  @Override
  public void listGates(ListGatesRequest request, StreamObserver<ListGatesResponse> caller) {
    QueueEdge queues = node.get().queues();
    store.answer(
        caller,
        () -> {
          ListGatesResponse.Builder answer = ListGatesResponse.newBuilder();
          queues.gates().forEach(closed -> answer.addGates(QueueAnswers.gate(closed)));
          return answer.build();
        });
  }

  @Override
  public void redrive(RedriveRequest request, StreamObserver<RedriveResponse> caller) {
    QueueEdge queues = node.get().queues();
    io.kairos.engine.task.port.operator.RedriveRequest wanted =
        QueueRequests.redrive(request, clock.instant());
    store.answer(
        caller,
        () -> {
          RedriveResult back = queues.redrive(wanted);
          RedriveResponse.Builder answer = RedriveResponse.newBuilder();
          back.tasks().forEach(id -> answer.addIds(id.toString()));
          if (back.next() != null) {
            answer.setMore(true).setNextAfter(back.next().toString());
          }
          return answer.build();
        });
  }
}
