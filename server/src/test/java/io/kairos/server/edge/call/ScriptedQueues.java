package io.kairos.server.edge.call;

import io.kairos.domain.task.CollectionName;
import io.kairos.domain.task.HandlerName;
import io.kairos.domain.task.KeyPolicy;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.QueueLimit;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskHandler;
import io.kairos.engine.task.QueueEdge;
import io.kairos.engine.task.port.Gate;
import io.kairos.engine.task.port.HandlerNumbers;
import io.kairos.engine.task.port.HandlerSettings;
import io.kairos.engine.task.port.HeadResult;
import io.kairos.engine.task.port.KeyQuery;
import io.kairos.engine.task.port.QueueUse;
import io.kairos.engine.task.port.RedriveRequest;
import io.kairos.engine.task.port.Redriven;
import io.kairos.engine.task.port.StuckKey;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The operators' side of a node that remembers what it was told. */
final class ScriptedQueues implements QueueEdge {
  /** A key of this name has a head that is being performed. */
  static final OrderingKey BUSY = new OrderingKey("busy");

  final List<Gate.Closed> gates = new CopyOnWriteArrayList<>();
  final List<RedriveRequest> redriven = new CopyOnWriteArrayList<>();
  final List<StuckKey> keys = new CopyOnWriteArrayList<>();
  final List<KeyQuery> keyQueries = new CopyOnWriteArrayList<>();
  final List<String> heads = new CopyOnWriteArrayList<>();
  final Map<TaskHandler, HandlerSettings> settings = new ConcurrentHashMap<>();
  final Map<QueueName, QueueUse> limits = new ConcurrentHashMap<>();

  @Override
  public void setGate(Gate gate) {
    gates.add(new Gate.Closed(gate, Edge.NOW));
  }

  @Override
  public boolean liftGate(TaskHandler handler, @Nullable CollectionName collection) {
    return gates.removeIf(closed ->
        closed.gate().handler().equals(handler)
            && Objects.equals(closed.gate().collection(), collection));
  }

  @Override
  public List<Gate.Closed> gates() {
    return List.copyOf(gates);
  }

  @Override
  public QueueUse changeLimit(QueueName queue, UnaryOperator<QueueLimit> change) {
    QueueUse before = limits.getOrDefault(queue, new QueueUse(QueueLimit.NONE, 3));
    QueueUse after = new QueueUse(change.apply(before.limit()), before.running());
    limits.put(queue, after);
    return after;
  }

  @Override
  public Map<QueueName, QueueUse> limits() {
    return Map.copyOf(limits);
  }

  @Override
  public HandlerSettings settings(TaskHandler handler) {
    return settings.getOrDefault(
        handler, new HandlerSettings(RetryPolicy.DEFAULT, null, KeyPolicy.DEFAULT));
  }

  @Override
  public HandlerSettings changeHandler(TaskHandler handler, UnaryOperator<HandlerSettings> change) {
    HandlerSettings after = change.apply(settings(handler));
    settings.put(handler, after);
    return after;
  }

  @Override
  public List<StuckKey> stuckKeys(KeyQuery query) {
    keyQueries.add(query);
    return keys.stream().limit(query.limit()).toList();
  }

  @Override
  public HeadResult skipHead(TaskHandler handler, OrderingKey key) {
    return told("skip " + handler + " " + key, key);
  }

  @Override
  public HeadResult retryHead(TaskHandler handler, OrderingKey key) {
    return told("retry " + handler + " " + key, key);
  }

  private HeadResult told(String what, OrderingKey key) {
    if (key.equals(BUSY)) {
      return HeadResult.BEING_PERFORMED;
    }
    if (keys.stream().noneMatch(one -> one.key().equals(key))) {
      return HeadResult.NOT_STUCK;
    }
    heads.add(what);
    return HeadResult.DONE;
  }

  @Override
  public Redriven redrive(RedriveRequest request) {
    redriven.add(request);
    boolean byFilter = request.which() instanceof RedriveRequest.Filter;
    return new Redriven(List.of(ScriptedTasks.id(1)), byFilter ? ScriptedTasks.id(1) : null);
  }

  /** Handlers {@code 7} and {@code a} are known, the second has no worker. */
  @Override
  public List<HandlerNumbers> numbers(
      @Nullable TaskHandler handler, @Nullable TaskHandler after, int limit) {
    HandlerNumbers seven =
        new HandlerNumbers(new HandlerName("7"), 1, 2, 3, 4, 5, 6, 7, Edge.NOW.minusSeconds(3));
    HandlerNumbers lonely = new HandlerNumbers(new HandlerName("a"), 1, 0, 0, 0, 0, 0, 0, null);
    return List.of(seven, lonely).stream()
        .filter(one -> handler == null || one.handler().equals(handler))
        .filter(one -> after == null || one.handler().wireName().compareTo(after.wireName()) > 0)
        .limit(limit)
        .toList();
  }
}
