package io.kairos.simulator.task;

import static io.kairos.domain.task.TaskState.AWAITING;
import static io.kairos.domain.task.TaskState.BLOCKED;
import static io.kairos.domain.task.TaskState.CANCELLED;
import static io.kairos.domain.task.TaskState.DEAD;
import static io.kairos.domain.task.TaskState.ENQUEUED;
import static io.kairos.domain.task.TaskState.FAILED;
import static io.kairos.domain.task.TaskState.NEW;
import static io.kairos.domain.task.TaskState.PROCESSING;
import static io.kairos.domain.task.TaskState.RETRIABLE_FAILURE;
import static io.kairos.domain.task.TaskState.SUCCEEDED;
import static io.kairos.engine.task.port.HeartbeatFinding.CANCEL_REQUESTED;
import static io.kairos.engine.task.port.HeartbeatFinding.EXTENDED;
import static io.kairos.engine.task.port.HeartbeatFinding.LOST;
import static io.kairos.engine.task.port.operator.CancelResult.TOO_LATE;
import static io.kairos.simulator.kernel.RareState.ATTEMPTS_USED_UP;
import static io.kairos.simulator.kernel.RareState.ATTEMPTS_USED_UP_BY_LAPSES;
import static io.kairos.simulator.kernel.RareState.CANCELLED_BY_ITS_SCHEDULE;
import static io.kairos.simulator.kernel.RareState.CANCELLED_IN_MEMORY;
import static io.kairos.simulator.kernel.RareState.CANCELLED_TOO_LATE;
import static io.kairos.simulator.kernel.RareState.CANCELLED_WAITING;
import static io.kairos.simulator.kernel.RareState.CANCELLED_WHILE_PERFORMED;
import static io.kairos.simulator.kernel.RareState.CANCELLED_WITH_ITS_BATCH;
import static io.kairos.simulator.kernel.RareState.CANCELLED_WITH_ITS_PREDECESSOR;
import static io.kairos.simulator.kernel.RareState.CLAIM_HELD_BACK;
import static io.kairos.simulator.kernel.RareState.CLAIM_LOST;
import static io.kairos.simulator.kernel.RareState.CLAIM_REFUSED_BY_A_LIMIT;
import static io.kairos.simulator.kernel.RareState.CLAIM_REFUSED_BY_A_PAUSE;
import static io.kairos.simulator.kernel.RareState.CLAIM_REFUSED_BY_ITS_KEY;
import static io.kairos.simulator.kernel.RareState.ENDED_BEFORE_ITS_SUCCESSOR_CAME;
import static io.kairos.simulator.kernel.RareState.ENQUEUE_TIMED_OUT;
import static io.kairos.simulator.kernel.RareState.EXPIRED_IN_MEMORY;
import static io.kairos.simulator.kernel.RareState.EXPIRED_WAITING;
import static io.kairos.simulator.kernel.RareState.FAILED_WITH_A_FORGOTTEN_PREDECESSOR;
import static io.kairos.simulator.kernel.RareState.FAILED_WITH_ITS_PREDECESSOR;
import static io.kairos.simulator.kernel.RareState.FORGOTTEN_BY_RETENTION;
import static io.kairos.simulator.kernel.RareState.GIVEN_BACK_NOT_BEGUN;
import static io.kairos.simulator.kernel.RareState.IDEMPOTENCY_KEY_USED_AGAIN;
import static io.kairos.simulator.kernel.RareState.KEY_WITH_A_QUEUE_BEHIND_IT;
import static io.kairos.simulator.kernel.RareState.LATE_HEARTBEAT_REFUSED;
import static io.kairos.simulator.kernel.RareState.LEASE_SHORTENED;
import static io.kairos.simulator.kernel.RareState.NEXT_OF_ITS_KEY_ENQUEUED;
import static io.kairos.simulator.kernel.RareState.READIED_AFTER_AN_OVERFLOW;
import static io.kairos.simulator.kernel.RareState.READIED_BY_AN_UNKNOWN_COMMIT;
import static io.kairos.simulator.kernel.RareState.READIED_BY_A_BATCH;
import static io.kairos.simulator.kernel.RareState.READIED_BY_THE_LAST_OF_SEVERAL;
import static io.kairos.simulator.kernel.RareState.REAPED_FROM_A_DEAD_WORKER;
import static io.kairos.simulator.kernel.RareState.REAPED_WHILE_THE_WORKER_LIVES;
import static io.kairos.simulator.kernel.RareState.RELEASED_FROM_A_DEPARTED_NODE;
import static io.kairos.simulator.kernel.RareState.RELEASED_UNWANTED;
import static io.kairos.simulator.kernel.RareState.REPLACED_IN_MEMORY;
import static io.kairos.simulator.kernel.RareState.REPLACED_WAITING;
import static io.kairos.simulator.kernel.RareState.RESCHEDULED_IN_MEMORY;
import static io.kairos.simulator.kernel.RareState.RESCHEDULED_TOO_LATE;
import static io.kairos.simulator.kernel.RareState.RESCHEDULED_WAITING;
import static io.kairos.simulator.kernel.RareState.RETRIED_AFTER_FAILURE;
import static io.kairos.simulator.kernel.RareState.RUN_INTO_MEMORY;
import static io.kairos.simulator.kernel.RareState.SNOOZED;
import static io.kairos.simulator.kernel.RareState.STRAY_GIVEN_BACK;
import static io.kairos.simulator.kernel.RareState.SUCCESSOR_ENQUEUED;
import static io.kairos.simulator.kernel.RareState.UNKNOWN_CLAIM_THAT_DID_COMMIT;
import static io.kairos.simulator.kernel.RareState.WENT_ON_AFTER_A_FAILURE;
import static io.kairos.simulator.kernel.RareState.WOKEN_BEFORE_A_LIMIT;
import static io.kairos.simulator.kernel.RareState.WOKEN_BEHIND_ITS_KEY;
import static io.kairos.simulator.kernel.RuleNames.IDENTITY;
import static io.kairos.simulator.task.TaskRuleNames.ATTEMPTS;
import static io.kairos.simulator.task.TaskRuleNames.BACKOFF;
import static io.kairos.simulator.task.TaskRuleNames.BATCHES;
import static io.kairos.simulator.task.TaskRuleNames.CAPPED;
import static io.kairos.simulator.task.TaskRuleNames.CHANGES;
import static io.kairos.simulator.task.TaskRuleNames.CLAIMED_ONCE;
import static io.kairos.simulator.task.TaskRuleNames.DURABLE;
import static io.kairos.simulator.task.TaskRuleNames.FINAL;
import static io.kairos.simulator.task.TaskRuleNames.KEYS;
import static io.kairos.simulator.task.TaskRuleNames.LAPSED;
import static io.kairos.simulator.task.TaskRuleNames.NOT_BEFORE_DUE;
import static io.kairos.simulator.task.TaskRuleNames.NOT_OVER_TIME;
import static io.kairos.simulator.task.TaskRuleNames.NOT_TOO_LATE;
import static io.kairos.simulator.task.TaskRuleNames.ONCE;
import static io.kairos.simulator.task.TaskRuleNames.PAUSED;
import static io.kairos.simulator.task.TaskRuleNames.STALE;
import static io.kairos.simulator.task.TaskRuleNames.SUCCESSORS;
import static io.kairos.simulator.task.TaskRuleNames.WANTED;
import static io.kairos.simulator.task.TaskTrack.NEVER;
import static java.util.Objects.requireNonNull;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskIdempotency;
import io.kairos.domain.task.TaskIdempotency.OnConflict;
import io.kairos.domain.task.TaskIdempotency.Window;
import io.kairos.domain.task.TaskResult;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.graph.EdgeEffect;
import io.kairos.domain.task.graph.GraphEdge;
import io.kairos.domain.task.limit.LimitPattern;
import io.kairos.domain.task.limit.TaskLimits;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.ClaimResult;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.FairEnqueueRequest;
import io.kairos.engine.task.port.HeartbeatFinding;
import io.kairos.engine.task.port.LeaseRenewal;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.SettlementResult;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.batch.BatchView;
import io.kairos.engine.task.port.batch.NewBatch;
import io.kairos.engine.task.port.operator.CancelResult;
import io.kairos.engine.task.port.operator.TaskPause;
import io.kairos.model.task.TaskStoreObserver;
import io.kairos.simulator.kernel.CallRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Judges every change of the task store at the moment it happens, by the call that asked for it and
 * by what the history knows, and each call's answer by what it changed.
 *
 * <p>They show, whatever dies, stalls or loses its messages: accepted is stored (PD-13); performed
 * until a result is accepted (DA-6, DA-12, PD-30) and never after it (PD-29); one claim and one
 * execution at a time (DA-7, DA-19); what a holder lost is given to others, on any node, and not
 * before its lease has ended (DA-21, DA-22, PD-6, PD-9); no clock but the store's decides (PD-L9).
 */
