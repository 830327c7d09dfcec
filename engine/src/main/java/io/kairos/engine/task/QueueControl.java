package io.kairos.engine.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.CollectionName;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.QueueLimit;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.TaskHandler;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.port.Gate;
import io.kairos.engine.task.port.HandlerNumbers;
import io.kairos.engine.task.port.HandlerSettings;
import io.kairos.engine.task.port.HeadResult;
import io.kairos.engine.task.port.KeyQuery;
import io.kairos.engine.task.port.NoMoreQueues;
import io.kairos.engine.task.port.QueueUse;
import io.kairos.engine.task.port.RedriveRequest;
import io.kairos.engine.task.port.Redriven;
import io.kairos.engine.task.port.StuckKey;
import io.kairos.engine.task.port.TaskStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Operators' words, put into the store and made felt on this node at once; other nodes find them
 * with their next claim or poll.
 */
final class QueueControl implements QueueEdge {
  private final TaskStore tasks;
  private final Queues queues;
  private final Wakeup tend;
  private final Wakeup consume;

  /**
   * @param tend wakes the step that does what gates leave to do
   * @param consume wakes the store consumer
   */
  QueueControl(TaskStore tasks, Queues queues, Wakeup tend, Wakeup consume) {
    this.tasks = tasks;
    this.queues = queues;
    this.tend = tend;
    this.consume = consume;
  }

  @Override
  public void setGate(Gate gate) {
    tasks.setGate(gate);
    tend.signal();
  }

  @Override
  public boolean liftGate(TaskHandler handler, @Nullable CollectionName collection) {
    boolean lifted = tasks.liftGate(handler, collection);
    tend.signal();
    consume.signal();
    return lifted;
  }

  @Override
  public List<Gate.Closed> gates() {
    return tasks.gates();
  }

  @Override
  public QueueUse changeLimit(QueueName queue, UnaryOperator<QueueLimit> change) {
    QueueId id = tasks.queues(Set.of(queue)).get(queue);
    if (id == null) {
      if (tasks.queues().size() >= TaskStore.MOST_QUEUES) {
        throw new NoMoreQueues();
      }
      throw new StoreUnavailable("somebody else's transaction is just making this queue");
    }
    QueueUse use = tasks.changeLimit(id, change);
    queues.moreMayBegin(Set.of(id));
    return use;
  }

  @Override
  public Map<QueueName, QueueUse> limits() {
    Map<QueueId, QueueUse> byId = tasks.limits();
    if (byId.isEmpty()) {
      return Map.of();
    }
    Map<QueueId, QueueName> names = tasks.queues();
    Map<QueueName, QueueUse> limits = new HashMap<>();
    byId.forEach(
        (id, use) -> limits.put(requireNonNull(names.get(id), "a queue without a name"), use));
    return limits;
  }

  @Override
  public HandlerSettings settings(TaskHandler handler) {
    return tasks.settings(handler);
  }

  @Override
  public HandlerSettings changeHandler(TaskHandler handler, UnaryOperator<HandlerSettings> change) {
    tasks.queues(Set.of(new QueueName(handler, QueueName.DEFAULT))); // so that it is known
    HandlerSettings after = tasks.changeHandler(handler, change);
    consume.signal();
    return after;
  }

  @Override
  public List<StuckKey> stuckKeys(KeyQuery query) {
    return tasks.stuckKeys(query);
  }

  @Override
  public HeadResult skipHead(TaskHandler handler, OrderingKey key) {
    return heeded(tasks.skipHead(handler, key));
  }

  @Override
  public HeadResult retryHead(TaskHandler handler, OrderingKey key) {
    return heeded(tasks.retryHead(handler, key));
  }

  private HeadResult heeded(HeadResult result) {
    if (result == HeadResult.DONE) {
      consume.signal();
    }
    return result;
  }

  @Override
  public Redriven redrive(RedriveRequest request) {
    Redriven back = tasks.redrive(request);
    if (!back.tasks().isEmpty()) {
      consume.signal();
    }
    return back;
  }

  @Override
  public List<HandlerNumbers> numbers(
      @Nullable TaskHandler handler, @Nullable TaskHandler after, int limit) {
    return tasks.numbers(handler, after, limit);
  }
}
