package io.kairos.edge.call;

import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.OrderingKeyPolicy;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueMaker;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.engine.task.edge.QueueEdge;
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
import io.kairos.model.task.ModelTaskStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The operators' side of a node that remembers what it was told. */
final class ScriptedQueues implements QueueEdge {
  /** A key of this name has a head that is being performed. */
  static final OrderingKey BUSY = new OrderingKey("busy");

  final List<TaskPause.Active> pauses = new CopyOnWriteArrayList<>();
  final List<RedriveRequest> redriven = new CopyOnWriteArrayList<>();
  final List<FailureGroup.Query> failureQueries = new CopyOnWriteArrayList<>();
  volatile Runnable whileFailuresAreFound = () -> {};
  final List<BlockedKey> keys = new CopyOnWriteArrayList<>();
  final List<KeyQuery> keyQueries = new CopyOnWriteArrayList<>();

  /** How many handlers were asked for at most, by each list of them. */
  final List<Integer> listed = new CopyOnWriteArrayList<>();

  final List<HandlerCounts.Counting> countings = new CopyOnWriteArrayList<>();

  final List<String> heads = new CopyOnWriteArrayList<>();
  final Map<TaskHandler, StoredHandlerSettings> settings = new ConcurrentHashMap<>();
  final Map<QueueName, Optional<QueueMaker>> made = new ConcurrentHashMap<>();
  final Map<QueueName, QueueUse> limits = new ConcurrentHashMap<>();

  final KeyLimitOperations keyLimits = new ModelTaskStore(InstantSource.fixed(Edge.NOW));

  @Override
  public KeyLimitOperations keyLimits() {
    return keyLimits;
  }

  @Override
  public void setPause(TaskPause pause) {
    pauses.add(new TaskPause.Active(pause, Edge.NOW));
  }

  @Override
  public boolean endPause(TaskHandler handler, @Nullable CollectionName collection) {
    return pauses.removeIf(closed ->
        closed.pause().handler().equals(handler)
            && Objects.equals(closed.pause().collection(), collection));
  }

  @Override
  public List<TaskPause.Active> pauses() {
    return List.copyOf(pauses);
  }

  @Override
  public void make(QueueName queue, @Nullable QueueMaker maker) {
    made.put(queue, Optional.ofNullable(maker));
  }

  @Override
  public QueueUse changeLimit(QueueName queue, UnaryOperator<TaskQueueLimit> change) {
    QueueUse before = limits.getOrDefault(queue, new QueueUse(TaskQueueLimit.NONE, 3));
    QueueUse after = new QueueUse(change.apply(before.limit()), before.running());
    limits.put(queue, after);
    return after;
  }

  @Override
  public Map<QueueName, QueueUse> limits() {
    return Map.copyOf(limits);
  }

  @Override
  public StoredHandlerSettings settings(TaskHandler handler) {
    return settings.getOrDefault(
        handler, new StoredHandlerSettings(RetryPolicy.DEFAULT, null, OrderingKeyPolicy.DEFAULT));
  }

  @Override
  public StoredHandlerSettings changeHandler(
      TaskHandler handler, UnaryOperator<StoredHandlerSettings> change) {
    StoredHandlerSettings after = change.apply(settings(handler));
    settings.put(handler, after);
    return after;
  }

  @Override
  public List<BlockedKey> stuckKeys(KeyQuery query) {
    keyQueries.add(query);
    return keys.stream().limit(query.limit()).toList();
  }

  @Override
  public HeadResult skipHead(TaskHandler handler, OrderingKey key, @Nullable TaskId expected) {
    return told("skip " + handler + " " + key, key, expected);
  }

  @Override
  public HeadResult retryHead(TaskHandler handler, OrderingKey key, @Nullable TaskId expected) {
    return told("retry " + handler + " " + key, key, expected);
  }

  private HeadResult told(String what, OrderingKey key, @Nullable TaskId expected) {
    if (key.equals(BUSY)) {
      return HeadResult.BEING_PERFORMED;
    }
    if (keys.stream().noneMatch(one -> one.key().equals(key))) {
      return HeadResult.NOT_STUCK;
    }
    if (expected != null && keys.stream().noneMatch(one -> one.head().equals(expected))) {
      return HeadResult.OTHER_HEAD;
    }
    heads.add(what);
    return HeadResult.DONE;
  }

  @Override
  public RedriveResult redrive(RedriveRequest request) {
    redriven.add(request);
    boolean byFilter = request.which() instanceof RedriveRequest.Filter;
    return new RedriveResult(
        request.isDryRun() ? List.of() : List.of(ScriptedTasks.id(1)),
        1,
        byFilter ? ScriptedTasks.id(1) : null,
        Edge.NOW);
  }

  /** A group of each of the handlers {@code 7} and {@code a}. */
  @Override
  public FailureGroup.Listing failures(FailureGroup.Query query) {
    failureQueries.add(query);
    whileFailuresAreFound.run();
    return new FailureGroup.Listing(
        Stream.of("7", "a")
            .map(name ->
                new FailureGroup(
                    new HandlerName(name),
                    "0123456789abcdef",
                    "java.io.IOException",
                    "no luck",
                    9,
                    Edge.NOW.minusSeconds(9),
                    Edge.NOW,
                    List.of(ScriptedTasks.id(1)),
                    List.of(4, 5)))
            .toList(),
        false);
  }

  /** Handlers {@code 7} and {@code a} are known, the second has no worker. */
  @Override
  public Optional<HandlerCounts> numbers(TaskHandler handler) {
    return known().filter(one -> one.handler().equals(handler)).findFirst();
  }

  @Override
  public List<HandlerCounts> numbers(
      HandlerPatterns which,
      @Nullable TaskHandler after,
      int limit,
      HandlerCounts.Counting counting) {
    listed.add(limit);
    countings.add(counting);
    return known()
        .filter(one -> which.matches(one.handler()))
        .filter(one -> after == null || one.handler().wireName().compareTo(after.wireName()) > 0)
        .limit(limit)
        .toList();
  }

  private static Stream<HandlerCounts> known() {
    HandlerCounts seven =
        new HandlerCounts(
            new HandlerName("7"),
            1,
            2,
            3,
            4,
            5,
            6,
            7,
            Edge.NOW.minusSeconds(3),
            Duration.ofSeconds(90),
            100_000,
            false);
    HandlerCounts lonely =
        new HandlerCounts(new HandlerName("a"), 1, 0, 0, 0, 0, 0, 0, null, null, 2_500, true);
    return Stream.of(seven, lonely);
  }
}