public final class TaskStoreRules extends CallRules implements TaskStoreObserver {
  /** Time in which a node may act upon a worker's request for work. */
  private static final long WANTED_NANOS = Duration.ofSeconds(8).toNanos();

  /** Calls that wake tasks which stand in line before a limit. */
  private static final Set<String> WAKING = Set.of("claim", "settle", "reap", "sweepLimits");

  private final TaskHistory ledger;
  private final TaskCluster world;
  private final List<Change> changes = new ArrayList<>();
  private final KeyLimitRules keyLimits;

  /** Edges to tasks of schedules that are stored next, by successor. */
  private final Map<TaskId, List<GraphEdge>> awaited = new HashMap<>();

  /** Handlers whose tasks must not begin. */
  private final Set<TaskHandler> paused = new HashSet<>();

  /** Bound on the tasks of a queue that are performed at a time. */
  private final Map<QueueName, Integer> limits = new HashMap<>();

  /** A change of one row by the call under way. */
  private record Change(TaskTrack task, Row before, Row after) {}

  TaskStoreRules(TaskHistory ledger, TaskCluster world) {
    this.ledger = ledger;
    this.world = world;
    this.keyLimits = new KeyLimitRules(ledger);
  }

  private TaskCall call() {
    return (TaskCall) current();
  }

  private long nowMicros() {
    return world.storeClock.micros();
  }

  @Override
  public void forget() {
    changes.clear();
  }

  // Rows

  @Override
  public void awaiting(List<GraphEdge> edges) {
    for (GraphEdge edge : edges) {
      awaited.computeIfAbsent(edge.successor(), any -> new ArrayList<>()).add(edge);
    }
  }

  /** The edges to a task of a schedule, whose predecessors are stored before it. */
  private void takeEdges(TaskTrack task, TaskId id) {
    List<GraphEdge> edges = awaited.remove(id);
    if (edges != null) {
      edges.forEach(edge ->
          task.after.add(
              new TaskTrack.Awaited(ledger.stored(edge.predecessor()), edge.onFailure())));
    }
  }

