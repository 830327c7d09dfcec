package io.kairos.model.task;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.fire.ExecutionIds;
import io.kairos.domain.schedule.fire.LastRun;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.OrderingKeyPolicy;
import io.kairos.domain.task.OrderingKeyState.Change;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskEvent;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskIdempotency;
import io.kairos.domain.task.TaskLife;
import io.kairos.domain.task.TaskProgress;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.TraceContext;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.graph.GraphEdge;
import io.kairos.domain.task.limit.LimitName;
import io.kairos.domain.task.limit.LimitPattern;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueMaker;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.node.LeaseClock;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.port.ArrivingTask;
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
import io.kairos.engine.task.port.NewTask;
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
import io.kairos.engine.task.port.TaskReceipt;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.batch.BatchCancel;
import io.kairos.engine.task.port.batch.BatchCreation;
import io.kairos.engine.task.port.batch.BatchQuery;
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
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The task store in memory, on a given clock, for the simulator and for tests without a database.
 * Passes the same contract suite as Postgres. Unavailable only for an id that is taken; wrappers
 * add other failures. Thread-safe, one call at a time.
 */
public final class ModelTaskStore implements TaskStore {
  private static final Comparator<TaskRow> ENQUEUE_ORDER =
      Comparator.<TaskRow>comparingLong(row -> row.triggerMicros)
          .thenComparingInt(row -> row.queue().value())
          .thenComparing(TaskRow::id);

  private final InstantSource clock;

  @GuardedBy("this")
  private final ModelQueueNumbers queues = new ModelQueueNumbers();

  @GuardedBy("this")
  private final TaskTable tasks;

  @GuardedBy("this")
  private final ModelOrderingKeys keys;

  @GuardedBy("this")
  private final ModelBatches batches;

  @GuardedBy("this")
  private final ModelGraphs graphs;

  @GuardedBy("this")
  private final ModelKeyHeads heads;

  @GuardedBy("this")
  private final Map<TaskHandler, RetryPolicy> retryPolicies = new HashMap<>();

  @GuardedBy("this")
  private final ModelAdmissions admission;

  @GuardedBy("this")
  private final ModelPauses pauses = new ModelPauses(this::now);

  @GuardedBy("this")
  private final ModelPausedTasks gatekeeper;

  @GuardedBy("this")
  private final ModelQueueLimits limits = new ModelQueueLimits();

  @GuardedBy("this")
  private final ModelKeyLimits keyLimits;

  @GuardedBy("this")
  private final ModelClaims claiming;

  @GuardedBy("this")
  private final ModelRedrives redriving;

  @GuardedBy("this")
  private Function<ScheduleId, @Nullable ScheduleName> scheduleNames = _ -> null;

  /**
   * @param clock the store's own clock
   */
  public ModelTaskStore(InstantSource clock) {
    this(clock, TaskStoreObserver.NONE);
  }

  /**
   * @param clock the store's own clock
   */
  public ModelTaskStore(InstantSource clock, TaskStoreObserver observer) {
    this(clock, observer, MOST_READY_AT_ONCE);
  }

  /**
   * @param clock the store's own clock
   * @param mostReadyAtOnce instead of {@link #MOST_READY_AT_ONCE}
   */
  @SuppressWarnings("GuardedBy") // lambdas run within the call
  public ModelTaskStore(InstantSource clock, TaskStoreObserver observer, int mostReadyAtOnce) {
    this.clock = clock;
    this.tasks = new TaskTable(observer);
    this.keys = new ModelOrderingKeys(tasks, queues::handler);
    this.batches = new ModelBatches(tasks, queues::handler);
    this.graphs = new ModelGraphs(tasks, keys, batches, mostReadyAtOnce);
    this.heads = new ModelKeyHeads(tasks, keys);
    this.admission = new ModelAdmissions(tasks, queues::name);
    this.gatekeeper = new ModelPausedTasks(pauses, tasks, keys, queues);
    this.keyLimits = new ModelKeyLimits(tasks, gatekeeper::isPaused);
    this.claiming = new ModelClaims(tasks, keys, limits, keyLimits, gatekeeper, graphs);
    this.redriving = new ModelRedrives(tasks, keys, graphs, queues);
  }

  /** Sets who knows the names of schedules. */
  public synchronized void namesOfSchedules(Function<ScheduleId, @Nullable ScheduleName> names) {
    scheduleNames = names;
  }

  private long now() {
    return EpochMicros.of(clock.instant());
  }

  @Override
  public synchronized Map<QueueName, QueueId> queues(
      Collection<QueueName> wanted, @Nullable QueueMaker maker) {
    return queues.of(wanted, maker);
  }

  @Override
  public synchronized RetiredQueues retireQueues() {
    return queues.retire(holdsNothing());
  }

  @Override
  public synchronized int forgetQueues(RetiredQueues retired) {
    return queues.forget(retired, holdsNothing());
  }

  /** Successes hold their queue as well: the model does not watch which of them are pruned. */
  @SuppressWarnings("GuardedBy") // lambdas run within the call
  @GuardedBy("this")
  private Predicate<QueueId> holdsNothing() {
    Set<QueueId> used =
        tasks.newestFirst(null).stream().map(TaskRow::queue).collect(Collectors.toSet());
    used.addAll(limits.all().keySet());
    Set<TaskHandler> paused =
        pauses.closed().stream()
            .map(active -> active.pause().handler())
            .collect(Collectors.toSet());
    return queue -> {
      TaskHandler handler = queues.handler(queue);
      return !used.contains(queue)
          && !queues.isAsked(queue)
          && !retryPolicies.containsKey(handler)
          && admission.maxUnfinished(handler) == null
          && keys.policy(handler).equals(OrderingKeyPolicy.DEFAULT)
          && !paused.contains(handler);
    };
  }

