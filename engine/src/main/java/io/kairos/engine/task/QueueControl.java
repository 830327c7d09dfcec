package io.kairos.engine.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueMaker;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.edge.QueueEdge;
import io.kairos.engine.task.memory.TaskQueues;
import io.kairos.engine.task.port.NoMoreQueues;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.operator.BlockedKey;
import io.kairos.engine.task.port.operator.FailureGroup;
import io.kairos.engine.task.port.operator.HandlerCounts;
import io.kairos.engine.task.port.operator.HandlerPatterns;
import io.kairos.engine.task.port.operator.HeadResult;
import io.kairos.engine.task.port.operator.KeyLimitOperations;
import io.kairos.engine.task.port.operator.KeyQuery;
import io.kairos.engine.task.port.operator.QueueUse;
import io.kairos.engine.task.port.operator.RedriveRequest;
import io.kairos.engine.task.port.operator.RedriveResult;
import io.kairos.engine.task.port.operator.StoredHandlerSettings;
import io.kairos.engine.task.port.operator.TaskPause;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Stores operators' changes and applies them on this node at once; other nodes apply them with
 * their next claim or poll.
 *
 * @param tend wakes the step that applies pauses to tasks
 * @param consume wakes the store consumer
 * @param sweep wakes the step that wakes tasks before limits by key
 */
record QueueControl(TaskStore tasks, TaskQueues queues, Wakeup tend, Wakeup consume, Wakeup sweep)
    implements QueueEdge {
  @Override
  public void setPause(TaskPause pause) {
    tasks.setPause(pause);
    tend.signal();
  }

  @Override
  public boolean endPause(TaskHandler handler, @Nullable CollectionName collection) {
    boolean lifted = tasks.endPause(handler, collection);
    tend.signal();
    consume.signal();
    return lifted;
  }

  @Override
  public List<TaskPause.Active> pauses() {
    return tasks.pauses();
  }

  @Override
  public QueueUse changeLimit(QueueName queue, UnaryOperator<TaskQueueLimit> change) {
    QueueId id = number(queue, null);
    QueueUse use = tasks.changeLimit(id, change);
    queues.moreMayBegin(Set.of(id));
    return use;
  }

  @Override
  public void make(QueueName queue, @Nullable QueueMaker maker) {
    var _ = number(queue, maker);
  }

  private QueueId number(QueueName queue, @Nullable QueueMaker maker) {
    QueueId id = tasks.queues(Set.of(queue), maker).get(queue);
    if (id != null) {
      return id;
    }
    if (tasks.queues().size() >= TaskStore.MOST_QUEUES
        || (maker != null && tasks.queuesOf(maker) >= QueueMaker.MOST_QUEUES)) {
      throw new NoMoreQueues();
    }
    throw new StoreUnavailable("another transaction is just making this queue");
  }

  @Override
  public KeyLimitOperations keyLimits() {
    return new LimitControl(tasks, sweep);
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
  public StoredHandlerSettings settings(TaskHandler handler) {
    return tasks.settings(handler);
  }

  @Override
  public StoredHandlerSettings changeHandler(
      TaskHandler handler, UnaryOperator<StoredHandlerSettings> change) {
    tasks.queues(Set.of(new QueueName(handler, QueueName.DEFAULT))); // creates the handler's queue
    StoredHandlerSettings after = tasks.changeHandler(handler, change);
    consume.signal();
    return after;
  }

  @Override
  public List<BlockedKey> stuckKeys(KeyQuery query) {
    return tasks.stuckKeys(query);
  }

  @Override
  public HeadResult skipHead(TaskHandler handler, OrderingKey key, @Nullable TaskId expected) {
    return heeded(tasks.skipHead(handler, key, expected));
  }

  @Override
  public HeadResult retryHead(TaskHandler handler, OrderingKey key, @Nullable TaskId expected) {
    return heeded(tasks.retryHead(handler, key, expected));
  }

  private HeadResult heeded(HeadResult result) {
    if (result == HeadResult.DONE) {
      consume.signal();
    }
    return result;
  }

  @Override
  public RedriveResult redrive(RedriveRequest request) {
    RedriveResult back = tasks.redrive(request);
    if (!back.tasks().isEmpty()) {
      consume.signal();
    }
    return back;
  }

  @Override
  public FailureGroup.Listing failures(FailureGroup.Query query) {
    return tasks.failures(query);
  }

  @Override
  public List<HandlerCounts> numbers(
      HandlerPatterns which,
      @Nullable TaskHandler after,
      int limit,
      HandlerCounts.Counting counting) {
    return tasks.numbers(which, after, limit, counting);
  }

  @Override
  public Optional<HandlerCounts> numbers(TaskHandler handler) {
    return tasks.numbers(handler);
  }
}