  @Override
  public void inserted(Row row) {
    TaskTrack task = ledger.arriving(row.task());
    takeEdges(task, row.id());
    ledger.note(110, () -> "stored " + task + " as " + row.state());
    ledger.check(
        task.row == null, DURABLE, () -> task + " is stored a second time, as " + row.id());
    checkOnce(task);
    ledger.check(
        row.dueMicros() == task.asked.dueMicros() && row.attempt() == 0,
        IDENTITY,
        () -> task + " is stored as another: " + row);
    ledger.check(
        (row.state() == AWAITING) != task.isReady()
            || (row.state() == AWAITING && task.isAfterBatch()),
        SUCCESSORS,
        () -> task + " is stored as " + row.state() + ", after " + task.after);
    ledger.reached(ENDED_BEFORE_ITS_SUCCESSOR_CAME, !task.after.isEmpty() && task.isReady());
    task.row = row;
    task.storedAtNanos = ledger.nowNanos();
    ledger.stored(task, row);
    BatchTrack batch = task.batch;
    if (batch != null) {
      ledger.check(!batch.isClosed, BATCHES, () -> task + " joins " + batch);
      batch.members.add(task);
    }
    if (row.state() == ENQUEUED) {
      task.queuedBy = call();
      checkWanted(task, row);
      ledger.reached(RUN_INTO_MEMORY, row.task().schedule() != null);
    }
  }

  /** While the window of an idempotency key lasts there is no other task with it. */
  private void checkOnce(TaskTrack task) {
    TaskTrack former = ledger.takesKey(task);
    if (former != null) {
      ledger.check(
          former.isWindowOver(world.latestMicros())
              || former.hasWaitedFor(task.asked, world.latestMicros()),
          ONCE,
          () -> task + " is stored although its idempotency key stands for " + former);
      ledger.reached(IDEMPOTENCY_KEY_USED_AGAIN);
    }
    task.storedAtMicros = nowMicros();
    TaskIdempotency idempotency = task.asked.idempotency();
    if (idempotency != null && idempotency.window() instanceof Window.For(Duration length)) {
      task.keyFreeAtMicros = nowMicros() + EpochMicros.lengthOf(length);
    }
  }

  @Override
  public void forgotten(Row row) {
    ledger.reached(FORGOTTEN_BY_RETENTION);
    TaskTrack task = ledger.byId(row.id());
    if (task != null) {
      task.forgottenAtNanos = ledger.nowNanos();
    }
  }

  @Override
  public void changed(Row before, Row after) {
    TaskTrack task = ledger.stored(before.id());
    ledger.note(
        111, () -> call() + ": " + task + " becomes " + after.state() + ", fence " + after.fence());
    ledger.check(!before.state().isFinished(), FINAL, () -> task + " had ended, and is " + after);
    ledger.check(
        after.fence() > before.fence()
            || (after.fence() == before.fence()
                && (after.state().isFinished()
                    || after.state() == before.state()
                    || !(before.state().isHeld() || after.state().isHeld()))),
        CLAIMED_ONCE,
        () -> task + " changes hands without a new fence: " + after);
    if (before.state() == BLOCKED
        && isWaiting(after.state())
        && !call().argument().equals(before.id())) {
      ledger.reached(WOKEN_BEHIND_ITS_KEY);
      task.row = after;
      return; // by whatever ended the one before it
    }
    if (before.state() == AWAITING
        && !call().argument().equals(before.id())
        && !call().isNamed("expire")
        && !(after.state() == CANCELLED && isOfSchedules(call()))) {
      successor(task, after);
      task.readiedBy = call();
      task.row = after;
      return; // by whatever ended the last one before it
    }
    if (before.triggerMicros() == Long.MAX_VALUE
        && isWaiting(before.state())
        && isWaiting(after.state())
        && WAKING.contains(call().name())) {
      ledger.reached(WOKEN_BEFORE_A_LIMIT);
      task.row = after;
      return; // by an end or a refusal that has made room, or a token
    }
    switch (call().name()) {
      case "claim" -> claimed(task, before, after);
      case "enqueue" -> {
        EnqueueRequest request = (EnqueueRequest) call().argument();
        enqueued(task, before, after, request.node(), request.ahead());
      }
      case "enqueueFairly" -> {
        FairEnqueueRequest request = (FairEnqueueRequest) call().argument();
        enqueued(task, before, after, request.node(), request.ahead());
      }
      case "release" -> released(task, before);
      case "releaseHeldBy" -> releasedFromDeparted(task, before);
      case "heartbeat" -> {
        checkNamed(task, before);
        task.leasedUntilNanos = ledger.nowNanos() + world.tasks.leaseNanos();
      }
      case "shortenLeases" -> shortened(task, before, after);
      case "settle", "reap" -> settled(task, before, after);
      case "followEnds" -> next(task, before, after);
      case "cancel" -> cancelled(task, before, after);
      case "reschedule" -> rescheduled(task, before, after);
      case "insert" -> replaced(task, before, after);
      case "expire" -> expired(task, before, after);
      case "cancelBatch" -> cancelledWithItsBatch(task, before, after);
      case TaskCall.FIRE, TaskCall.FIRE_NAMED, TaskCall.CHANGE ->
          cancelledByItsSchedule(task, before, after);
      default ->
          // Waking what waits behind a key or a pause changes nobody's holder.
          ledger.check(
              !before.state().isHeld(),
              STALE,
              () -> call() + " changed " + task + ", which is held");
    }
    task.row = after;
    changes.add(new Change(task, before, after));
  }

  private static boolean isOfSchedules(TaskCall call) {
    return call.isNamed(TaskCall.FIRE)
        || call.isNamed(TaskCall.FIRE_NAMED)
        || call.isNamed(TaskCall.CHANGE);
  }