  @Override
  public synchronized int queuesOf(QueueMaker maker) {
    return queues.madeBy(maker);
  }

  @Override
  public synchronized Map<QueueId, QueueName> queues() {
    return queues.all();
  }

  @Override
  public synchronized Set<QueueId> fairQueues() {
    return queues.fair();
  }

  @Override
  public boolean isReadFairly() {
    return true;
  }

  @Override
  public synchronized List<InsertResult> insert(
      NodeId node, List<InsertRequest> requests, Duration enqueueTimeout) {
    Set<TaskId> seen = new HashSet<>();
    for (InsertRequest request : requests) {
      for (ArrivingTask arrival : request.arrivals()) {
        TaskId id = arrival.task().id();
        if (tasks.live(id) != null || !seen.add(id)) {
          throw new StoreUnavailable("storing tasks failed: " + id + " is taken");
        }
      }
    }
    long now = now();
    return requests.stream()
        .<InsertResult>map(request -> insert(request, node, now, enqueueTimeout))
        .toList();
  }

  @SuppressWarnings("GuardedBy") // lambdas run within the call
  private InsertResult insert(
      InsertRequest request, NodeId node, long now, Duration enqueueTimeout) {
    if (request.arrivals().stream().anyMatch(one -> !queues.isInUse(one.task().queue()))) {
      return new InsertResult.QueueRetired();
    }
    InsertResult judged = admission.judge(request, now);
    if (!(judged instanceof InsertResult.Stored(List<TaskReceipt> receipts))) {
      return judged;
    }
    List<NewTask> fresh = new ArrayList<>();
    Map<TaskId, TaskId> formers = new HashMap<>();
    for (int i = 0; i < receipts.size(); i++) {
      NewTask task = request.arrivals().get(i).task();
      if (receipts.get(i).duplicate()) {
        formers.put(task.id(), receipts.get(i).id());
      } else {
        fresh.add(task);
      }
    }
    Optional<InsertResult> refusal = graphs.refusal(request, formers);
    if (refusal.isPresent()) {
      return refusal.get();
    }
    Optional<InsertResult> notInBatch = batches.refusal(request, formers.keySet());
    if (notInBatch.isPresent()) {
      return notInBatch.get();
    }
    ModelGraphs.Resolved edges = graphs.resolved(request, formers);
    Map<TaskId, ModelOrderingKeys.KeyPosition> places = keys.places(fresh, edges.awaiting());
    List<TaskReceipt> result = new ArrayList<>();
    for (int i = 0; i < receipts.size(); i++) {
      ArrivingTask arrival = request.arrivals().get(i);
      if (!receipts.get(i).duplicate()) {
        admission.take(arrival, now);
        TaskId id = arrival.task().id();
        TaskLife begins = life(places.get(id), edges.awaiting().contains(id));
        result.add(store(arrival, places.get(id), begins, node, now, enqueueTimeout));
        continue;
      }
      if (isReplacement(arrival)) {
        replace(receipts.get(i).id(), arrival);
      }
      result.add(receipts.get(i));
    }
    graphs.store(edges);
    return new InsertResult.Stored(result);
  }

  private static TaskLife life(ModelOrderingKeys.@Nullable KeyPosition place, boolean isAwaiting) {
    if (isAwaiting) {
      return TaskLife.ACCEPTED_AWAITING;
    }
    return place != null && place.blocked() ? TaskLife.ACCEPTED_BLOCKED : TaskLife.ACCEPTED;
  }

  @SuppressWarnings("GuardedBy") // lambdas run within the call
  private TaskReceipt store(
      ArrivingTask arrival,
      ModelOrderingKeys.@Nullable KeyPosition place,
      TaskLife begins,
      NodeId node,
      long now,
      Duration enqueueTimeout) {
    TaskRow row = new TaskRow(arrival.task(), begins, now);
    boolean onQueue = arrival.onQueue() && begins.equals(TaskLife.ACCEPTED);
    row.keyId = place == null ? null : place.key();
    noteFairness(arrival.task());
    if (onQueue) {
      row.isTaken(
          TaskEvent.ENQUEUE,
          node.toString(),
          Math.max(now, row.dueMicros) + EpochMicros.lengthOf(enqueueTimeout));
    }
    tasks.insert(row);
    batches.join(row);
    return new TaskReceipt(row.id(), false, onQueue, onQueue ? row.keyId : null);
  }

  @GuardedBy("this")
  private void noteFairness(NewTask task) {
    if (task.details().fairness() != null) {
      queues.isFair(task.queue());
    }
  }

  private static boolean isReplacement(ArrivingTask arrival) {
    TaskIdempotency idempotency = arrival.idempotency();
    return idempotency != null && idempotency.onConflict() == TaskIdempotency.OnConflict.REPLACE;
  }

  @SuppressWarnings("GuardedBy") // lambdas run within the call
  private void replace(TaskId id, ArrivingTask by) {
    TaskRow row = tasks.live(id);
    if (row == null) {
      throw new IllegalStateException("judged to wait, but gone: " + id);
    }
    Duration maxWait = requireNonNull(by.idempotency()).maxWait();
    noteFairness(by.task());
    tasks.change(row, one -> one.become(by.task(), maxWait));
  }

