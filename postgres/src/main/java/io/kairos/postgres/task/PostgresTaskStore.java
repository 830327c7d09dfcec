package io.kairos.postgres.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.CollectionName;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.KeyId;
import io.kairos.domain.task.KeyState;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.QueueLimit;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.TaskHandler;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.port.Attempt;
import io.kairos.engine.task.port.Beat;
import io.kairos.engine.task.port.CancelResult;
import io.kairos.engine.task.port.Claim;
import io.kairos.engine.task.port.Claims;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.Gate;
import io.kairos.engine.task.port.HandlerNumbers;
import io.kairos.engine.task.port.HandlerSettings;
import io.kairos.engine.task.port.HeadResult;
import io.kairos.engine.task.port.Holder;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.KeyQuery;
import io.kairos.engine.task.port.ListQuery;
import io.kairos.engine.task.port.QueueUse;
import io.kairos.engine.task.port.Quota;
import io.kairos.engine.task.port.RedriveRequest;
import io.kairos.engine.task.port.Redriven;
import io.kairos.engine.task.port.Settled;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.StuckKey;
import io.kairos.engine.task.port.SweptKeys;
import io.kairos.engine.task.port.TaskPage;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.TaskView;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Database;
import io.kairos.postgres.sql.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@link TaskStore} on the tables {@code task} and {@code finished_task}. A call for a list of
 * tasks is one statement, or one for each kind of what is asked in one transaction; never one for
 * each task. Stateless but for its connections.
 */
public final class PostgresTaskStore implements TaskStore {
  private static final Sql ENQUEUE = Sql.load(PostgresTaskStore.class, "enqueue.sql");
  private static final Sql HEARTBEAT = Sql.load(PostgresTaskStore.class, "heartbeat.sql");
  private static final Sql ATTEMPTS = Sql.load(PostgresTaskStore.class, "attempts.sql");
  private static final Sql LAPSED = Sql.load(PostgresTaskStore.class, "lapsed.sql");
  private static final Sql ENQUEUED_BY = Sql.load(PostgresTaskStore.class, "enqueued_by.sql");
  private static final Sql HOLDERS = Sql.load(PostgresTaskStore.class, "holders.sql");
  private static final Sql RESCHEDULE = Sql.load(PostgresTaskStore.class, "reschedule.sql");
  private static final Sql PRUNE_SUCCEEDED =
      Sql.load(PostgresTaskStore.class, "prune_succeeded.sql");
  private static final Sql PRUNE_OTHER = Sql.load(PostgresTaskStore.class, "prune_other.sql");

  private static final int KEYS_AT_ONCE = 1_000;
  private static final Sql PRUNE_KEYS = Sql.load(PostgresTaskStore.class, "request_prune.sql");

  /** So many times the statement is run to get past tasks of paused collections. */
  private static final int ROUNDS_PAST_PAUSED = 16;

  private static final Comparator<EnqueuedTask> EARLIEST_FIRST =
      Comparator.comparingLong(EnqueuedTask::triggerMicros)
          .thenComparing(enqueued -> enqueued.task().id());

  private final Database database;
  private final Database calls;

  /**
   * @param database for what the node does
   * @param calls for what applications and operators look up and change, which must not be in the
   *     way of heartbeats however much it is
   */
  public PostgresTaskStore(Database database, Database calls) {
    this.database = database;
    this.calls = calls;
  }

  @Override
  public Map<QueueName, QueueId> queues(Collection<QueueName> names) {
    return QueueNumbers.of(database, names);
  }

  @Override
  public Map<QueueId, QueueName> queues() {
    return database.single("reading queues", QueueNumbers::all);
  }

  @Override
  public List<InsertResult> insert(
      NodeId node, List<InsertRequest> requests, Duration enqueueTimeout) {
    return new Inserting(database, node, enqueueTimeout).run(requests);
  }