  /** A task that waits for others becomes ready, fails or is cancelled by their ends. */
  private void successor(TaskTrack task, Row after) {
    boolean isRight =
        switch (after.state()) {
          case NEW -> task.isReady();
          case FAILED ->
              has(task, EdgeEffect.FAILS)
                  || task.after.stream()
                      .anyMatch(one -> one.isForgotten() && one.effect() != EdgeEffect.SATISFIED);
          case CANCELLED -> has(task, EdgeEffect.CANCELS);
          case ENQUEUED,
              PROCESSING,
              RETRIABLE_FAILURE,
              AWAITING,
              BLOCKED,
              PAUSED,
              SUCCEEDED,
              DEAD ->
              false;
        };
    ledger.check(
        isRight,
        SUCCESSORS,
        () -> call() + " makes " + task + " " + after.state() + ", after " + task.after);
    ledger.reached(READIED_BY_THE_LAST_OF_SEVERAL, after.state() == NEW && task.after.size() > 1);
    boolean allSucceeded = task.after.stream().allMatch(one -> one.end() == SUCCEEDED);
    ledger.reached(WENT_ON_AFTER_A_FAILURE, after.state() == NEW && !allSucceeded);
    ledger.reached(
        READIED_AFTER_AN_OVERFLOW,
        after.state() == NEW
            && allSucceeded
            && !task.isAfterBatch()
            && call().isNamed("followEnds"));
    ledger.reached(READIED_BY_A_BATCH, after.state() == NEW && task.isAfterBatch());
    ledger.reached(FAILED_WITH_ITS_PREDECESSOR, after.state() == FAILED);
    ledger.reached(
        FAILED_WITH_A_FORGOTTEN_PREDECESSOR,
        after.state() == FAILED && !has(task, EdgeEffect.FAILS));
    ledger.reached(CANCELLED_WITH_ITS_PREDECESSOR, after.state() == CANCELLED);
  }

  private static boolean has(TaskTrack task, EdgeEffect effect) {
    return task.after.stream().anyMatch(one -> one.effect() == effect);
  }

  private void checkNamed(TaskTrack task, Row before) {
    ledger.check(
        call().named().contains(before.fenced()),
        STALE,
        () -> call() + " changed " + task + " without its fence " + before.fence());
  }

  private void claimed(TaskTrack task, Row before, Row after) {
    checkNamed(task, before);
    if (after.state() == BLOCKED) {
      ledger.reached(CLAIM_REFUSED_BY_ITS_KEY);
      return;
    }
    // A clock that was set back may see a pause that has ended.
    boolean mayBePaused =
        paused.contains(task.asked.queue().handler())
            || nowMicros() < world.storeClock.latestMicros();
    if (isWaiting(after.state()) && mayBePaused) {
      ledger.reached(CLAIM_REFUSED_BY_A_PAUSE);
      return;
    }
    if (isWaiting(after.state()) && isTooLate(task)) {
      return;
    }
    TaskLimits named = before.task().details().limits();
    if (isWaiting(after.state()) && keyLimits.mayRefuse(named)) {
      ledger.reached(CLAIM_REFUSED_BY_A_LIMIT);
      return;
    }
    ledger.check(
        before.state() == ENQUEUED && after.state() == PROCESSING,
        CLAIMED_ONCE,
        () -> task + " is claimed, to be " + after);
    world.began(after);
    ledger.check(
        task.claims.isEmpty() || after.fence() > task.claims.lastKey(),
        CLAIMED_ONCE,
        () -> task + " is claimed under an old fence: " + after.fence());
    ledger.check(
        after.attempt() == before.attempt() + 1
            && after.attempt() <= task.asked.policy().maxAttempts(),
        ATTEMPTS,
        () -> task + " begins attempt " + after.attempt());
    long early = task.notBeforeMicros - world.latestMicros();
    ledger.check(
        early <= world.scenario.clockBoundMicros(),
        NOT_BEFORE_DUE,
        () -> task + " is claimed " + early + " us before its time");
    ledger.check(!isTooLate(task), NOT_TOO_LATE, () -> task + " begins after its start deadline");
    ledger.check(
        task.isReady(), SUCCESSORS, () -> task + " begins before its turn, after " + task.after);
    TaskCall readiedBy = task.readiedBy;
    ledger.reached(
        READIED_BY_AN_UNKNOWN_COMMIT,
        readiedBy != null && readiedBy.by().failed.contains(readiedBy));
    checkKey(task, before);
    checkOperator(task);
    keyLimits.claimed(task, named, nowMicros());
    task.claims.put(after.fence(), task.asked);
    task.leasedUntilNanos = ledger.nowNanos() + world.tasks.leaseNanos();
    Duration timeout = after.task().details().executionTimeout();
    task.overTimeAtMicros =
        timeout == null
            ? Long.MAX_VALUE
            : nowMicros() + EpochMicros.lengthOf(timeout.plus(TaskStore.TIMEOUT_GRACE));
    task.isHead = true;
    if (task.firstClaimedAtNanos == NEVER) {
      task.firstClaimedAtNanos = ledger.nowNanos();
    }
  }

  private boolean isTooLate(TaskTrack task) {
    Long deadline = task.asked.startDeadlineMicros();
    return deadline != null && deadline < nowMicros();
  }

  private boolean isTooLateFor(TaskNodeRun by, TaskTrack task) {
    return requireNonNull(task.asked.startDeadlineMicros()) < latestMicros(by);
  }

  private boolean mayBeOverTime(TaskNodeRun by, TaskTrack task) {
    return task.overTimeAtMicros <= Math.min(nowMicros(), latestMicros(by));
  }