  /**
   * Stores tasks of one schedule, which no quota refuses.
   *
   * @param edges edges between them, and from unfinished tasks to them
   */
  public synchronized Map<TaskId, TaskReceipt> insertFired(
      NodeId node, List<ArrivingTask> arrivals, List<GraphEdge> edges, Duration enqueueTimeout) {
    Map<TaskId, TaskReceipt> receipts = new HashMap<>();
    ModelGraphs.Resolved resolved = graphs.resolved(new InsertRequest(arrivals, edges), Map.of());
    Map<TaskId, ModelOrderingKeys.KeyPosition> places =
        keys.places(arrivals.stream().map(ArrivingTask::task).toList(), resolved.awaiting());
    tasks.awaiting(edges);
    for (ArrivingTask arrival : arrivals) {
      TaskId id = arrival.task().id();
      TaskLife begins = life(places.get(id), resolved.awaiting().contains(id));
      receipts.put(id, store(arrival, places.get(id), begins, node, now(), enqueueTimeout));
    }
    graphs.store(resolved);
    return receipts;
  }

  /** Tasks of a schedule that have not ended. */
  public synchronized List<TaskId> unfinishedOf(ScheduleId schedule) {
    return tasks.live().stream()
        .filter(row -> schedule.equals(row.schedule()))
        .map(TaskRow::id)
        .sorted()
        .toList();
  }

  /** How a run has ended; empty when a task of it has not, or when none is known. */
  public synchronized Optional<LastRun> endOf(TaskId run) {
    TaskId last = ExecutionIds.last(run);
    if (!tasks.live(run, last).isEmpty()) {
      return Optional.empty();
    }
    Collection<TaskRow> ended = tasks.finished(run, last);
    Comparator<TaskRow> failuresLast =
        Comparator.comparing(
            row -> row.state() == TaskState.DEAD || row.state() == TaskState.FAILED);
    return ended.stream()
        .max(failuresLast)
        .map(worst ->
            new LastRun(
                worst.state(),
                EpochMicros.toInstant(
                    ended.stream().mapToLong(row -> row.finishedMicros).max().orElseThrow())));
  }

  @Override
  public synchronized Optional<AdmissionQuota> quota(TaskHandler handler) {
    return admission.quota(handler);
  }

  @Override
  public synchronized void recountQuotas() {
    // it counts whenever it is asked
  }

  @Override
  public synchronized int pruneIdempotencyKeys(int limit) {
    return admission.prune(now(), limit);
  }

  @SuppressWarnings("GuardedBy") // lambdas run within the call
  @Override
  public synchronized List<EnqueuedTask> enqueue(EnqueueRequest request) {
    List<EnqueuedTask> enqueued = new ArrayList<>();
    EnqueueRequest left = request;
    boolean hasPaused;
    do {
      List<TaskRow> candidates = candidates(left, now() + EpochMicros.lengthOf(request.ahead()));
      hasPaused = candidates.removeIf(gatekeeper::pauses);
      List<EnqueuedTask> more = enqueue(left, candidates);
      enqueued.addAll(more);
      left = left.without(more);
    } while (hasPaused);
    enqueued.sort(
        Comparator.comparingLong(EnqueuedTask::triggerMicros)
            .thenComparing(one -> one.task().id()));
    return enqueued;
  }

  @GuardedBy("this")
  private List<EnqueuedTask> enqueue(EnqueueRequest request, List<TaskRow> candidates) {
    long bytes = 0;
    Set<QueueId> served = new HashSet<>();
    List<EnqueuedTask> enqueued = new ArrayList<>();
    for (TaskRow row : candidates) {
      bytes += row.payloadBytes();
      boolean isFirst = served.add(row.queue());
      if (isFirst || bytes <= request.maxBytes()) {
        enqueued.add(enqueue(request.node(), request.enqueueTimeout(), row));
      }
    }
    return enqueued;
  }

  @GuardedBy("this")
  private EnqueuedTask enqueue(NodeId node, Duration enqueueTimeout, TaskRow row) {
    long waitedFor = row.triggerMicros;
    long until = Math.max(now(), waitedFor) + EpochMicros.lengthOf(enqueueTimeout);
    tasks.change(row, one -> one.isTaken(TaskEvent.ENQUEUE, node.toString(), until));
    return row.asEnqueued(waitedFor);
  }

  @SuppressWarnings("GuardedBy") // lambdas run within the call
  @Override
  public synchronized FairEnqueueResult enqueueFairly(FairEnqueueRequest request) {
    ModelFairTasks found;
    do {
      found = fairTasks(request);
    } while (new ArrayList<>(found.rows()).removeIf(gatekeeper::pauses));
    List<EnqueuedTask> enqueued = new ArrayList<>();
    List<TaskRow> cut = new ArrayList<>();
    long bytes = 0;
    for (TaskRow row : found.rows()) {
      bytes += row.payloadBytes();
      if (!enqueued.isEmpty() && bytes > request.maxBytes()) {
        cut.add(row);
      } else {
        enqueued.add(enqueue(request.node(), request.enqueueTimeout(), row));
      }
    }
    enqueued.sort(
        Comparator.comparingLong(EnqueuedTask::triggerMicros)
            .thenComparing(one -> one.task().id()));
    return new FairEnqueueResult(enqueued, found.nextAfter(cut), found.isWhole());
  }

  @GuardedBy("this")
  private ModelFairTasks fairTasks(FairEnqueueRequest request) {
    return ModelFairTasks.of(
        request,
        gatekeeper.waiting(request.queue()),
        now() + EpochMicros.lengthOf(request.ahead()),
        now());
  }

