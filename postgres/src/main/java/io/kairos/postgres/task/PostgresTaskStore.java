package io.kairos.postgres.task;

import static io.kairos.domain.check.ArgumentCheck.require;
import static java.util.Objects.requireNonNull;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskProgress;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.limit.LimitName;
import io.kairos.domain.task.limit.LimitPattern;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueMaker;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.node.LeaseClock;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.port.ClaimResult;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.FairEnqueueRequest;
import io.kairos.engine.task.port.FairEnqueueResult;
import io.kairos.engine.task.port.FollowedEnds;
import io.kairos.engine.task.port.HeartbeatFinding;
import io.kairos.engine.task.port.HeldAttempt;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.LeaseRenewal;
import io.kairos.engine.task.port.PredecessorQuery;
import io.kairos.engine.task.port.Predecessors;
import io.kairos.engine.task.port.ReportedBy;
import io.kairos.engine.task.port.RetiredQueues;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.SettlementResult;
import io.kairos.engine.task.port.SweptEdges;
import io.kairos.engine.task.port.SweptKeys;
import io.kairos.engine.task.port.SweptLimits;
import io.kairos.engine.task.port.TaskClaim;
import io.kairos.engine.task.port.TaskHolder;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.batch.BatchCancel;
import io.kairos.engine.task.port.batch.BatchCreation;
import io.kairos.engine.task.port.batch.BatchQuery;
import io.kairos.engine.task.port.batch.BatchStore;
import io.kairos.engine.task.port.batch.BatchView;
import io.kairos.engine.task.port.batch.CountedBatches;
import io.kairos.engine.task.port.batch.NewBatch;
import io.kairos.engine.task.port.operator.AdmissionQuota;
import io.kairos.engine.task.port.operator.BlockedKey;
import io.kairos.engine.task.port.operator.CancelResult;
import io.kairos.engine.task.port.operator.ChangeRequest;
import io.kairos.engine.task.port.operator.ChangeResult;
import io.kairos.engine.task.port.operator.FailureGroup;
import io.kairos.engine.task.port.operator.HandlerBacklog;
import io.kairos.engine.task.port.operator.HandlerCounts;
import io.kairos.engine.task.port.operator.HandlerPatterns;
import io.kairos.engine.task.port.operator.HeadResult;
import io.kairos.engine.task.port.operator.KeyLimitChange;
import io.kairos.engine.task.port.operator.KeyLimitUse;
import io.kairos.engine.task.port.operator.KeyQuery;
import io.kairos.engine.task.port.operator.LimitNameUse;
import io.kairos.engine.task.port.operator.ListQuery;
import io.kairos.engine.task.port.operator.QueueUse;
import io.kairos.engine.task.port.operator.RedriveRequest;
import io.kairos.engine.task.port.operator.RedriveResult;
import io.kairos.engine.task.port.operator.StoredHandlerSettings;
import io.kairos.engine.task.port.operator.TaskGraphView;
import io.kairos.engine.task.port.operator.TaskListing;
import io.kairos.engine.task.port.operator.TaskPause;
import io.kairos.engine.task.port.operator.TaskView;
import io.kairos.engine.task.port.operator.UnfinishedTasks;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.FailureText;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlDatabase;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.EnqueuedRows.FairRow;
import io.kairos.postgres.task.EnqueuedRows.Woken;
import io.kairos.postgres.task.SettlementStatements.Which;
import io.kairos.postgres.task.row.FailureGroupRows;
import io.kairos.postgres.task.row.FencedRows;
import io.kairos.postgres.task.row.QueueNumberRows;
import io.kairos.postgres.task.row.RetryPolicyColumns;
import io.kairos.postgres.task.row.TaskStateColumn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@link TaskStore} on the tables {@code task} and {@code finished_task}. A call for a list of
 * tasks runs one statement, or one statement for each kind of change in one transaction, but never
 * one for each task. Stateless but for its connections and what it notes of the ends of tasks and
 * batches.
 *
 * @param database connections for the node's own work
 * @param calls connections for what applications and operators look up and change, so that no
 *     number of calls delays heartbeats
 * @param notedEnds where the counting of ends of batches is
 * @param mostHaveSuccessors true when others have waited for most of the tasks that ended last:
 *     then the next ends are followed in their first transaction, instead of being passed over
 *     there
 */