  /** The true time, at least, but for clocks of the store and the node that are wrong together. */
  private long latestMicros(TaskNodeRun by) {
    return Math.max(world.trueTime.micros(), by.clock.latestMicros())
        + world.scenario.clockBoundMicros();
  }

  /**
   * One of a key at a time, in due order, and none begins before the one that has begun has ended.
   */
  private void checkKey(TaskTrack task, Row before) {
    for (TaskTrack other : ledger.besides(task)) {
      Row row = requireNonNull(other.row);
      ledger.check(
          row.state() != PROCESSING && !other.isHead,
          KEYS,
          () -> task + " begins before " + other + " of its key has ended");
      ledger.check(
          task.isHead
              || before.dueMicros() < row.dueMicros()
              || (before.dueMicros() == row.dueMicros() && before.id().compareTo(row.id()) < 0),
          KEYS,
          () -> task + " overtakes " + other + " of its key");
      ledger.reached(KEY_WITH_A_QUEUE_BEHIND_IT);
    }
  }

  private void checkOperator(TaskTrack task) {
    ledger.check(
        !paused.contains(task.asked.queue().handler()),
        PAUSED,
        () -> task + " begins although its handler is paused");
    Integer most = limits.get(task.asked.queue());
    long performed = ledger.performed(task.asked.queue()) + 1;
    ledger.check(
        most == null || performed <= most,
        CAPPED,
        () -> task + " begins as the " + performed + "th of " + most);
  }

  private void enqueued(TaskTrack task, Row before, Row after, NodeId node, Duration ahead) {
    ledger.check(
        isWaiting(before.state()) && node.toString().equals(after.holder()),
        CLAIMED_ONCE,
        () -> task + " is enqueued, to be " + after);
    ledger.check(
        before.triggerMicros() <= nowMicros() + ahead.toNanos() / 1_000,
        NOT_BEFORE_DUE,
        () ->
            task + " is enqueued although its trigger is " + ledger.millis(before.triggerMicros()));
    task.queuedBy = call();
    checkWanted(task, after);
  }

  private static boolean isWaiting(TaskState state) {
    return state == NEW || state == RETRIABLE_FAILURE;
  }

  private void checkWanted(TaskTrack task, Row row) {
    TaskNodeRun by = call().by();
    ledger.check(
        by.isAskedFor(task.asked.queue().handler(), WANTED_NANOS) || by.hasStoodStill(),
        WANTED,
        () -> by + " takes " + task + " into memory, which no worker asks it for: " + row);
  }

  private void released(TaskTrack task, Row before) {
    checkNamed(task, before);
    ledger.check(before.state() == ENQUEUED, STALE, () -> task + " is given back");
    TaskCall queuedBy = task.queuedBy;
    ledger.reached(STRAY_GIVEN_BACK, queuedBy != null && call().by().failed.contains(queuedBy));
    ledger.reached(RELEASED_UNWANTED, !call().by().isStopping());
  }

  private void releasedFromDeparted(TaskTrack task, Row before) {
    String holder = before.holder();
    ledger.check(
        before.state() == ENQUEUED
            && holder != null
            && world.lives.hasDeparted(new NodeId(UUID.fromString(holder))),
        LAPSED,
        () -> task + " is taken from " + holder + ", which is alive");
    ledger.reached(RELEASED_FROM_A_DEPARTED_NODE);
  }

  private void settled(TaskTrack task, Row before, Row after) {
    Settlement settlement =
        call().settlements().stream()
            .filter(one -> one.task().equals(before.fenced()))
            .findFirst()
            .orElse(null);
    if (settlement == null) {
      next(task, before, after);
      return;
    }
    if (settlement instanceof Settlement.Requeue) {
      checkLapsed(task, before);
      ledger.check(
          before.state() == ENQUEUED && isWaiting(after.state()),
          LAPSED,
          () -> task + " is taken out of a memory, to be " + after);
      ledger.reached(ENQUEUE_TIMED_OUT);
      return;
    }
    ledger.check(
        before.state() == PROCESSING,
        FINAL,
        () -> task + " is ended by " + settlement + " though it was " + before.state());
    if (call().isNamed("reap")) {
      checkLapsed(task, before);
      lapsed(task, before, after);
    } else {
      reported(task, before, after);
    }
    if (isWaiting(after.state()) && after.attempt() == before.attempt()) {
      ledger.check(
          before.attempt() < task.asked.policy().maxAttempts() && !before.cancelRequested(),
          before.cancelRequested() ? CHANGES : ATTEMPTS,
          () -> task + " is to be tried again");
      task.notBeforeMicros = after.triggerMicros();
    }
  }

  /** The next of a key, whose turn has just come, or a successor that has just become ready. */
  private void next(TaskTrack task, Row before, Row after) {
    ledger.check(
        isWaiting(before.state()) && after.state() == ENQUEUED,
        STALE,
        () -> call() + " makes " + task + " " + after.state() + ", which it does not name");
    task.queuedBy = call();
    checkWanted(task, after);
    boolean isSuccessor = call().equals(task.readiedBy);
    ledger.reached(SUCCESSOR_ENQUEUED, isSuccessor);
    ledger.reached(NEXT_OF_ITS_KEY_ENQUEUED, !isSuccessor);
  }

  /** A lease lasts as long as its worker was told, whatever the store's clock shows. */
  private void checkLapsed(TaskTrack task, Row before) {
    ledger.check(
        before.triggerMicros() <= nowMicros()
            && (before.state() == ENQUEUED || task.leasedUntilNanos <= ledger.nowNanos()),
        LAPSED,
        () -> task + " is taken from " + before.holder() + ", whose time is not up");
  }