  @GuardedBy("this")
  private List<TaskRow> candidates(EnqueueRequest request, long untilMicros) {
    List<TaskRow> candidates = new ArrayList<>();
    request
        .limits()
        .forEach((queue, limit) ->
            gatekeeper.waiting(queue).stream()
                .takeWhile(row -> row.triggerMicros <= untilMicros)
                .filter(row -> !row.isTooLateAt(now()))
                .limit(Math.max(0, limit))
                .forEach(candidates::add));
    candidates.sort(ENQUEUE_ORDER);
    return candidates;
  }

  @Override
  public synchronized void release(List<FencedTask> enqueued, Duration enqueueTimeout) {
    for (FencedTask task : enqueued) {
      TaskRow row = tasks.held(task, TaskState.ENQUEUED);
      if (row != null) {
        giveBack(row, EpochMicros.lengthOf(enqueueTimeout));
      }
    }
  }

  @GuardedBy("this")
  private void giveBack(TaskRow row, long timeoutMicros) {
    tasks.change(
        row,
        one ->
            one.happens(
                TaskEvent.RELEASE,
                one.attempt() == 0 ? one.dueMicros : one.triggerMicros - timeoutMicros));
  }

  @Override
  public synchronized ClaimResult claim(List<TaskClaim> claims, Duration lease) {
    return claiming.run(claims, lease, now());
  }

  @SuppressWarnings("GuardedBy") // lambdas run within the call
  @Override
  public synchronized Map<TaskId, Predecessors> predecessors(List<PredecessorQuery> queries) {
    Map<TaskId, Predecessors> found = new HashMap<>();
    queries.forEach(
        query -> found.put(query.successor(), graphs.predecessors(query, queues::handler)));
    return found;
  }

  @SuppressWarnings("GuardedBy") // lambdas run within the call
  @Override
  public synchronized List<HeartbeatFinding> heartbeat(
      List<LeaseRenewal> renewals, long believedMicros) {
    long now = now();
    long judgedAt = Math.min(now, believedMicros);
    return renewals.stream()
        .map(renewal -> {
          TaskRow row = tasks.held(renewal.task(), TaskState.PROCESSING);
          if (row == null
              || row.isOverTimeAt(judgedAt)
              || !ReportedBy.mayPerform(renewal.caller(), row.performedBy())) {
            return HeartbeatFinding.LOST;
          }
          long until = now + EpochMicros.lengthOf(renewal.lease());
          tasks.change(
              row, one -> one.happens(TaskEvent.HEARTBEAT, Math.max(one.triggerMicros, until)));
          row.noteHeartbeat(now);
          TaskProgress said = renewal.progress();
          if (said != null) {
            row.noteProgress(said, now);
          }
          return row.cancelRequested()
              ? HeartbeatFinding.CANCEL_REQUESTED
              : HeartbeatFinding.EXTENDED;
        })
        .toList();
  }

  @SuppressWarnings("GuardedBy") // lambdas run within the call
  @Override
  public synchronized List<HeldAttempt> attempts(Collection<FencedTask> processing) {
    return processing.stream()
        .flatMap(task -> Stream.ofNullable(tasks.held(task, TaskState.PROCESSING)))
        .map(row -> attempt(row, LeaseClock.NOTHING_PASSED))
        .toList();
  }

  @SuppressWarnings("GuardedBy") // lambdas run within the call
  private HeldAttempt attempt(TaskRow row, long judgedAtMicros) {
    return row.asAttempt(policy(queues.handler(row)), judgedAtMicros);
  }

  @Override
  public synchronized SettlementResult settle(
      List<Settlement> settlements, @Nullable EnqueueRequest onto, long believedMicros) {
    return settle(settlements, onto, Math.min(now(), believedMicros), false);
  }

  @Override
  public synchronized SettlementResult reap(List<Settlement> settlements, long believedMicros) {
    return settle(settlements, null, Math.min(now(), believedMicros), true);
  }

  /**
   * @param judgedAt the time by which leases have lapsed and execution timeouts have passed
   * @param onlyLapsed settles only what has lapsed
   */
  @SuppressWarnings("GuardedBy") // lambdas run within the call
  @GuardedBy("this")
  private SettlementResult settle(
      List<Settlement> settlements,
      @Nullable EnqueueRequest onto,
      long judgedAt,
      boolean onlyLapsed) {
    long now = now();
    Set<FencedTask> settled = new HashSet<>();
    Set<QueueId> roomIn = new HashSet<>();
    List<SettlementResult.Execution> executions = new ArrayList<>();
    List<ModelOrderingKeys.Changed> changes = new ArrayList<>();
    List<TaskRow> freed = new ArrayList<>();
    Map<FencedTask, String> traceparents = new HashMap<>();
    for (Settlement settlement : settlements) {
      TaskRow held = tasks.under(settlement.task());
      Instant start = held == null ? null : held.attemptStartedAt();
      TaskRow row = settled(settlement, now, judgedAt, onlyLapsed);
      if (row != null && start != null && !(settlement instanceof Settlement.NotBegun)) {
        executions.add(
            new SettlementResult.Execution(
                settlement.task(), row.queue(), now - EpochMicros.of(start)));
      }
      if (row != null) {
        settled.add(settlement.task());
        if (!(settlement instanceof Settlement.Requeue)) {
          TraceContext trace = row.traceContext();
          if (trace != null) {
            traceparents.put(settlement.task(), trace.traceparent());
          }
          changes.add(new ModelOrderingKeys.Changed(keyChange(row.state()), row));
          freed.add(row);
          if (limits.ended(row.queue())) {
            roomIn.add(row.queue());
          }
        }
      }
    }
    List<TaskRow> following = keys.following(changes);
    List<TaskRow> ordered =
        following.stream()
            .filter(
                row -> keys.policy(queues.handler(row)).mode() instanceof OrderingKeyPolicy.Ordered)
            .toList();
    List<EnqueuedTask> enqueued = new ArrayList<>(wake(onto, ordered));
    List<TaskId> ends = settled.stream().map(FencedTask::id).sorted().toList();
    List<TaskRow> ready = graphs.follow(ends);
    enqueued.addAll(wake(onto == null ? null : onto.without(enqueued), ready));
    Stream.concat(following.stream(), ready.stream())
        .filter(TaskRow::isWaiting)
        .map(TaskRow::queue)
        .forEach(roomIn::add);
    roomIn.addAll(keyLimits.ended(freed, now));
    return new SettlementResult(
        settled, roomIn, executions, enqueued, traceparents, graphs.isLeft(ends));
  }