public record PostgresTaskStore(
    SqlDatabase database, SqlDatabase calls, NotedEnds notedEnds, AtomicBoolean mostHaveSuccessors)
    implements TaskStore {
  private static final SqlStatement ENQUEUE = SqlStatement.load("task/enqueue.sql");
  private static final SqlStatement ENQUEUE_FAIR = SqlStatement.load("task/enqueue_fair.sql");
  private static final SqlStatement HEARTBEAT = SqlStatement.load("task/heartbeat.sql");
  private static final SqlStatement ATTEMPTS = SqlStatement.load("task/attempts.sql");
  private static final SqlStatement LAPSED = SqlStatement.load("task/lapsed.sql");
  private static final SqlStatement STALE = SqlStatement.load("task/stale.sql");
  private static final SqlStatement BELL_RELEASE = SqlStatement.load("task/bell_release.sql");
  private static final SqlStatement SHORTEN_LEASES = SqlStatement.load("task/shorten_leases.sql");
  private static final SqlStatement ENQUEUED_BY = SqlStatement.load("task/enqueued_by.sql");
  private static final SqlStatement HOLDERS = SqlStatement.load("task/holders.sql");
  private static final SqlStatement ENDED = SqlStatement.load("task/ended.sql");
  private static final SqlStatement PRUNE_SUCCEEDED = SqlStatement.load("task/prune_succeeded.sql");
  private static final SqlStatement PRUNE_OTHER = SqlStatement.load("task/prune_other.sql");

  private static final SqlStatement PRUNE_KEYS = SqlStatement.load("task/request_prune.sql");
  private static final SqlStatement GIVE_BACK = SqlStatement.load("task/give_back.sql");
  private static final SqlStatement GIVE_BACK_DEPARTED =
      SqlStatement.load("task/give_back_departed.sql");
  private static final SqlStatement LOCK_EXPIRED = SqlStatement.load("task/expire_lock.sql");
  private static final int KEYS_AT_ONCE = 1_000;

  /** How often the statement is run at most to get past tasks of paused collections. */
  private static final int ROUNDS_PAST_PAUSED = 16;

  private static final Comparator<EnqueuedTask> EARLIEST_FIRST =
      Comparator.comparingLong(EnqueuedTask::triggerMicros)
          .thenComparing(enqueued -> enqueued.task().id());

  public PostgresTaskStore(SqlDatabase database, SqlDatabase calls) {
    this(database, calls, new NotedEnds(), new AtomicBoolean());
  }

  @Override
  public Map<QueueName, QueueId> queues(Collection<QueueName> names, @Nullable QueueMaker maker) {
    return QueueNumberRows.of(database, names, maker);
  }

  @Override
  public RetiredQueues retireQueues() {
    return database.single("retiring queues", QueueNumberRows::retire);
  }

  @Override
  public int forgetQueues(RetiredQueues retired) {
    return database.single(
        "forgetting queues", connection -> QueueNumberRows.forget(connection, retired));
  }

  @Override
  public int queuesOf(QueueMaker maker) {
    return database.single(
        "counting queues", connection -> QueueNumberRows.madeBy(connection, maker));
  }

  @Override
  public Map<QueueId, QueueName> queues() {
    return database.single("reading queues", QueueNumberRows::all);
  }

  @Override
  public Set<QueueId> fairQueues() {
    return database.single("reading queues with fairness keys", QueueNumberRows::fair);
  }

  @Override
  public boolean isReadFairly() {
    return database.single("looking for the index of fairness keys", QueueNumberRows::hasFairIndex);
  }

  @Override
  public List<InsertResult> insert(
      NodeId node, List<InsertRequest> requests, Duration enqueueTimeout) {
    return new TaskInsertion(database, node, enqueueTimeout).run(requests);
  }

  @Override
  public Optional<AdmissionQuota> quota(TaskHandler handler) {
    return calls.single("reading a quota", connection -> AdmissionQuotas.read(connection, handler));
  }

  @Override
  public void recountQuotas() {
    StoreUnavailable failure = null;
    for (TaskHandler handler : database.single("reading quotas", AdmissionQuotas::all)) {
      try {
        database.transaction(
            "counting the tasks of " + handler,
            connection -> AdmissionQuotas.recount(connection, handler));
      } catch (StoreUnavailable e) {
        failure = e; // other handlers are still counted
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public int pruneIdempotencyKeys(int limit) {
    return database.call("pruning idempotency keys", PRUNE_KEYS).with("max_keys", limit).update();
  }

  @Override
  public List<EnqueuedTask> enqueue(EnqueueRequest request) {
    List<EnqueuedTask> enqueued = new ArrayList<>();
    EnqueueRequest left = request;
    boolean isPastPaused = false;
    for (int round = 0; !isPastPaused && hasRoom(left) && round < ROUNDS_PAST_PAUSED; round++) {
      List<Optional<EnqueuedTask>> changed = enqueueOnce(left);
      List<EnqueuedTask> more = changed.stream().flatMap(Optional::stream).toList();
      enqueued.addAll(more);
      left = left.without(more);
      isPastPaused = more.size() == changed.size();
    }
    enqueued.sort(EARLIEST_FIRST);
    return enqueued;
  }

  private static boolean hasRoom(EnqueueRequest request) {
    return request.limits().values().stream().anyMatch(limit -> limit > 0);
  }

  /** Returns each task that was changed; empty for a paused one, which was not enqueued. */
  private List<Optional<EnqueuedTask>> enqueueOnce(EnqueueRequest request) {
    return EnqueuedRows.bind(database.call("enqueueing tasks", ENQUEUE), request)
        .list(row -> Optional.ofNullable(EnqueuedRows.read(row)));
  }

  @Override
  public FairEnqueueResult enqueueFairly(FairEnqueueRequest request) {
    List<FairRow> rows = List.of();
    boolean isPastPaused = false;
    for (int round = 0; !isPastPaused && round < ROUNDS_PAST_PAUSED; round++) {
      rows =
          EnqueuedRows.bind(
                  database.call("enqueueing tasks by fairness keys", ENQUEUE_FAIR), request)
              .list(FairRow::read);
      isPastPaused = rows.stream().anyMatch(row -> !row.isChanged() || row.task() != null);
    }
    List<EnqueuedTask> enqueued =
        rows.stream().flatMap(row -> Stream.ofNullable(row.task())).sorted(EARLIEST_FIRST).toList();
    FairRow any = rows.getFirst();
    String next = any.next();
    return new FairEnqueueResult(enqueued, next == null ? request.after() : next, any.isWhole());
  }

  @Override
  public void release(List<FencedTask> enqueued, Duration enqueueTimeout) {
    if (!enqueued.isEmpty()) {
      giveBack(
          database.call("releasing tasks", GIVE_BACK),
          enqueued,
          null,
          EpochMicros.lengthOf(enqueueTimeout));
    }
  }

  /**
   * Makes enqueued tasks wait again.
   *
   * @param lapsedBy for those alone whose enqueue timeout has passed by then; null for all
   */
  private static Set<FencedTask> giveBack(
      SqlCall call, List<FencedTask> enqueued, @Nullable Long lapsedBy, long timeoutMicros) {
    return FencedRows.returnedBy(
        FencedRows.of(enqueued)
            .bind(call)
            .with("lapsed_by", lapsedBy)
            .with("timeout_micros", timeoutMicros));
  }

  @Override
  public Map<TaskId, Predecessors> predecessors(List<PredecessorQuery> queries) {
    return queries.isEmpty()
        ? Map.of()
        : database.single(
            "reading predecessors", connection -> PredecessorRows.read(connection, queries));
  }

  @Override
  public ClaimResult claim(List<TaskClaim> claims, Duration lease) {
    Map<Boolean, List<TaskClaim>> byKeyed =
        claims.stream().collect(Collectors.partitioningBy(TaskClaim::isChecked));
    List<TaskClaim> plain = requireNonNull(byKeyed.get(false));
    List<TaskClaim> keyed = requireNonNull(byKeyed.get(true));
    if (claims.isEmpty()) {
      return ClaimResult.NONE;
    }
    if (keyed.isEmpty()) {
      return database.single(
          "claiming tasks", connection -> TaskClaims.run(connection, plain, lease));
    }
    Set<QueueId> queues = TaskClaims.queues(claims);
    // Tasks with keys come first: limits are locked after keys, as ends of tasks do.
    return database.transaction(
        "claiming tasks with keys or limits",
        connection ->
            KeyedClaims.run(connection, keyed, queues, lease)
                .and(TaskClaims.run(connection, plain, queues, lease, false)));
  }

  @Override
  public List<HeartbeatFinding> heartbeat(List<LeaseRenewal> renewals, long believedMicros) {
    if (renewals.isEmpty()) {
      return List.of();
    }
    // The statement changes a row once, by any one of several renewals.
    Map<Renewer, LeaseRenewal> merged = HashMap.newHashMap(renewals.size());
    for (LeaseRenewal renewal : renewals) {
      merged.merge(
          new Renewer(renewal.task(), renewal.caller()), renewal, LeaseRenewal::followedBy);
    }
    FencedRows<LeaseRenewal> fenced = FencedRows.of(merged.values(), LeaseRenewal::task);
    Map<FencedTask, Renewed> renewed =
        fenced
            .bind(database.call("extending leases", HEARTBEAT))
            .with(
                "leases",
                ColumnBatch.longs(
                    fenced.changes(), renewal -> EpochMicros.lengthOf(renewal.lease())))
            .with("callers", fenced.texts(LeaseRenewal::caller).emptyIfAllNull())
            .with(
                "percents",
                ColumnBatch.longsOrNulls(
                        fenced.changes(),
                        renewal -> {
                          TaskProgress said = renewal.progress();
                          return said == null ? null : (long) said.percent();
                        })
                    .emptyIfAllNull())
            .with(
                "notes",
                fenced
                    .texts(renewal -> {
                      TaskProgress said = renewal.progress();
                      return said == null ? null : said.note();
                    })
                    .emptyIfAllNull())
            .with("believed_micros", believedMicros)
            .map(
                FencedRows::read,
                row ->
                    new Renewed(
                        row.getBoolean(3)
                            ? HeartbeatFinding.CANCEL_REQUESTED
                            : HeartbeatFinding.EXTENDED,
                        row.getString(4)));
    return renewals.stream()
        .map(renewal -> {
          Renewed found = renewed.get(renewal.task());
          return found == null || !ReportedBy.mayPerform(renewal.caller(), found.performer)
              ? HeartbeatFinding.LOST
              : found.finding;
        })
        .toList();
  }

  /** Whose renewals of a task are one. */
  private record Renewer(FencedTask task, @Nullable String caller) {}

  /**
   * A lease that was renewed.
   *
   * @param performer the caller whose worker claimed the task; null when that is not known
   */
  private record Renewed(HeartbeatFinding finding, @Nullable String performer) {}

  @Override
  public List<HeldAttempt> attempts(Collection<FencedTask> processing) {
    if (processing.isEmpty()) {
      return List.of();
    }
    return attempts(
        FencedRows.of(processing)
            .bind(database.call("reading attempts", ATTEMPTS))
            .with("believed_micros", LeaseClock.NOTHING_PASSED));
  }

  private static List<HeldAttempt> attempts(SqlCall call) {
    return call.list(row ->
        new HeldAttempt(
            FencedRows.read(row),
            TaskStateColumn.of(NonNullColumns.text(row, 3)),
            row.getInt(4),
            RetryPolicyColumns.read(row, 5),
            NonNullColumns.text(row, 9),
            row.getBoolean(10)));
  }

  @Override
  public SettlementResult settle(
      List<Settlement> settlements, @Nullable EnqueueRequest onto, long believedMicros) {
    return settlements.isEmpty()
        ? SettlementResult.NOTHING
        : settle(settlements, onto, SettlementTerms.reported(believedMicros), Set.of());
  }

  @Override
  public SettlementResult reap(List<Settlement> settlements, long believedMicros) {
    return settlements.isEmpty()
        ? SettlementResult.NOTHING
        : settle(
            settlements,
            null,
            SettlementTerms.lapsed(believedMicros),
            requeue(settlements, believedMicros));
  }

  private SettlementResult settle(
      List<Settlement> settlements,
      @Nullable EnqueueRequest onto,
      SettlementTerms terms,
      Set<FencedTask> requeued) {
    FailureFingerprints fingerprints = FailureFingerprints.of(settlements);
    SettlementStatements settling = new SettlementStatements(settlements, terms, fingerprints);
    Which which = mostHaveSuccessors.get() ? Which.FOLLOWED : Which.PLAIN;
    SqlDatabase.Work<SettlementResult> work =
        connection -> {
          settling.run(connection, which);
          return settling.result(connection, new Woken(), onto);
        };
    SettlementResult first =
        which == Which.FOLLOWED || settling.needsTransaction()
            ? database.transaction("settling tasks", work)
            : database.single("settling tasks", work);
    SettlementResult result =
        requeued.isEmpty() ? first : first.and(new SettlementResult(requeued, Set.of()));
    int followed = settling.ends().size();
    // A task that was not settled has another fence by now, or has a key, limits or successors.
    if (result.tasks().size() < settlements.size()) {
      EnqueueRequest room = EnqueuedRows.left(onto, first.enqueued());
      List<Settlement> left =
          settlements.stream()
              .filter(settlement -> !(settlement instanceof Settlement.Requeue))
              .filter(settlement -> !first.tasks().contains(settlement.task()))
              .toList();
      KeyedSettlements.Settled keyed =
          left.isEmpty()
              ? new KeyedSettlements.Settled(SettlementResult.NOTHING, 0)
              : database.transaction(
                  "settling tasks with keys, limits or successors",
                  connection -> KeyedSettlements.run(connection, left, fingerprints, room, terms));
      result = result.and(keyed.result());
      followed += keyed.followed();
    }
    mostHaveSuccessors.set(2 * followed > result.tasks().size());
    return result;
  }

  /**
   * Requeues before the attempts end, in another transaction: claims lock the limits of queues
   * before enqueued tasks, ends lock them last.
   */
  private Set<FencedTask> requeue(List<Settlement> settlements, long believedMicros) {
    List<FencedTask> requeues =
        settlements.stream()
            .filter(settlement -> settlement instanceof Settlement.Requeue)
            .map(Settlement::task)
            .toList();
    return requeues.isEmpty()
        ? Set.of()
        : giveBack(database.call("requeueing tasks", GIVE_BACK), requeues, believedMicros, 0);
  }

  @Override
  public List<HeldAttempt> lapsed(long believedMicros, int limit) {
    return attempts(
        database
            .call("looking for lapsed tasks", LAPSED)
            .with("believed_micros", believedMicros)
            .with("max_tasks", limit));
  }

  @Override
  public int shortenLeases(Duration beyond, Duration lease, int limit) {
    database.call("looking after the bell", BELL_RELEASE).any();
    return database
        .call("shortening leases", SHORTEN_LEASES)
        .with("beyond_micros", EpochMicros.lengthOf(beyond))
        .with("lease_micros", EpochMicros.lengthOf(lease))
        .with("max_tasks", limit)
        .update();
  }

  @Override
  public int releaseHeldBy(Set<NodeId> departed, Duration enqueueTimeout, int limit) {
    if (departed.isEmpty()) {
      return 0;
    }
    return database
        .call("releasing tasks of departed nodes", GIVE_BACK_DEPARTED)
        .with("nodes", ColumnBatch.texts(departed, NodeId::toString))
        .with("timeout_micros", EpochMicros.lengthOf(enqueueTimeout))
        .with("max_tasks", limit)
        .update();
  }

  @Override
  public List<FencedTask> enqueuedBy(NodeId node, int limit) {
    return database
        .call("reading what a node has enqueued", ENQUEUED_BY)
        .with("node", node.toString())
        .with("max_tasks", limit)
        .list(FencedRows::read);
  }

  @Override
  public List<TaskView> ended(Collection<TaskId> ids, long maxBytes) {
    return ids.isEmpty()
        ? List.of()
        : TaskViews.ended(calls.call("looking for ended tasks", ENDED), ids, maxBytes);
  }

  @Override
  public Map<TaskId, TaskHolder> holders(Collection<TaskId> ids) {
    return database
        .call("looking for holders", HOLDERS)
        .with("ids", ColumnBatch.uuids(ids, TaskId::value))
        .map(
            row -> new TaskId(NonNullColumns.uuid(row, 1)),
            row -> new TaskHolder(NonNullColumns.text(row, 2), row.getLong(3), row.getString(4)));
  }

  @Override
  public CancelResult cancel(TaskId id) {
    return calls.transaction("cancelling a task", connection -> TaskChanges.cancel(connection, id));
  }

  @Override
  public boolean reschedule(TaskId id, long dueMicros) {
    return calls.transaction(
        "rescheduling a task", connection -> TaskChanges.reschedule(connection, id, dueMicros));
  }

  @Override
  public ChangeResult change(ChangeRequest request) {
    return looking(
        request.isDryRun(),
        most ->
            calls.transaction(
                "changing tasks", connection -> TaskChanges.run(connection, request, most)));
  }

  /**
   * Runs what passes over a bounded number of tasks. A dry run looks at more, unless that takes too
   * long.
   */
  private static <T> T looking(boolean isDryRun, IntFunction<T> run) {
    if (isDryRun) {
      try {
        return run.apply(TaskViews.MOST_COUNTED);
      } catch (StoreUnavailable e) {
        if (!FailureText.isCancelled(e)) {
          throw e;
        }
      }
    }
    return run.apply(TaskViews.MOST_LOOKED);
  }

  @Override
  public int expire(long believedMicros, int limit) {
    return database.transaction(
        "ending tasks that are too late",
        connection ->
            TaskEnds.lockAndEnd(
                connection,
                LOCK_EXPIRED
                    .on(connection)
                    .with("believed_micros", believedMicros)
                    .with("max_tasks", limit),
                TaskState.FAILED,
                "not started by its start deadline"));
  }

  @Override
  public StoredHandlerSettings settings(TaskHandler handler) {
    return calls.single(
        "reading settings", connection -> HandlerRows.settings(connection, handler));
  }

  /**
   * Changes settings in a first transaction. The later ones wake tasks by a new policy of keys and
   * count for a new quota.
   */
  @Override
  public StoredHandlerSettings changeHandler(
      TaskHandler handler, UnaryOperator<StoredHandlerSettings> change) {
    HandlerRows.Changed changed =
        calls.transaction(
            "changing settings", connection -> HandlerRows.change(connection, handler, change));
    if (changed.keyPolicy()) {
      Optional<OrderingKeyId> after = Optional.empty();
      do {
        after = promote(handler, after);
      } while (after.isPresent());
    }
    if (changed.quota()) {
      calls.transaction(
          "counting the tasks of " + handler,
          connection -> AdmissionQuotas.count(connection, handler));
    }
    return changed.after();
  }

  /**
   * Wakes tasks of some keys of the handler.
   *
   * @return the last of these keys, empty when there are no more
   */
  private Optional<OrderingKeyId> promote(TaskHandler handler, Optional<OrderingKeyId> after) {
    return calls.transaction(
        "waking tasks",
        connection -> {
          List<OrderingKeyId> keys = KeyControl.page(connection, handler, after, KEYS_AT_ONCE);
          KeyControl.promote(connection, keys);
          return keys.isEmpty() ? Optional.empty() : Optional.of(keys.getLast());
        });
  }

  @Override
  public List<BlockedKey> stuckKeys(KeyQuery query) {
    return calls.single("listing keys", connection -> KeyControl.stuck(connection, query));
  }

  @Override
  public HeadResult skipHead(TaskHandler handler, OrderingKey key, @Nullable TaskId expected) {
    return calls.transaction(
        "skipping the head of a key",
        connection -> KeyControl.act(connection, handler, key, expected, KeyControl.Command.SKIP));
  }

  @Override
  public HeadResult retryHead(TaskHandler handler, OrderingKey key, @Nullable TaskId expected) {
    return calls.transaction(
        "trying the head of a key again",
        connection -> KeyControl.act(connection, handler, key, expected, KeyControl.Command.RETRY));
  }

  private BatchStore batches() {
    return new PostgresBatches(database, calls, notedEnds);
  }

  @Override
  public BatchCreation createBatch(NewBatch batch) {
    return batches().createBatch(batch);
  }

  @Override
  public Optional<BatchView> findBatch(BatchId id) {
    return batches().findBatch(id);
  }

  @Override
  public List<BatchView> listBatches(BatchQuery query) {
    return batches().listBatches(query);
  }

  @Override
  public boolean closeBatch(BatchId id) {
    return batches().closeBatch(id);
  }

  @Override
  public BatchCancel cancelBatch(BatchId id, @Nullable TaskId before, int limit) {
    return batches().cancelBatch(id, before, limit);
  }

  @Override
  public CountedBatches countBatches(int limit) {
    return batches().countBatches(limit);
  }

  @Override
  public int pruneBatches(TaskState end, Duration retention, int limit) {
    return batches().pruneBatches(end, retention, limit);
  }

  @Override
  public FollowedEnds followEnds(Optional<TaskId> after, int limit, @Nullable EnqueueRequest onto) {
    return EndsToFollow.follow(database, after, limit, onto);
  }

  @Override
  public SweptEdges sweepEdges(Optional<SweptEdges.Position> after, int limit) {
    return database.single(
        "sweeping edges", connection -> EndsToFollow.sweep(connection, after, limit));
  }

  @Override
  public Map<TaskId, QueueName> queuesOf(Collection<TaskId> ids) {
    return ids.isEmpty()
        ? Map.of()
        : calls.single("looking for queues", connection -> GraphViews.queues(connection, ids));
  }

  @Override
  public TaskGraphView graph(TaskId id, int maxTasks, int maxEdges) {
    return calls.transaction(
        "showing a graph", connection -> GraphViews.view(connection, id, maxTasks, maxEdges));
  }

  @Override
  public UnfinishedTasks unfinishedFrom(TaskId id, int limit) {
    return calls.single(
        "looking for unfinished tasks of a graph",
        connection -> GraphViews.unfinishedFrom(connection, id, limit));
  }

  @Override
  public SweptKeys sweepKeys(Optional<OrderingKeyId> after, int limit) {
    List<OrderingKeyId> keys =
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
  public Optional<TaskView> find(TaskId id, boolean withPayload) {
    return calls.single(
        "reading a task", connection -> TaskViews.find(connection, id, withPayload));
  }

  @Override
  public TaskListing list(ListQuery query) {
    return calls.transaction("listing tasks", connection -> TaskViews.list(connection, query));
  }

  @Override
  public int prune(TaskState ended, Duration retention, int limit) {
    require(ended.isFinished(), ended + " is not an end");
    boolean succeeded = ended == TaskState.SUCCEEDED;
    SqlCall call =
        database.call("pruning finished tasks", succeeded ? PRUNE_SUCCEEDED : PRUNE_OTHER);
    return (succeeded ? call : call.with("state", TaskStateColumn.code(ended)))
        .with("retention_micros", EpochMicros.lengthOf(retention))
        .with("max_tasks", limit)
        .one(row -> row.getInt(1));
  }

  @Override
  public void setPause(TaskPause pause) {
    calls.transaction("pausing tasks", connection -> TaskPauses.set(connection, pause));
  }

  @Override
  public boolean endPause(TaskHandler handler, @Nullable CollectionName collection) {
    return calls.single(
        "resuming tasks", connection -> TaskPauses.lift(connection, handler, collection));
  }

  @Override
  public List<TaskPause.Active> pauses() {
    return calls.single("reading pauses", connection -> TaskPauses.list(connection, false));
  }

  @Override
  public int applyPauses(int limit) {
    return TaskPauses.tend(database, limit);
  }

  @Override
  public QueueUse changeLimit(QueueId queue, UnaryOperator<TaskQueueLimit> change) {
    return calls.transaction(
        "limiting a queue", connection -> QueueLimits.change(connection, queue, change));
  }

  @Override
  public Map<QueueId, QueueUse> limits() {
    return calls.single("reading limits", QueueLimits::list);
  }

  @Override
  public int stale(Duration overdue, int most) {
    return database
        .call("counting stale tasks", STALE)
        .with("overdue_micros", EpochMicros.lengthOf(overdue))
        .with("most", most)
        .one(row -> row.getInt(1));
  }

  @Override
  public List<HandlerBacklog> backlogs(int limit) {
    return HandlerCounters.backlogs(database, limit);
  }

  @Override
  public void recountLimits() {
    database.transaction("counting what limits count", QueueLimits::recount);
    KeyLimitRows.recount(database);
  }

  @Override
  public SweptLimits sweepLimits(@Nullable LimitName after, Set<QueueId> unserved, int limit) {
    return KeyLimitRows.sweep(database, after, unserved, limit);
  }

  @Override
  public KeyLimitChange setKeyLimit(LimitPattern pattern, TaskQueueLimit limit) {
    return calls.transaction(
        "setting a limit", connection -> KeyLimitRows.set(connection, pattern, limit));
  }

  @Override
  public boolean removeKeyLimit(LimitPattern pattern) {
    return calls.transaction(
        "removing a limit", connection -> KeyLimitRows.remove(connection, pattern));
  }

  @Override
  public List<KeyLimitUse> keyLimits() {
    return calls.single("reading limits by key", connection -> KeyLimitRows.list(connection, null));
  }

  @Override
  public Optional<KeyLimitUse> keyLimit(LimitPattern pattern) {
    return calls
        .single("reading a limit by key", connection -> KeyLimitRows.list(connection, pattern))
        .stream()
        .findFirst();
  }

  @Override
  public List<LimitNameUse> keyLimitUses(
      LimitPattern pattern, @Nullable LimitName after, int limit) {
    return calls.single(
        "reading uses of a limit",
        connection -> KeyLimitRows.uses(connection, pattern, after, limit));
  }

  @Override
  public RedriveResult redrive(RedriveRequest request) {
    return looking(
        request.isDryRun(),
        most ->
            calls.transaction(
                "putting tasks back", connection -> TaskRedrives.run(connection, request, most)));
  }

  @Override
  public FailureGroup.Listing failures(FailureGroup.Query query) {
    return FailureGroupRows.list(calls, query);
  }

  @Override
  public void asked(Collection<TaskHandler> handlers) {
    if (!handlers.isEmpty()) {
      HandlerCounters.asked(database, handlers);
    }
  }

  @Override
  public void forgetAsked(Duration retention) {
    HandlerCounters.forgetAsked(database, retention);
  }

  @Override
  public List<HandlerCounts> numbers(
      HandlerPatterns which,
      @Nullable TaskHandler after,
      int limit,
      HandlerCounts.Counting counting) {
    return HandlerCounters.list(calls, which, after, limit, counting);
  }

  @Override
  public Optional<HandlerCounts> numbers(TaskHandler handler) {
    return HandlerCounters.of(calls, handler);
  }
}