  private void shortened(TaskTrack task, Row before, Row after) {
    ledger.check(
        before.state() == PROCESSING && after.triggerMicros() < before.triggerMicros(),
        LAPSED,
        () -> "the lease of " + task + " is shortened to " + after);
    task.leasedUntilNanos = ledger.nowNanos() + world.tasks.leaseNanos();
    ledger.reached(LEASE_SHORTENED);
  }

  private void lapsed(TaskTrack task, Row before, Row after) {
    boolean usedUp = before.attempt() >= task.asked.policy().maxAttempts();
    ledger.check(
        before.cancelRequested()
            ? after.state().isFinished()
            : after.state() == (usedUp ? DEAD : RETRIABLE_FAILURE),
        ATTEMPTS,
        () -> task + " is " + after + " after a lapse");
    if (!task.handedOut.containsKey(before.fence())) {
      ledger.reached(UNKNOWN_CLAIM_THAT_DID_COMMIT);
    } else if (world.workers.stream().anyMatch(host -> host.runs(before.holder()))) {
      ledger.reached(REAPED_WHILE_THE_WORKER_LIVES);
    } else {
      ledger.reached(REAPED_FROM_A_DEAD_WORKER);
    }
    ledger.reached(ATTEMPTS_USED_UP_BY_LAPSES, after.state() == DEAD);
  }

  /** A report ends an attempt: as its worker said, and no other. */
  private void reported(TaskTrack task, Row before, Row after) {
    AttemptOutcome outcome = task.concluded.get(before.fence());
    if (outcome instanceof AttemptOutcome.NotBegun) {
      notBegun(task, before, after);
      return;
    }
    if (outcome instanceof AttemptOutcome.Snoozed snoozed) {
      snoozed(task, before, after, snoozed);
      return;
    }
    ledger.check(
        outcome != null,
        FINAL,
        () -> task + " is " + after + " though nobody has reported under " + before.fence());
    ledger.check(
        isMeantBy(outcome, task, before, after),
        FINAL,
        () -> task + " is " + after + " after its worker reported " + outcome);
    task.settled.put(before.fence(), requireNonNull(outcome));
    if (after.state() == RETRIABLE_FAILURE) {
      long waitsMicros = after.triggerMicros() - nowMicros();
      ledger.check(
          waitsMicros >= leastBackoffMicros(outcome, before.attempt(), task.asked.policy()),
          BACKOFF,
          () -> task + " is to be tried again in " + waitsMicros + " us after " + outcome);
      ledger.reached(RETRIED_AFTER_FAILURE);
    } else if (after.state() == DEAD) {
      ledger.reached(ATTEMPTS_USED_UP);
    } else if (after.state() == CANCELLED) {
      ledger.reached(CANCELLED_WHILE_PERFORMED);
    }
  }

  /** Its worker never began it: no attempt is counted, and it waits as it did. */
  private void notBegun(TaskTrack task, Row before, Row after) {
    ledger.check(
        before.cancelRequested()
            ? after.state() == CANCELLED
            : isWaiting(after.state()) && after.attempt() == before.attempt() - 1,
        ATTEMPTS,
        () -> task + " is " + after + " although it was not begun");
    task.settled.put(before.fence(), new AttemptOutcome.NotBegun());
    ledger.reached(GIVEN_BACK_NOT_BEGUN);
  }

  /** Its worker has put it off: no attempt is counted, and it has a later due time. */
  private void snoozed(TaskTrack task, Row before, Row after, AttemptOutcome.Snoozed outcome) {
    long waitsMicros = after.triggerMicros() - nowMicros();
    ledger.check(
        before.cancelRequested()
            ? after.state() == CANCELLED
            : isWaiting(after.state())
                && after.attempt() == before.attempt() - 1
                && after.dueMicros() == after.triggerMicros()
                && waitsMicros >= outcome.delay().toNanos() / 1_000,
        ATTEMPTS,
        () -> task + " is " + after + " although it was put off by " + outcome.delay());
    if (isWaiting(after.state())) {
      task.notBeforeMicros = after.dueMicros();
    }
    task.settled.put(before.fence(), outcome);
    ledger.reached(SNOOZED);
  }

  private static boolean isMeantBy(
      @Nullable AttemptOutcome outcome, TaskTrack task, Row before, Row after) {
    if (outcome instanceof AttemptOutcome.Succeeded(TaskResult value)) {
      return after.state() == SUCCEEDED && after.result().equals(value);
    }
    if (outcome instanceof AttemptOutcome.Failed) {
      return after.state() == FAILED;
    }
    if (outcome instanceof AttemptOutcome.Cancelled) {
      return after.state() == CANCELLED;
    }
    boolean usedUp = before.attempt() >= task.asked.policy().maxAttempts();
    return switch (after.state()) {
      case RETRIABLE_FAILURE -> !usedUp;
      case DEAD -> usedUp;
      case CANCELLED -> before.cancelRequested();
      case NEW, ENQUEUED, PROCESSING, AWAITING, BLOCKED, PAUSED, SUCCEEDED, FAILED -> false;
    };
  }

  /** Checks the backoff: exponential and capped, with a random upper half. */
  private static long leastBackoffMicros(
      @Nullable AttemptOutcome outcome, int attempt, RetryPolicy policy) {
    if (outcome instanceof AttemptOutcome.RetryAfter(_, _, _, Duration delay)) {
      return delay.toNanos() / 1_000;
    }
    double longest = policy.max().toNanos();
    double base = policy.initial().toNanos() * Math.pow(policy.factor(), attempt - 1);
    return (long) (Math.min(base, longest) / 2 / 1_000) - 1;
  }