  /** Enqueues the tasks that wait no more and for which there is room, in the order of ids. */
  @GuardedBy("this")
  private List<EnqueuedTask> wake(@Nullable EnqueueRequest request, List<TaskRow> woken) {
    if (request == null) {
      return List.of();
    }
    long until = now() + EpochMicros.lengthOf(request.ahead());
    long bytes = 0;
    Map<QueueId, Integer> nth = new HashMap<>();
    List<EnqueuedTask> enqueued = new ArrayList<>();
    for (TaskRow row : woken.stream().sorted(Comparator.comparing(TaskRow::id)).toList()) {
      bytes += row.payloadBytes();
      int taken = nth.getOrDefault(row.queue(), 0);
      nth.put(row.queue(), taken + 1);
      boolean hasRoom = taken < request.limits().getOrDefault(row.queue(), 0);
      if (hasRoom && bytes <= request.maxBytes() && row.triggerMicros <= until) {
        enqueued.add(enqueue(request.node(), request.enqueueTimeout(), row));
      }
    }
    return enqueued;
  }

  private static Change keyChange(TaskState next) {
    return switch (next) {
      case FAILED, DEAD -> Change.FAILED_FOR_GOOD;
      case SUCCEEDED, CANCELLED -> Change.ENDED;
      case NEW, ENQUEUED, PROCESSING, RETRIABLE_FAILURE, AWAITING, BLOCKED, PAUSED ->
          Change.FAILED_FOR_NOW;
    };
  }

  /** The row as the settlement has left it; null when it did not apply. */
  @GuardedBy("this")
  private @Nullable TaskRow settled(
      Settlement settlement, long now, long judgedAt, boolean onlyLapsed) {
    TaskRow row = tasks.under(settlement.task());
    if (row == null
        || !row.allows(settlement.event())
        || !settlement.by().mayHold(row.holder, row.performedBy())
        || (onlyLapsed
            ? row.triggerMicros > judgedAt
            : row.isOverTimeAt(judgedAt) && isResult(settlement, row))) {
      return null;
    }
    switch (settlement) {
      case Settlement.Finish finish -> tasks.change(row, one -> finish(one, finish, now));
      case Settlement.Retry retry -> tasks.change(row, one -> retry(one, retry, now));
      case Settlement.NotBegun notBegun -> tasks.change(row, one -> notBegun(one, notBegun, now));
      case Settlement.Snooze snooze -> tasks.change(row, one -> snooze(one, snooze, now));
      case Settlement.Requeue _ -> giveBack(row, 0);
    }
    return row;
  }

  /** True for a settlement that an attempt over time cannot have. */
  private static boolean isResult(Settlement settlement, TaskRow row) {
    return (settlement instanceof Settlement.Snooze && !row.cancelRequested())
        || (settlement instanceof Settlement.Finish finish
            && finish.state() != TaskState.CANCELLED);
  }

  private static void finish(TaskRow row, Settlement.Finish finish, long now) {
    if (finish.state() == TaskState.FAILED || finish.state() == TaskState.DEAD) {
      row.noteFailure(finish.event(), finish.error(), finish.errorClass(), finish.stack(), now);
    } else if (finish.state() == TaskState.SUCCEEDED) {
      row.noteResult(finish.result());
    }
    row.ends(finish.event(), now);
  }

  private static void retry(TaskRow row, Settlement.Retry retry, long now) {
    row.noteFailure(retry.event(), retry.error(), retry.errorClass(), retry.stack(), now);
    row.waitsOrEnds(retry.event(), now + EpochMicros.lengthOf(retry.delay()), now);
  }

  private static void notBegun(TaskRow row, Settlement.NotBegun notBegun, long now) {
    row.waitsOrEnds(notBegun.event(), row.attempt() == 1 ? row.dueMicros : now, now);
  }

  private static void snooze(TaskRow row, Settlement.Snooze snooze, long now) {
    long due = now + EpochMicros.lengthOf(snooze.delay());
    if (!row.cancelRequested()) {
      row.dueMicros = due;
    }
    row.waitsOrEnds(snooze.event(), due, now);
  }

  @Override
  public synchronized List<HeldAttempt> lapsed(long believedMicros, int limit) {
    long until = Math.min(now(), believedMicros);
    return tasks.held().stream()
        .takeWhile(row -> row.triggerMicros <= until)
        .limit(limit)
        .map(row -> attempt(row, until))
        .toList();
  }

