package io.kairos.simulator;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.Idempotency;
import io.kairos.domain.task.Idempotency.OnConflict;
import io.kairos.domain.task.Idempotency.Window;
import io.kairos.domain.task.Outcome;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskHandler;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.Beat;
import io.kairos.engine.task.port.CancelResult;
import io.kairos.engine.task.port.Claims;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.Gate;
import io.kairos.engine.task.port.Settled;
import io.kairos.engine.task.port.Settlement;
import io.kairos.testkit.task.TaskObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Judges every change of the task store at the moment it happens, by the call that asked for it and
 * by what the history knows, and each call's answer by what it changed.
 */
final class TaskStoreRules extends CallRules implements TaskObserver {
  /** For how long a node may believe that workers want what one has asked for, and act upon it. */
  private static final long WANTED_NANOS = Duration.ofSeconds(8).toNanos();

  private final TaskLedger ledger;
  private final TaskWorld world;
  private final List<Change> changes = new ArrayList<>();

  /** Handlers whose tasks must not begin. */
  private final Set<TaskHandler> paused = new HashSet<>();

  /** How many tasks of a queue may be performed at a time. */
  private final Map<QueueName, Integer> limits = new HashMap<>();

  /** What the call under way has done to one row. */
  private record Change(TaskTrack task, Row before, Row after) {}

  TaskStoreRules(TaskLedger ledger, TaskWorld world) {
    this.ledger = ledger;
    this.world = world;
  }

  private TaskCall call() {
    return (TaskCall) current();
  }

  private long nowMicros() {
    return world.trueTime().micros();
  }

  @Override
  void forget() {
    changes.clear();
  }

  // Rows

  @Override
  public void inserted(Row row) {
    TaskTrack task = ledger.arriving(row.task());
    ledger.note(110, () -> "stored " + task + " as " + row.state());
    ledger.check(
        task.row == null, Rules.DURABLE, () -> task + " is stored a second time, as " + row.id());
    checkOnce(task);
    ledger.check(
        row.dueMicros() == task.asked.dueMicros() && row.attempt() == 0,
        Rules.IDENTITY,
        () -> task + " is stored as another: " + row);
    task.row = row;
    task.storedAtNanos = ledger.nowNanos();
    ledger.stored(task, row);
    if (row.state() == TaskState.ENQUEUED) {
      task.queuedBy = call();
      checkWanted(task, row);
      if (row.task().schedule() != null) {
        ledger.reached(RareState.RUN_INTO_MEMORY);
      }
    }
  }

  /** While the window of an idempotency key lasts there is no other task with it. */
  private void checkOnce(TaskTrack task) {
    TaskTrack former = ledger.takesKey(task);
    if (former != null) {
      ledger.check(
          former.isWindowOver(nowMicros()),
          Rules.ONCE,
          () -> task + " is stored although its idempotency key stands for " + former);
      ledger.reached(RareState.IDEMPOTENCY_KEY_USED_AGAIN);
    }
    Idempotency idempotency = task.asked.idempotency();
    if (idempotency != null && idempotency.window() instanceof Window.For(Duration length)) {
      task.keyFreeAtMicros = nowMicros() + EpochMicros.lengthOf(length);
    }
  }

  @Override
  public void forgotten(Row row) {
    ledger.reached(RareState.FORGOTTEN_BY_RETENTION);
  }