  @Override
  public Optional<Quota> quota(TaskHandler handler) {
    return calls.single("reading a quota", connection -> Quotas.read(connection, handler));
  }

  @Override
  public void recountQuotas() {
    StoreUnavailable failure = null;
    for (TaskHandler handler : database.single("reading quotas", Quotas::all)) {
      try {
        database.transaction(
            "counting the tasks of " + handler, connection -> Quotas.recount(connection, handler));
      } catch (StoreUnavailable e) {
        failure = e; // that concerns no other
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public int pruneIdempotencyKeys(int limit) {
    return database.single(
        "pruning idempotency keys",
        connection -> {
          try (Call call = PRUNE_KEYS.on(connection).with("max_keys", limit)) {
            return call.update();
          }
        });
  }

  @Override
  public List<EnqueuedTask> enqueue(EnqueueRequest request) {
    List<EnqueuedTask> enqueued = new ArrayList<>();
    EnqueueRequest left = request;
    int paused;
    int round = 0;
    do {
      List<Map.Entry<QueueId, Integer>> wanted =
          left.limits().entrySet().stream()
              .filter(entry -> entry.getValue() > 0)
              .sorted(Comparator.comparingInt(entry -> entry.getKey().value()))
              .toList();
      if (wanted.isEmpty()) {
        break;
      }
      List<EnqueuedTask> more = new ArrayList<>();
      paused = enqueueOnce(left, wanted, more) - more.size();
      enqueued.addAll(more);
      left = left.without(more);
      round++;
    } while (paused > 0 && round < ROUNDS_PAST_PAUSED);
    enqueued.sort(EARLIEST_FIRST);
    return enqueued;
  }

  /** Returns how many rows were changed; those that were not enqueued are paused. */
  private int enqueueOnce(
      EnqueueRequest request,
      List<Map.Entry<QueueId, Integer>> wanted,
      List<EnqueuedTask> enqueued) {
    int[] queues = wanted.stream().mapToInt(entry -> entry.getKey().value()).toArray();
    int[] limits = wanted.stream().mapToInt(Map.Entry::getValue).toArray();
    return database.single(
        "enqueueing tasks",
        connection -> {
          try (Call call =
                  ENQUEUE
                      .on(connection)
                      .with("queue_ids", BinaryArray.ints(queues))
                      .with("limits", BinaryArray.ints(limits))
                      .with("node", request.node().toString())
                      .with("max_bytes", request.maxBytes())
                      .with("ahead_micros", EpochMicros.lengthOf(request.ahead()))
                      .with(
                          "enqueue_timeout_micros",
                          EpochMicros.lengthOf(request.enqueueTimeout()));
              ResultSet rows = call.query()) {
            int changed = 0;
            while (rows.next()) {
              changed++;
              EnqueuedTask task = EnqueuedRows.read(rows);
              if (task != null) {
                enqueued.add(task);
              }
            }
            return changed;
          }
        });
  }

  @Override
  public void release(List<FencedTask> enqueued, Duration enqueueTimeout) {
    if (!enqueued.isEmpty()) {
      database.single(
          "releasing tasks",
          connection -> GivingBack.released(connection, enqueued, enqueueTimeout));
    }
  }

  @Override
  public Claims claim(List<Claim> claims, Duration lease) {
    Map<Boolean, List<Claim>> byKeyed =
        claims.stream().collect(Collectors.partitioningBy(claim -> claim.keyId() != null));
    List<Claim> plain = requireNonNull(byKeyed.get(false));
    List<Claim> keyed = requireNonNull(byKeyed.get(true));
    if (claims.isEmpty()) {
      return Claims.NONE;
    }
    if (keyed.isEmpty()) {
      return database.single(
          "claiming tasks", connection -> Claiming.run(connection, plain, lease));
    }
    Set<QueueId> queues = Claiming.queues(claims);
    // Those with keys first: limits are locked after keys, as by ends of tasks.
    return database.transaction(
        "claiming tasks with keys",
        connection ->
            KeyedClaims.run(connection, keyed, queues, lease)
                .and(Claiming.run(connection, plain, queues, lease, false)));
  }

  @Override
  public List<Beat> heartbeat(List<FencedTask> processing, Duration lease) {
    if (processing.isEmpty()) {
      return List.of();
    }
    Map<FencedTask, Beat> beats =
        database.single(
            "extending leases",
            connection -> {
              try (Call call =
                      Fenced.of(processing)
                          .bind(HEARTBEAT.on(connection))
                          .with("lease_micros", EpochMicros.lengthOf(lease));
                  ResultSet rows = call.query()) {
                return beats(rows);
              }
            });
    return processing.stream().map(task -> beats.getOrDefault(task, Beat.LOST)).toList();
  }

  private static Map<FencedTask, Beat> beats(ResultSet rows) throws SQLException {
    Map<FencedTask, Beat> beats = new HashMap<>();
    while (rows.next()) {
      beats.put(Fenced.read(rows), rows.getBoolean(3) ? Beat.CANCEL_REQUESTED : Beat.EXTENDED);
    }
    return beats;
  }

  @Override
  public List<Attempt> attempts(Collection<FencedTask> processing) {
    if (processing.isEmpty()) {
      return List.of();
    }
    return database.single(
        "reading attempts",
        connection -> {
          try (Call call = Fenced.of(processing).bind(ATTEMPTS.on(connection))) {
            return attempts(call);
          }
        });
  }

  private static List<Attempt> attempts(Call call) throws SQLException {
    List<Attempt> attempts = new ArrayList<>();
    try (ResultSet rows = call.query()) {
      while (rows.next()) {
        attempts.add(
            new Attempt(
                Fenced.read(rows),
                States.of(Columns.text(rows, 3)),
                rows.getInt(4),
                Policies.read(rows, 5),
                Columns.text(rows, 9)));
      }
    }
    return attempts;
  }

  @Override
  public Settled settle(List<Settlement> settlements, @Nullable EnqueueRequest onto) {
    if (settlements.isEmpty()) {
      return Settled.NOTHING;
    }
    Set<FencedTask> requeued = requeue(settlements);
    Settling settling = new Settling(settlements);
    Set<FencedTask> settled =
        settling.needsTransaction()
            ? database.transaction("settling tasks", connection -> settling.run(connection, false))
            : database.single("settling tasks", connection -> settling.run(connection, false));
    settled.addAll(requeued);
    // What was not settled is late, or has a key.
    List<Settlement> left =
        settlements.stream()
            .filter(settlement -> !(settlement instanceof Settlement.Requeue))
            .filter(settlement -> !settled.contains(settlement.task()))
            .toList();
    if (left.isEmpty()) {
      return new Settled(settled, settling.roomIn());
    }
    Settled keyed =
        database.transaction(
            "settling tasks with keys", connection -> KeyedSettling.run(connection, left, onto));
    settled.addAll(keyed.tasks());
    Set<QueueId> roomIn = new HashSet<>(settling.roomIn());
    roomIn.addAll(keyed.roomIn());
    return new Settled(settled, roomIn, keyed.enqueued());
  }

  /**
   * First, and in no transaction with the ends: claims lock the limits of queues before enqueued
   * tasks, ends lock them last.
   */
  private Set<FencedTask> requeue(List<Settlement> settlements) {
    List<FencedTask> requeues =
        settlements.stream()
            .filter(settlement -> settlement instanceof Settlement.Requeue)
            .map(Settlement::task)
            .toList();
    return requeues.isEmpty()
        ? Set.of()
        : database.single(
            "requeueing tasks", connection -> GivingBack.timedOut(connection, requeues));
  }

  @Override
  public List<Attempt> lapsed(int limit) {
    return database.single(
        "looking for lapsed tasks",
        connection -> {
          try (Call call = LAPSED.on(connection).with("max_tasks", limit)) {
            return attempts(call);
          }
        });
  }

  @Override
  public int releaseHeldBy(Set<NodeId> departed, Duration enqueueTimeout, int limit) {
    if (departed.isEmpty()) {
      return 0;
    }
    return database.single(
        "releasing tasks of departed nodes",
        connection -> GivingBack.ofDeparted(connection, departed, enqueueTimeout, limit));
  }

  @Override
  public List<FencedTask> enqueuedBy(NodeId node, int limit) {
    return database.single(
        "reading what a node has enqueued",
        connection -> {
          List<FencedTask> enqueued = new ArrayList<>();
          try (Call call =
                  ENQUEUED_BY
                      .on(connection)
                      .with("node", node.toString())
                      .with("max_tasks", limit);
              ResultSet rows = call.query()) {
            while (rows.next()) {
              enqueued.add(Fenced.read(rows));
            }
          }
          return enqueued;
        });
  }

  @Override
  public Map<TaskId, Holder> holders(Collection<TaskId> ids) {
    UUID[] uuids = ids.stream().map(TaskId::value).toArray(UUID[]::new);
    return database.single(
        "looking for holders",
        connection -> {
          Map<TaskId, Holder> holders = HashMap.newHashMap(uuids.length);
          try (Call call = HOLDERS.on(connection).with("ids", BinaryArray.uuids(uuids));
              ResultSet rows = call.query()) {
            while (rows.next()) {
              holders.put(
                  new TaskId(Columns.uuid(rows, 1)),
                  new Holder(Columns.text(rows, 2), rows.getLong(3)));
            }
          }
          return holders;
        });
  }

  @Override
  public CancelResult cancel(TaskId id) {
    return calls.transaction("cancelling a task", connection -> Cancelling.run(connection, id));
  }

  @Override
  public boolean reschedule(TaskId id, long dueMicros) {
    return calls.transaction(
        "rescheduling a task",
        connection -> {
          KeyId key;
          try (Call call = RESCHEDULE.on(connection).with("id", id.value()).with("due", dueMicros);
              ResultSet row = call.query()) {
            if (!row.next()) {
              return false;
            }
            key = KeyRows.key(row, 1);
          }
          if (key != null) {
            Keys keys = Keys.lock(connection, List.of(key));
            keys.note(key, id, KeyState.Change.LEFT);
            keys.write();
          }
          return true;
        });
  }

  @Override
  public int expire(int limit) {
    return database.transaction(
        "ending tasks that are too late", connection -> Expiring.run(connection, limit));
  }

  @Override
  public HandlerSettings settings(TaskHandler handler) {
    return calls.single(
        "reading settings", connection -> HandlerRows.settings(connection, handler));
  }

  /** What is set holds when the first transaction has committed; the others follow it up. */
  @Override
  public HandlerSettings changeHandler(TaskHandler handler, UnaryOperator<HandlerSettings> change) {
    HandlerRows.Changed changed =
        calls.transaction(
            "changing settings", connection -> HandlerRows.change(connection, handler, change));
    if (changed.keyPolicy()) {
      Optional<KeyId> after = Optional.empty();
      do {
        after = promote(handler, after);
      } while (after.isPresent());
    }
    if (changed.quota()) {
      calls.transaction(
          "counting the tasks of " + handler, connection -> Quotas.count(connection, handler));
    }
    return changed.after();
  }

  /** Returns the last of some keys of the handler. */
  private Optional<KeyId> promote(TaskHandler handler, Optional<KeyId> after) {
    return calls.transaction(
        "waking tasks",
        connection -> {
          List<KeyId> keys = KeyControl.page(connection, handler, after, KEYS_AT_ONCE);
          KeyControl.promote(connection, keys);
          return keys.isEmpty() ? Optional.empty() : Optional.of(keys.getLast());
        });
  }

  @Override
  public List<StuckKey> stuckKeys(KeyQuery query) {
    return calls.single("listing keys", connection -> KeyControl.stuck(connection, query));
  }

  @Override
  public HeadResult skipHead(TaskHandler handler, OrderingKey key) {
    return calls.transaction(
        "skipping the head of a key",
        connection -> KeyControl.act(connection, handler, key, KeyControl.Wish.SKIP));
  }

  @Override
  public HeadResult retryHead(TaskHandler handler, OrderingKey key) {
    return calls.transaction(
        "trying the head of a key again",
        connection -> KeyControl.act(connection, handler, key, KeyControl.Wish.RETRY));
  }

  @Override
  public SweptKeys sweepKeys(Optional<KeyId> after, int limit) {
    List<KeyId> keys =
        database.single(
            "looking through keys", connection -> KeyControl.page(connection, null, after, limit));
    if (keys.isEmpty()) {
      return SweptKeys.NONE;
    }
    int forgotten =
        database.transaction("pruning keys", connection -> KeyControl.prune(connection, keys));
    int woken =
        database.transaction("waking tasks", connection -> KeyControl.promote(connection, keys));
    return new SweptKeys(keys.getLast(), forgotten + woken);
  }

  @Override
  public Optional<TaskView> find(TaskId id) {
    return calls.single("reading a task", connection -> Views.find(connection, id));
  }

  @Override
  public TaskPage list(ListQuery query) {
    return calls.transaction("listing tasks", connection -> Views.list(connection, query));
  }

  @Override
  public int prune(TaskState ended, Duration retention, int limit) {
    if (!ended.isFinished()) {
      throw new IllegalArgumentException(ended + " is not an end");
    }
    return database.single(
        "pruning finished tasks",
        connection -> {
          try (Call call =
                  (ended == TaskState.SUCCEEDED
                          ? PRUNE_SUCCEEDED.on(connection)
                          : PRUNE_OTHER.on(connection).with("state", States.code(ended)))
                      .with("retention_micros", EpochMicros.lengthOf(retention))
                      .with("max_tasks", limit);
              ResultSet row = call.query()) {
            row.next();
            return row.getInt(1);
          }
        });
  }

  @Override
  public void setGate(Gate gate) {
    calls.transaction("closing a gate", connection -> Gates.set(connection, gate));
  }

  @Override
  public boolean liftGate(TaskHandler handler, @Nullable CollectionName collection) {
    return calls.single(
        "lifting a gate", connection -> Gates.lift(connection, handler, collection));
  }

  @Override
  public List<Gate.Closed> gates() {
    return calls.single("reading gates", connection -> Gates.list(connection, false));
  }

  @Override
  public int tendGates(int limit) {
    return Gates.tend(database, limit);
  }

  @Override
  public QueueUse changeLimit(QueueId queue, UnaryOperator<QueueLimit> change) {
    return calls.transaction(
        "limiting a queue", connection -> Limits.change(connection, queue, change));
  }

  @Override
  public Map<QueueId, QueueUse> limits() {
    return calls.single("reading limits", Limits::list);
  }

  @Override
  public void recountLimits() {
    database.transaction("counting what limits count", Limits::recount);
  }

  @Override
  public Redriven redrive(RedriveRequest request) {
    return calls.transaction(
        "putting tasks back", connection -> Redriving.run(connection, request));
  }

  @Override
  public void asked(Collection<TaskHandler> handlers) {
    if (!handlers.isEmpty()) {
      database.single(
          "noting what is asked for", connection -> Numbers.asked(connection, handlers));
    }
  }

  @Override
  public List<HandlerNumbers> numbers(
      @Nullable TaskHandler handler, @Nullable TaskHandler after, int limit) {
    return calls.single(
        "counting tasks", connection -> Numbers.of(connection, handler, after, limit));
  }
}