  @SuppressWarnings("GuardedBy") // lambdas run within the call
  @Override
  public synchronized int shortenLeases(Duration beyond, Duration lease, int limit) {
    long longest = now() + EpochMicros.lengthOf(beyond);
    long until = now() + EpochMicros.lengthOf(lease);
    List<TaskRow> longer =
        tasks.held().stream()
            .filter(row -> row.state() == TaskState.PROCESSING && row.triggerMicros > longest)
            .filter(row -> !(queues.handler(row) instanceof PoolName))
            .limit(limit)
            .toList();
    longer.forEach(row -> tasks.change(row, one -> one.happens(TaskEvent.HEARTBEAT, until)));
    return longer.size();
  }

  @Override
  public synchronized int releaseHeldBy(Set<NodeId> departed, Duration enqueueTimeout, int limit) {
    Set<String> holders = departed.stream().map(NodeId::toString).collect(Collectors.toSet());
    List<TaskRow> held = enqueuedBy(holders).limit(limit).toList();
    held.forEach(row -> giveBack(row, EpochMicros.lengthOf(enqueueTimeout)));
    return held.size();
  }

  @Override
  public synchronized List<FencedTask> enqueuedBy(NodeId node, int limit) {
    return enqueuedBy(Set.of(node.toString())).limit(limit).map(TaskRow::fenced).toList();
  }

  @GuardedBy("this")
  private Stream<TaskRow> enqueuedBy(Set<String> holders) {
    return tasks.held().stream()
        .filter(row -> row.state() == TaskState.ENQUEUED)
        .filter(row -> row.holder != null && holders.contains(row.holder));
  }

  @Override
  public synchronized Map<TaskId, TaskHolder> holders(Collection<TaskId> ids) {
    Map<TaskId, TaskHolder> holders = new HashMap<>();
    for (TaskId id : ids) {
      TaskRow row = tasks.live(id);
      if (row != null && row.holder != null) {
        holders.put(id, new TaskHolder(row.holder, row.fence(), row.performedBy()));
      }
    }
    return holders;
  }

  @Override
  public synchronized CancelResult cancel(TaskId id) {
    TaskRow row = tasks.live(id);
    if (row == null) {
      return tasks.finished(id) == null ? CancelResult.UNKNOWN : CancelResult.TOO_LATE;
    }
    tasks.change(row, one -> one.ends(TaskEvent.CANCEL, now()));
    if (!row.state().isFinished()) {
      return CancelResult.REQUESTED;
    }
    keys.left(List.of(row));
    return CancelResult.CANCELLED;
  }

  @Override
  public synchronized boolean reschedule(TaskId id, long dueMicros) {
    TaskRow row = tasks.live(id);
    if (row == null || !row.allows(TaskEvent.RESCHEDULE) || row.isTooLateAt(dueMicros)) {
      return false;
    }
    tasks.change(
        row,
        one -> {
          one.dueMicros = dueMicros;
          one.happens(TaskEvent.RESCHEDULE, dueMicros);
        });
    keys.left(List.of(row));
    return true;
  }

  @SuppressWarnings("GuardedBy") // lambdas run within the call
  @Override
  public synchronized ChangeResult change(ChangeRequest request) {
    long now = now();
    List<TaskId> found =
        tasks.newestFirst(null).reversed().stream()
            .filter(row -> ModelSearch.matches(request, row, queues::handler, now))
            .limit(request.limit())
            .map(TaskRow::id)
            .toList();
    int count =
        switch (request.action()) {
          case ChangeRequest.Cancel() -> {
            if (!request.isDryRun()) {
              found.forEach(this::cancel);
            }
            yield found.size();
          }
          case ChangeRequest.Reschedule(Long start, Duration apart) ->
              reschedule(
                  found,
                  start == null ? now : start,
                  EpochMicros.lengthOf(apart),
                  request.isDryRun());
        };
    return new ChangeResult(
        count,
        found.size() == request.limit() ? found.getLast() : null,
        EpochMicros.toInstant(now));
  }

  @GuardedBy("this")
  private int reschedule(List<TaskId> ids, long startMicros, long apartMicros, boolean isDryRun) {
    int moved = 0;
    for (int i = 0; i < ids.size(); i++) {
      long due = startMicros + i * apartMicros;
      TaskRow row = tasks.live(ids.get(i));
      boolean moves = isDryRun ? row != null && !row.isTooLateAt(due) : reschedule(ids.get(i), due);
      moved += moves ? 1 : 0;
    }
    return moved;
  }

  @Override
  public synchronized int expire(long believedMicros, int limit) {
    long now = now();
    List<TaskRow> late =
        tasks.notBegunBy(Math.min(now, believedMicros)).stream().limit(limit).toList();
    late.forEach(
        row -> tasks.fail(row, TaskEvent.EXPIRE, "not started by its start deadline", now));
    keys.left(late);
    return late.size();
  }

  @SuppressWarnings("GuardedBy") // lambdas run within the call
  private RetryPolicy policy(TaskHandler handler) {
    return retryPolicies.getOrDefault(handler, RetryPolicy.DEFAULT);
  }

  @Override
  public synchronized StoredHandlerSettings settings(TaskHandler handler) {
    return new StoredHandlerSettings(
        policy(handler), admission.maxUnfinished(handler), keys.policy(handler));
  }