  @Override
  public void changed(Row before, Row after) {
    TaskTrack task = ledger.stored(before.id());
    ledger.note(
        111, () -> call() + ": " + task + " becomes " + after.state() + ", fence " + after.fence());
    ledger.check(
        !before.state().isFinished(), Rules.FINAL, () -> task + " had ended, and is " + after);
    ledger.check(
        after.fence() > before.fence()
            || (after.fence() == before.fence()
                && (after.state().isFinished()
                    || after.state() == before.state()
                    || !(before.state().isHeld() || after.state().isHeld()))),
        Rules.CLAIMED_ONCE,
        () -> task + " changes hands without a new fence: " + after);
    if (before.state() == TaskState.BLOCKED
        && isWaiting(after.state())
        && !call().argument().equals(before.id())) {
      ledger.reached(RareState.WOKEN_BEHIND_ITS_KEY);
      task.row = after;
      return; // by whatever ended the one before it
    }
    switch (call().name()) {
      case "claim" -> claimed(task, before, after);
      case "enqueue" -> enqueued(task, before, after);
      case "release" -> released(task, before);
      case "releaseHeldBy" -> releasedFromDeparted(task, before);
      case "heartbeat" -> checkNamed(task, before);
      case "settle" -> settled(task, before, after);
      case "cancel" -> cancelled(task, before, after);
      case "reschedule" -> rescheduled(task, before, after);
      case "insert" -> replaced(task, before, after);
      case "expire" -> expired(task, before, after);
      case SimSchedules.FIRE, SimSchedules.FIRE_NAMED, SimSchedules.CHANGE ->
          cancelledByItsSchedule(task, before, after);
      default ->
          // Waking what waits behind a key or a gate changes nobody's holder.
          ledger.check(
              !before.state().isHeld(),
              Rules.STALE,
              () -> call() + " changed " + task + ", which is held");
    }
    task.row = after;
    changes.add(new Change(task, before, after));
  }

  private void checkNamed(TaskTrack task, Row before) {
    ledger.check(
        call().named().contains(before.fenced()),
        Rules.STALE,
        () -> call() + " changed " + task + " without its fence " + before.fence());
  }

  private void claimed(TaskTrack task, Row before, Row after) {
    checkNamed(task, before);
    if (after.state() == TaskState.BLOCKED) {
      ledger.reached(RareState.CLAIM_REFUSED_BY_ITS_KEY);
      return;
    }
    if (isWaiting(after.state()) && paused.contains(task.asked.queue().handler())) {
      ledger.reached(RareState.CLAIM_REFUSED_BY_A_PAUSE);
      return;
    }
    ledger.check(
        before.state() == TaskState.ENQUEUED && after.state() == TaskState.PROCESSING,
        Rules.CLAIMED_ONCE,
        () -> task + " is claimed, to be " + after);
    ledger.check(
        task.claims.isEmpty() || after.fence() > task.claims.lastKey(),
        Rules.CLAIMED_ONCE,
        () -> task + " is claimed under an old fence: " + after.fence());
    ledger.check(
        after.attempt() == before.attempt() + 1
            && after.attempt() <= task.asked.policy().maxAttempts(),
        Rules.ATTEMPTS,
        () -> task + " begins attempt " + after.attempt());
    long early = task.notBeforeMicros - nowMicros();
    ledger.check(
        early <= world.scenario().clockBoundMicros(),
        Rules.NOT_BEFORE_DUE,
        () -> task + " is claimed " + early + " us before its time");
    ledger.check(
        !isTooLate(task), Rules.NOT_TOO_LATE, () -> task + " begins after its start deadline");
    checkKey(task, before);
    checkOperator(task);
    task.claims.put(after.fence(), task.asked);
    task.isHead = true;
    if (task.firstClaimedAtNanos == TaskTrack.NEVER) {
      task.firstClaimedAtNanos = ledger.nowNanos();
    }
  }

  private boolean isTooLate(TaskTrack task) {
    Long deadline = task.asked.startDeadlineMicros();
    return deadline != null && deadline < nowMicros();
  }

  /**
   * One of a key at a time, in due order, and none begins before the one that has begun has ended.
   */
  private void checkKey(TaskTrack task, Row before) {
    for (TaskTrack other : ledger.besides(task)) {
      Row row = requireNonNull(other.row);
      ledger.check(
          row.state() != TaskState.PROCESSING && !other.isHead,
          Rules.KEYS,
          () -> task + " begins before " + other + " of its key has ended");
      ledger.check(
          task.isHead
              || before.dueMicros() < row.dueMicros()
              || (before.dueMicros() == row.dueMicros() && before.id().compareTo(row.id()) < 0),
          Rules.KEYS,
          () -> task + " overtakes " + other + " of its key");
      ledger.reached(RareState.KEY_WITH_A_QUEUE_BEHIND_IT);
    }
  }