  private void cancelled(TaskTrack task, Row before, Row after) {
    ledger.check(
        call().argument().equals(before.id())
            && (before.state() == PROCESSING
                ? after.state() == PROCESSING && after.cancelRequested()
                : after.state() == CANCELLED),
        CHANGES,
        () -> task + " is " + after + " after a cancel");
    if (before.state() == ENQUEUED) {
      ledger.reached(CANCELLED_IN_MEMORY);
    } else if (isWaiting(before.state())) {
      ledger.reached(CANCELLED_WAITING);
    }
  }

  /** Checks that a task was allowed; its choice and time are judged with the decision. */
  private void cancelledByItsSchedule(TaskTrack task, Row before, Row after) {
    ledger.check(
        before.task().schedule() != null
            && (before.state() == PROCESSING
                ? after.state() == PROCESSING && after.cancelRequested()
                : after.state() == CANCELLED),
        CHANGES,
        () -> call() + " makes " + task + " " + after);
    ledger.reached(CANCELLED_BY_ITS_SCHEDULE);
  }

  private void cancelledWithItsBatch(TaskTrack task, Row before, Row after) {
    BatchTrack batch = task.batch;
    ledger.check(
        batch != null
            && call().argument().equals(batch.id)
            && (before.state() == PROCESSING
                ? after.state() == PROCESSING && after.cancelRequested()
                : after.state() == CANCELLED),
        CHANGES,
        () -> call() + " makes " + task + " " + after);
    ledger.reached(CANCELLED_WITH_ITS_BATCH);
  }

  private void rescheduled(TaskTrack task, Row before, Row after) {
    ledger.check(
        call().argument().equals(before.id())
            && before.state() != PROCESSING
            && (before.state() == AWAITING ? after.state() == AWAITING : isWaiting(after.state()))
            && after.holder() == null
            && after.triggerMicros() == after.dueMicros(),
        CHANGES,
        () -> task + " is " + after + " after a reschedule");
    task.notBeforeMicros = after.dueMicros();
    task.isHead = false;
    ledger.reached(before.state() == ENQUEUED ? RESCHEDULED_IN_MEMORY : RESCHEDULED_WAITING);
  }

  /** A request with the same idempotency key wants it to be another, while it waits. */
  private void replaced(TaskTrack task, Row before, Row after) {
    TaskTrack.Asked by = ledger.asked(after.task());
    ledger.check(
        before.state() != PROCESSING
            && isWaiting(after.state())
            && after.holder() == null
            && after.attempt() == before.attempt()
            && after.triggerMicros() == triggerOf(by, task, before)
            && by.isOnConflict(OnConflict.REPLACE)
            && by.hasIdempotencyKeyOf(task.asked)
            && !task.isWindowOver(nowMicros()),
        ONCE,
        () -> task + " is replaced by " + by + ", to be " + after);
    ledger.replaced(task, by);
    task.notBeforeMicros = after.triggerMicros();
    ledger.reached(before.state() == ENQUEUED ? REPLACED_IN_MEMORY : REPLACED_WAITING);
  }

  /**
   * The due time, in time for the longest wait; a failed attempt is not repeated earlier for it.
   */
  private static long triggerOf(TaskTrack.Asked by, TaskTrack task, Row before) {
    Duration maxWait = requireNonNull(by.idempotency()).maxWait();
    if (maxWait == null) {
      return by.dueMicros();
    }
    long due = Math.min(by.dueMicros(), task.storedAtMicros + EpochMicros.lengthOf(maxWait));
    boolean waitsForLimit = before.triggerMicros() == Long.MAX_VALUE;
    return before.state() == RETRIABLE_FAILURE && !waitsForLimit
        ? Math.max(due, before.triggerMicros())
        : due;
  }

  private void expired(TaskTrack task, Row before, Row after) {
    ledger.check(
        isTooLate(task)
            && isTooLateFor(call().by(), task)
            && before.state() != PROCESSING
            && after.state() == FAILED,
        NOT_TOO_LATE,
        () -> task + " is " + after + " by its start deadline");
    ledger.reached(before.state() == ENQUEUED ? EXPIRED_IN_MEMORY : EXPIRED_WAITING);
  }

  /** An operator has set a limit, for good. */
  void limited(QueueName queue, int maxRunning) {
    limits.put(queue, maxRunning);
  }

  /** An operator has set a limit by key. */
  void limited(LimitPattern pattern, TaskQueueLimit limit) {
    keyLimits.limited(pattern, limit);
  }

  /** An operator has removed a limit by key. */
  void unlimited(LimitPattern pattern) {
    keyLimits.unlimited(pattern);
  }

  // Answers

  @Override
  public void verify(Object answer) {
    if (current() instanceof TaskCall call) {
      switch (call.name()) {
        case "claim" -> verifyClaim(call, (ClaimResult) answer);
        case "settle", "reap" -> verifySettle(call, ((SettlementResult) answer).tasks());
        case "heartbeat" -> verifyHeartbeat(call, (List<?>) answer);
        case "cancel" -> verifyCancel((TaskId) call.argument(), (CancelResult) answer);
        case "createBatch" -> {
          NewBatch created = (NewBatch) call.argument();
          ledger.batches().stream()
              .filter(batch -> batch.id.equals(created.id()))
              .forEach(batch -> batch.isStored = true);
        }
        case "closeBatch" ->
            ledger.batches().stream()
                .filter(batch -> batch.id.equals(call.argument()) && (Boolean) answer)
                .forEach(batch -> batch.isClosed = true);
        case "countBatches", "pruneBatches" -> ledger.batches().forEach(this::verifyBatch);
        case "setPause" -> paused.add(((TaskPause) call.argument()).handler());
        case "endPause" -> paused.remove((TaskHandler) call.argument());
        case "reschedule" -> verifyReschedule((TaskId) call.argument(), (Boolean) answer);
        default -> {}
      }
    }
  }