  @Override
  public synchronized StoredHandlerSettings changeHandler(
      TaskHandler handler, UnaryOperator<StoredHandlerSettings> change) {
    StoredHandlerSettings before = settings(handler);
    StoredHandlerSettings after = change.apply(before);
    retryPolicies.put(handler, after.retryPolicy());
    admission.setQuota(handler, after.maxUnfinished());
    if (!after.keyPolicy().equals(before.keyPolicy())) {
      keys.setPolicy(handler, after.keyPolicy());
    }
    return after;
  }

  @Override
  public synchronized List<BlockedKey> stuckKeys(KeyQuery query) {
    return keys.stuck(query);
  }

  @Override
  public synchronized HeadResult skipHead(
      TaskHandler handler, OrderingKey key, @Nullable TaskId expected) {
    return heads.skip(handler, key, expected, now());
  }

  @Override
  public synchronized HeadResult retryHead(
      TaskHandler handler, OrderingKey key, @Nullable TaskId expected) {
    return heads.retry(handler, key, expected, now());
  }

  @Override
  public synchronized BatchCreation createBatch(NewBatch batch) {
    return batches.create(batch, now());
  }

  @Override
  public synchronized Optional<BatchView> findBatch(BatchId id) {
    return batches.find(id);
  }

  @Override
  public synchronized List<BatchView> listBatches(BatchQuery query) {
    return batches.list(query);
  }

  @Override
  public synchronized boolean closeBatch(BatchId id) {
    return batches.close(id, now());
  }

  @SuppressWarnings("GuardedBy") // lambdas run within the call
  @Override
  public synchronized BatchCancel cancelBatch(BatchId id, @Nullable TaskId before, int limit) {
    List<TaskId> some =
        tasks.live().stream()
            .filter(row -> id.equals(row.batch()) && !row.cancelRequested())
            .map(TaskRow::id)
            .filter(task -> before == null || task.compareTo(before) < 0)
            .sorted(Comparator.reverseOrder())
            .limit(limit)
            .toList();
    some.forEach(this::cancel);
    return new BatchCancel(some.size(), some.size() == limit ? some.getLast() : null);
  }

  @Override
  public synchronized CountedBatches countBatches(int limit) {
    return new CountedBatches(0, batches.count(limit, now()), false);
  }

  @Override
  public synchronized int pruneBatches(TaskState end, Duration retention, int limit) {
    return batches.prune(end, now() - EpochMicros.lengthOf(retention), limit, graphs.untold());
  }

  @Override
  public synchronized FollowedEnds followEnds(
      Optional<TaskId> after, int limit, @Nullable EnqueueRequest onto) {
    List<TaskRow> ready = new ArrayList<>();
    FollowedEnds followed = graphs.followEnds(after, limit, now(), ready);
    return new FollowedEnds(
        followed.last(), followed.found(), followed.failure(), wake(onto, ready), false);
  }

  @Override
  public synchronized SweptEdges sweepEdges(Optional<SweptEdges.Position> after, int limit) {
    return graphs.sweep(after, limit);
  }

  @Override
  public synchronized Map<TaskId, QueueName> queuesOf(Collection<TaskId> ids) {
    Map<TaskId, QueueName> found = new HashMap<>();
    for (TaskId id : ids) {
      TaskRow row = tasks.any(id);
      if (row != null) {
        found.put(id, queues.name(row.queue()));
      } else {
        batches
            .find(new BatchId(id.value()))
            .ifPresent(batch -> found.put(id, new QueueName(batch.handler(), QueueName.DEFAULT)));
      }
    }
    return found;
  }

  @Override
  public synchronized TaskGraphView graph(TaskId id, int maxTasks, int maxEdges) {
    return graphs.view(id, maxTasks, maxEdges);
  }

  @Override
  public synchronized UnfinishedTasks unfinishedFrom(TaskId id, int limit) {
    return graphs.unfinishedFrom(id, limit);
  }

  @Override
  public synchronized SweptKeys sweepKeys(Optional<OrderingKeyId> after, int limit) {
    return keys.sweep(after, limit);
  }

  @Override
  public synchronized Optional<TaskView> find(TaskId id, boolean withPayload) {
    return Optional.ofNullable(tasks.any(id)).map(found -> view(found, withPayload));
  }

  @Override
  public synchronized List<TaskView> ended(Collection<TaskId> ids, long maxBytes) {
    List<TaskView> ended = new ArrayList<>();
    long bytes = 0;
    for (TaskId id : new TreeSet<>(ids)) {
      TaskRow row = tasks.any(id);
      if (row != null && row.state().isFinished() && bytes < maxBytes) {
        TaskView view = view(row, true).withoutPayload();
        bytes += view.progress().result().value().length;
        for (TaskView.Failure failure : view.progress().failures()) {
          bytes += failure.error().length() + failure.stack().length();
        }
        ended.add(view);
      }
    }
    return ended;
  }

  @Override
  public synchronized TaskListing list(ListQuery query) {
    ScheduleName schedule = query.search().schedule();
    List<TaskView> found =
        tasks.newestFirst(query.before()).stream()
            .filter(row -> schedule == null || schedule.equals(nameOf(row.madeBy())))
            .filter(row -> ModelSearch.matches(query, row, view(row, false)))
            .map(row -> view(row, false).listed())
            .limit(query.limit() + 1)
            .toList();
    return TaskListing.of(query, found, null);
  }

  @SuppressWarnings("GuardedBy") // lambdas run within the call
  private TaskView view(TaskRow row, boolean withPayload) {
    return row.asView(
        queues.name(row.queue()), policy(queues.handler(row)), nameOf(row.schedule()), withPayload);
  }