  private void checkOperator(TaskTrack task) {
    ledger.check(
        !paused.contains(task.asked.queue().handler()),
        Rules.PAUSED,
        () -> task + " begins although its handler is paused");
    Integer most = limits.get(task.asked.queue());
    long performed = ledger.performed(task.asked.queue()) + 1;
    ledger.check(
        most == null || performed <= most,
        Rules.CAPPED,
        () -> task + " begins as the " + performed + "th of " + most);
  }

  private void enqueued(TaskTrack task, Row before, Row after) {
    EnqueueRequest request = (EnqueueRequest) call().argument();
    ledger.check(
        isWaiting(before.state()) && request.node().toString().equals(after.holder()),
        Rules.CLAIMED_ONCE,
        () -> task + " is enqueued, to be " + after);
    ledger.check(
        before.triggerMicros() <= nowMicros() + request.ahead().toNanos() / 1_000,
        Rules.NOT_BEFORE_DUE,
        () ->
            task + " is enqueued although its trigger is " + ledger.millis(before.triggerMicros()));
    task.queuedBy = call();
    checkWanted(task, after);
  }

  private static boolean isWaiting(TaskState state) {
    return state == TaskState.NEW || state == TaskState.RETRIABLE_FAILURE;
  }

  private void checkWanted(TaskTrack task, Row row) {
    TaskProcess by = call().by();
    ledger.check(
        by.isAskedFor(task.asked.queue().handler(), WANTED_NANOS) || by.hasStoodStill(),
        Rules.WANTED,
        () -> by + " takes " + task + " into memory, which no worker asks it for: " + row);
  }

  private void released(TaskTrack task, Row before) {
    checkNamed(task, before);
    ledger.check(before.state() == TaskState.ENQUEUED, Rules.STALE, () -> task + " is given back");
    TaskCall queuedBy = task.queuedBy;
    if (queuedBy != null && call().by().hasFailed(queuedBy)) {
      ledger.reached(RareState.STRAY_GIVEN_BACK);
    }
    if (!call().by().isStopping()) {
      ledger.reached(RareState.RELEASED_UNWANTED);
    }
  }