  /** Compares a batch with its tasks; one that has been pruned is known no more. */
  private void verifyBatch(BatchTrack batch) {
    Optional<BatchView> view = world.store.findBatch(batch.id);
    if (view.isEmpty()) {
      ledger.check(
          !batch.isClosed || batch.end() != null,
          BATCHES,
          () -> batch + " was removed before it had ended");
      batch.isForgotten = batch.isClosed;
      return;
    }
    ledger.check(
        view.get().counts().equals(batch.counts()),
        BATCHES,
        () -> batch + " is counted as " + view.get());
    TaskState end = view.get().end();
    ledger.check(
        end == null || end == batch.end(), BATCHES, () -> batch + " has ended as " + view.get());
  }

  private void verifyClaim(TaskCall call, ClaimResult claims) {
    Set<FencedTask> named = call.named();
    for (FencedTask task : named) {
      boolean changed = isClaimed(task);
      ledger.check(
          claims.claimed().contains(task) == changed,
          CLAIMED_ONCE,
          () -> "the claim of " + task + " is answered with " + claims);
      if (claims.heldBack().containsKey(task)) {
        ledger.reached(CLAIM_HELD_BACK);
      } else if (!changed) {
        ledger.reached(CLAIM_LOST);
      }
    }
  }

  private boolean isClaimed(FencedTask task) {
    return changes.stream()
        .anyMatch(change ->
            change.before().fenced().equals(task) && change.after().state() == PROCESSING);
  }

  private boolean isChanged(FencedTask task) {
    return changes.stream().anyMatch(change -> change.before().fenced().equals(task));
  }

  private void verifySettle(TaskCall call, Set<FencedTask> settled) {
    for (Settlement settlement : call.settlements()) {
      FencedTask task = settlement.task();
      ledger.check(
          settled.contains(task) == isChanged(task),
          STALE,
          () -> settlement + " is answered with " + settled.contains(task));
      boolean mayBeLate =
          settlement instanceof Settlement.Finish || settlement instanceof Settlement.Snooze;
      if (mayBeLate && call.isNamed("settle")) {
        TaskTrack track = ledger.byId(task.id());
        ledger.check(
            track == null || !isHeldFor(settlement, track.row) || mayBeOverTime(call.by(), track),
            NOT_OVER_TIME,
            () -> settlement + " is refused as over time");
      }
    }
  }

  private static boolean isHeldFor(Settlement settlement, @Nullable Row row) {
    return row != null
        && row.state() == PROCESSING
        && row.fenced().equals(settlement.task())
        && settlement.by().mayHold(row.holder(), null);
  }

  private @Nullable Row rowOf(TaskId id) {
    TaskTrack task = ledger.byId(id);
    return task == null ? null : task.row;
  }

  private void verifyHeartbeat(TaskCall call, List<?> beats) {
    List<?> asked = (List<?>) call.argument();
    for (int i = 0; i < asked.size(); i++) {
      FencedTask task = ((LeaseRenewal) asked.get(i)).task();
      Row row = rowOf(task.id());
      HeartbeatFinding right = rightBeat(row, task.fence());
      Object beat = beats.get(i);
      if (beat == LOST && right != LOST) {
        ledger.check(
            mayBeOverTime(call.by(), ledger.stored(task.id())),
            NOT_OVER_TIME,
            () -> "the heartbeat of " + task + " is answered with LOST, but " + row);
        continue;
      }
      ledger.check(
          beat == right,
          right == LOST ? STALE : CHANGES,
          () -> "the heartbeat of " + task + " is answered with " + beat + ", but " + row);
      ledger.reached(LATE_HEARTBEAT_REFUSED, right == LOST);
    }
  }

  private static HeartbeatFinding rightBeat(@Nullable Row row, long fence) {
    if (row == null || row.state() != PROCESSING || row.fence() != fence) {
      return LOST;
    }
    return row.cancelRequested() ? CANCEL_REQUESTED : EXTENDED;
  }

  private void verifyCancel(TaskId id, CancelResult result) {
    Row row = rowOf(id);
    boolean right =
        switch (result) {
          case CANCELLED -> row != null && row.state() == CANCELLED && !changes.isEmpty();
          case REQUESTED -> row != null && row.state() == PROCESSING && row.cancelRequested();
          case TOO_LATE -> row != null && row.state().isFinished() && changes.isEmpty();
          case UNKNOWN -> row == null || row.state().isFinished();
        };
    ledger.check(
        right, CHANGES, () -> "a cancel of " + id + " is answered with " + result + ": " + row);
    ledger.reached(CANCELLED_TOO_LATE, result == TOO_LATE);
  }

  private void verifyReschedule(TaskId id, boolean done) {
    Row row = rowOf(id);
    ledger.check(
        done
            ? !changes.isEmpty()
            : row == null
                || row.state() == PROCESSING
                || row.state().isFinished()
                || ledger.stored(id).asked.startDeadlineMicros() != null,
        CHANGES,
        () -> "a reschedule of " + id + " is answered with " + done + ": " + row);
    ledger.reached(RESCHEDULED_TOO_LATE, !done);
  }
}