  @SuppressWarnings("GuardedBy") // lambdas run within the call
  private @Nullable ScheduleName nameOf(@Nullable ScheduleId schedule) {
    return schedule == null ? null : scheduleNames.apply(schedule);
  }

  @Override
  public synchronized int prune(TaskState ended, Duration retention, int limit) {
    if (!ended.isFinished()) {
      throw new IllegalArgumentException(ended + " is not an end");
    }
    return tasks.forget(ended, now() - EpochMicros.lengthOf(retention), limit, graphs.untold());
  }

  @Override
  public synchronized void setPause(TaskPause pause) {
    pauses.set(pause);
  }

  @Override
  public synchronized boolean endPause(TaskHandler handler, @Nullable CollectionName collection) {
    return pauses.lift(handler, collection);
  }

  @Override
  public synchronized List<TaskPause.Active> pauses() {
    return pauses.closed();
  }

  @Override
  public synchronized int applyPauses(int limit) {
    return gatekeeper.tend(limit, now());
  }

  @Override
  public synchronized QueueUse changeLimit(QueueId queue, UnaryOperator<TaskQueueLimit> change) {
    TaskQueueLimit before = limits.all().getOrDefault(queue, QueueUse.NONE).limit();
    limits.set(queue, change.apply(before), performed(queue));
    return limits.all().getOrDefault(queue, QueueUse.NONE);
  }

  @GuardedBy("this")
  private int performed(QueueId queue) {
    return (int)
        tasks.held().stream()
            .filter(row -> row.state() == TaskState.PROCESSING && row.queue().equals(queue))
            .count();
  }

  @Override
  public synchronized Map<QueueId, QueueUse> limits() {
    return limits.all();
  }

  @Override
  public synchronized int stale(Duration overdue, int most) {
    long late = now() - EpochMicros.lengthOf(overdue);
    Stream<TaskRow> live = tasks.newestFirst(null).stream();
    Map<Boolean, Long> counts =
        live.filter(row ->
                row.isWaiting()
                    ? row.triggerMicros <= late
                    : row.state() == TaskState.ENQUEUED
                        && row.attempt() == 0
                        && row.dueMicros <= late)
            .collect(Collectors.partitioningBy(TaskRow::isWaiting, Collectors.counting()));
    return counts.values().stream().mapToInt(count -> (int) Math.min(most, count)).sum();
  }

  @Override
  public synchronized List<HandlerBacklog> backlogs(int limit) {
    List<TaskRow> rows = tasks.newestFirst(null);
    List<HandlerBacklog> all = new ArrayList<>();
    for (TaskHandler handler : queues.handlers()) {
      all.add(queues.backlog(rows, handler, now(), pauses.closesAll(handler)));
    }
    all.sort(
        Comparator.comparing(HandlerBacklog::oldest)
            .reversed()
            .thenComparing(backlog -> backlog.handler().wireName()));
    return List.copyOf(all.subList(0, Math.min(limit, all.size())));
  }

  @Override
  public synchronized void recountLimits() {
    limits.all().keySet().forEach(queue -> limits.count(queue, performed(queue)));
    keyLimits.recount();
  }

  @Override
  public synchronized SweptLimits sweepLimits(
      @Nullable LimitName after, Set<QueueId> unserved, int limit) {
    return keyLimits.sweep(after, unserved, limit, now());
  }

  @Override
  public synchronized KeyLimitChange setKeyLimit(LimitPattern pattern, TaskQueueLimit limit) {
    return keyLimits.set(pattern, limit);
  }

  @Override
  public synchronized boolean removeKeyLimit(LimitPattern pattern) {
    return keyLimits.remove(pattern);
  }

  @Override
  public synchronized List<KeyLimitUse> keyLimits() {
    return keyLimits.all();
  }

  @Override
  public synchronized Optional<KeyLimitUse> keyLimit(LimitPattern pattern) {
    return keyLimits.all().stream().filter(use -> use.pattern().equals(pattern)).findFirst();
  }

  @Override
  public synchronized List<LimitNameUse> keyLimitUses(
      LimitPattern pattern, @Nullable LimitName after, int limit) {
    return keyLimits.uses(pattern, after, limit, now());
  }

  @Override
  public synchronized RedriveResult redrive(RedriveRequest request) {
    return redriving.run(request, now());
  }

  @SuppressWarnings("GuardedBy") // lambdas run within the call
  @Override
  public synchronized FailureGroup.Listing failures(FailureGroup.Query query) {
    return ModelSearch.groups(query, tasks.newestFirst(null), queues::handler, now());
  }

  @Override
  public synchronized void asked(Collection<TaskHandler> handlers) {
    queues.asked(handlers, EpochMicros.toInstant(now()));
  }

  @Override
  public synchronized void forgetAsked(Duration retention) {
    queues.forgetAsked(EpochMicros.toInstant(now()).minus(retention));
  }

  @Override
  public synchronized List<HandlerCounts> numbers(
      HandlerPatterns which,
      @Nullable TaskHandler after,
      int limit,
      HandlerCounts.Counting counting) {
    List<HandlerCounts> all =
        queues.numbers(tasks.newestFirst(null), which::matches, after, limit, now());
    return counting == HandlerCounts.Counting.NONE
        ? all.stream().map(one -> HandlerCounts.ofName(one.handler())).toList()
        : all;
  }

  @Override
  public synchronized Optional<HandlerCounts> numbers(TaskHandler handler) {
    return queues.numbers(tasks.newestFirst(null), handler::equals, null, 1, now()).stream()
        .findFirst();
  }
}