  private void releasedFromDeparted(TaskTrack task, Row before) {
    String holder = before.holder();
    ledger.check(
        before.state() == TaskState.ENQUEUED
            && holder != null
            && world.lives().hasDeparted(new NodeId(UUID.fromString(holder))),
        Rules.LAPSED,
        () -> task + " is taken from " + holder + ", which is alive");
    ledger.reached(RareState.RELEASED_FROM_A_DEPARTED_NODE);
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
          before.state() == TaskState.ENQUEUED && isWaiting(after.state()),
          Rules.LAPSED,
          () -> task + " is taken out of a memory, to be " + after);
      ledger.reached(RareState.ENQUEUE_TIMED_OUT);
      return;
    }
    ledger.check(
        before.state() == TaskState.PROCESSING,
        Rules.FINAL,
        () -> task + " is ended by " + settlement + " though it was " + before.state());
    if (settlement.onlyIfLapsed()) {
      checkLapsed(task, before);
      lapsed(task, before, after);
    } else {
      reported(task, before, after);
    }
    if (isWaiting(after.state()) && after.attempt() == before.attempt()) {
      ledger.check(
          before.attempt() < task.asked.policy().maxAttempts() && !before.cancelRequested(),
          before.cancelRequested() ? Rules.CHANGES : Rules.ATTEMPTS,
          () -> task + " is to be tried again");
      task.notBeforeMicros = after.triggerMicros();
    }
  }

  /** The next of a key, whose turn has just come. */
  private void next(TaskTrack task, Row before, Row after) {
    ledger.check(
        isWaiting(before.state()) && after.state() == TaskState.ENQUEUED,
        Rules.STALE,
        () -> call() + " makes " + task + " " + after.state() + ", which it does not name");
    task.queuedBy = call();
    checkWanted(task, after);
    ledger.reached(RareState.NEXT_OF_ITS_KEY_ENQUEUED);
  }

  private void checkLapsed(TaskTrack task, Row before) {
    ledger.check(
        before.triggerMicros() <= nowMicros(),
        Rules.LAPSED,
        () -> task + " is taken from " + before.holder() + ", whose time is not up");
  }

  private void lapsed(TaskTrack task, Row before, Row after) {
    boolean usedUp = before.attempt() >= task.asked.policy().maxAttempts();
    ledger.check(
        before.cancelRequested()
            ? after.state().isFinished()
            : after.state() == (usedUp ? TaskState.DEAD : TaskState.RETRIABLE_FAILURE),
        Rules.ATTEMPTS,
        () -> task + " is " + after + " after a lapse");
    if (!task.handedOut.containsKey(before.fence())) {
      ledger.reached(RareState.UNKNOWN_CLAIM_THAT_DID_COMMIT);
    } else if (world.workers().stream().anyMatch(host -> host.runs(before.holder()))) {
      ledger.reached(RareState.REAPED_WHILE_THE_WORKER_LIVES);
    } else {
      ledger.reached(RareState.REAPED_FROM_A_DEAD_WORKER);
    }
    if (after.state() == TaskState.DEAD) {
      ledger.reached(RareState.ATTEMPTS_USED_UP_BY_LAPSES);
    }
  }

  /** A report ends an attempt: as its worker said, and no other. */
  private void reported(TaskTrack task, Row before, Row after) {
    Outcome outcome = task.concluded.get(before.fence());
    if (outcome instanceof Outcome.NotBegun) {
      notBegun(task, before, after);
      return;
    }
    ledger.check(
        outcome != null,
        Rules.FINAL,
        () -> task + " is " + after + " though nobody has reported under " + before.fence());
    ledger.check(
        isMeantBy(outcome, task, before, after),
        Rules.FINAL,
        () -> task + " is " + after + " after its worker reported " + outcome);
    task.settled.put(before.fence(), requireNonNull(outcome));
    if (after.state() == TaskState.RETRIABLE_FAILURE) {
      long waitsMicros = after.triggerMicros() - nowMicros();
      ledger.check(
          waitsMicros >= leastBackoffMicros(outcome, before.attempt(), task.asked.policy()),
          Rules.BACKOFF,
          () -> task + " is to be tried again in " + waitsMicros + " us after " + outcome);
      ledger.reached(RareState.RETRIED_AFTER_FAILURE);
    } else if (after.state() == TaskState.DEAD) {
      ledger.reached(RareState.ATTEMPTS_USED_UP);
    } else if (after.state() == TaskState.CANCELLED) {
      ledger.reached(RareState.CANCELLED_WHILE_PERFORMED);
    }
  }

  /** Its worker never began it: no attempt is counted, and it waits as it did. */
  private void notBegun(TaskTrack task, Row before, Row after) {
    ledger.check(
        before.cancelRequested()
            ? after.state() == TaskState.CANCELLED
            : isWaiting(after.state()) && after.attempt() == before.attempt() - 1,
        Rules.ATTEMPTS,
        () -> task + " is " + after + " although it was not begun");
    task.settled.put(before.fence(), new Outcome.NotBegun());
    ledger.reached(RareState.GIVEN_BACK_NOT_BEGUN);
  }

  private static boolean isMeantBy(
      @Nullable Outcome outcome, TaskTrack task, Row before, Row after) {
    if (outcome instanceof Outcome.Succeeded) {
      return after.state() == TaskState.SUCCEEDED;
    }
    if (outcome instanceof Outcome.Failed) {
      return after.state() == TaskState.FAILED;
    }
    if (outcome instanceof Outcome.Cancelled) {
      return after.state() == TaskState.CANCELLED;
    }
    boolean usedUp = before.attempt() >= task.asked.policy().maxAttempts();
    return switch (after.state()) {
      case RETRIABLE_FAILURE -> !usedUp;
      case DEAD -> usedUp;
      case CANCELLED -> before.cancelRequested();
      case NEW, ENQUEUED, PROCESSING, BLOCKED, PAUSED, SUCCEEDED, FAILED -> false;
    };
  }

  /** PD-31: exponential and capped, of which the upper half is random. */
  private static long leastBackoffMicros(
      @Nullable Outcome outcome, int attempt, RetryPolicy policy) {
    if (outcome instanceof Outcome.RetryAfter(_, Duration delay)) {
      return delay.toNanos() / 1_000;
    }
    double longest = policy.max().toNanos();
    double base = policy.initial().toNanos() * Math.pow(policy.factor(), attempt - 1);
    return (long) (Math.min(base, longest) / 2 / 1_000) - 1;
  }

  private void cancelled(TaskTrack task, Row before, Row after) {
    ledger.check(
        call().argument().equals(before.id())
            && (before.state() == TaskState.PROCESSING
                ? after.state() == TaskState.PROCESSING && after.cancelRequested()
                : after.state() == TaskState.CANCELLED),
        Rules.CHANGES,
        () -> task + " is " + after + " after a cancel");
    if (before.state() == TaskState.ENQUEUED) {
      ledger.reached(RareState.CANCELLED_IN_MEMORY);
    } else if (isWaiting(before.state())) {
      ledger.reached(RareState.CANCELLED_WAITING);
    }
  }

  /** Which of them, and when, is judged with the decision. */
  private void cancelledByItsSchedule(TaskTrack task, Row before, Row after) {
    ledger.check(
        before.task().schedule() != null
            && (before.state() == TaskState.PROCESSING
                ? after.state() == TaskState.PROCESSING && after.cancelRequested()
                : after.state() == TaskState.CANCELLED),
        Rules.CHANGES,
        () -> call() + " makes " + task + " " + after);
    ledger.reached(RareState.CANCELLED_BY_ITS_SCHEDULE);
  }

  private void rescheduled(TaskTrack task, Row before, Row after) {
    ledger.check(
        call().argument().equals(before.id())
            && before.state() != TaskState.PROCESSING
            && isWaiting(after.state())
            && after.holder() == null
            && after.triggerMicros() == after.dueMicros(),
        Rules.CHANGES,
        () -> task + " is " + after + " after a reschedule");
    task.notBeforeMicros = after.dueMicros();
    task.isHead = false;
    ledger.reached(
        before.state() == TaskState.ENQUEUED
            ? RareState.RESCHEDULED_IN_MEMORY
            : RareState.RESCHEDULED_WAITING);
  }

  /** A request with the same idempotency key wants it to be another, while it waits. */
  private void replaced(TaskTrack task, Row before, Row after) {
    TaskTrack.Asked by = ledger.asked(after.task());
    ledger.check(
        before.state() != TaskState.PROCESSING
            && isWaiting(after.state())
            && after.holder() == null
            && after.attempt() == before.attempt()
            && after.triggerMicros() == by.dueMicros()
            && by.isOnConflict(OnConflict.REPLACE)
            && by.hasIdempotencyKeyOf(task.asked)
            && !task.isWindowOver(nowMicros()),
        Rules.ONCE,
        () -> task + " is replaced by " + by + ", to be " + after);
    ledger.replaced(task, by);
    task.notBeforeMicros = after.triggerMicros();
    ledger.reached(
        before.state() == TaskState.ENQUEUED
            ? RareState.REPLACED_IN_MEMORY
            : RareState.REPLACED_WAITING);
  }

  private void expired(TaskTrack task, Row before, Row after) {
    ledger.check(
        isTooLate(task)
            && before.state() != TaskState.PROCESSING
            && after.state() == TaskState.FAILED,
        Rules.NOT_TOO_LATE,
        () -> task + " is " + after + " by its start deadline");
    ledger.reached(
        before.state() == TaskState.ENQUEUED
            ? RareState.EXPIRED_IN_MEMORY
            : RareState.EXPIRED_WAITING);
  }

  /** An operator has set a limit, for good. */
  void limited(QueueName queue, int maxRunning) {
    limits.put(queue, maxRunning);
  }

  // Answers

  @Override
  void verify(Object answer) {
    if (current() instanceof TaskCall call) {
      switch (call.name()) {
        case "claim" -> verifyClaim(call, (Claims) answer);
        case "settle" -> verifySettle(call, ((Settled) answer).tasks());
        case "heartbeat" -> verifyHeartbeat(call, (List<?>) answer);
        case "cancel" -> verifyCancel((TaskId) call.argument(), (CancelResult) answer);
        case "setGate" -> paused.add(((Gate) call.argument()).handler());
        case "liftGate" -> paused.remove((TaskHandler) call.argument());
        case "reschedule" -> verifyReschedule((TaskId) call.argument(), (Boolean) answer);
        default -> {}
      }
    }
  }

  private void verifyClaim(TaskCall call, Claims claims) {
    Set<FencedTask> named = call.named();
    for (FencedTask task : named) {
      boolean changed = isClaimed(task);
      ledger.check(
          claims.claimed().contains(task) == changed,
          Rules.CLAIMED_ONCE,
          () -> "the claim of " + task + " is answered with " + claims);
      if (claims.heldBack().containsKey(task)) {
        ledger.reached(RareState.CLAIM_HELD_BACK);
      } else if (!changed) {
        ledger.reached(RareState.CLAIM_LOST);
      }
    }
  }

  private boolean isClaimed(FencedTask task) {
    return changes.stream()
        .anyMatch(change ->
            change.before().fenced().equals(task)
                && change.after().state() == TaskState.PROCESSING);
  }

  private boolean isChanged(FencedTask task) {
    return changes.stream().anyMatch(change -> change.before().fenced().equals(task));
  }

  private void verifySettle(TaskCall call, Set<FencedTask> settled) {
    for (Settlement settlement : call.settlements()) {
      FencedTask task = settlement.task();
      ledger.check(
          settled.contains(task) == isChanged(task),
          Rules.STALE,
          () -> settlement + " is answered with " + settled.contains(task));
    }
  }

  private @Nullable Row rowOf(TaskId id) {
    TaskTrack task = ledger.byId(id);
    return task == null ? null : task.row;
  }

  private void verifyHeartbeat(TaskCall call, List<?> beats) {
    List<?> asked = (List<?>) call.argument();
    for (int i = 0; i < asked.size(); i++) {
      FencedTask task = (FencedTask) asked.get(i);
      Row row = rowOf(task.id());
      Beat right = rightBeat(row, task.fence());
      Object beat = beats.get(i);
      ledger.check(
          beat == right,
          right == Beat.LOST ? Rules.STALE : Rules.CHANGES,
          () -> "the heartbeat of " + task + " is answered with " + beat + ", but " + row);
      if (right == Beat.LOST) {
        ledger.reached(RareState.LATE_HEARTBEAT_REFUSED);
      }
    }
  }

  private static Beat rightBeat(@Nullable Row row, long fence) {
    if (row == null || row.state() != TaskState.PROCESSING || row.fence() != fence) {
      return Beat.LOST;
    }
    return row.cancelRequested() ? Beat.CANCEL_REQUESTED : Beat.EXTENDED;
  }

  private void verifyCancel(TaskId id, CancelResult result) {
    Row row = rowOf(id);
    boolean right =
        switch (result) {
          case CANCELLED -> row != null && row.state() == TaskState.CANCELLED && !changes.isEmpty();
          case REQUESTED ->
              row != null && row.state() == TaskState.PROCESSING && row.cancelRequested();
          case TOO_LATE -> row != null && row.state().isFinished() && changes.isEmpty();
          case UNKNOWN -> row == null || row.state().isFinished();
        };
    ledger.check(
        right,
        Rules.CHANGES,
        () -> "a cancel of " + id + " is answered with " + result + ": " + row);
    if (result == CancelResult.TOO_LATE) {
      ledger.reached(RareState.CANCELLED_TOO_LATE);
    }
  }

  private void verifyReschedule(TaskId id, boolean done) {
    Row row = rowOf(id);
    ledger.check(
        done
            ? !changes.isEmpty()
            : row == null
                || row.state() == TaskState.PROCESSING
                || row.state().isFinished()
                || ledger.stored(id).asked.startDeadlineMicros() != null,
        Rules.CHANGES,
        () -> "a reschedule of " + id + " is answered with " + done + ": " + row);
    if (!done) {
      ledger.reached(RareState.RESCHEDULED_TOO_LATE);
    }
  }
}
