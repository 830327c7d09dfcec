package io.kairos.client.worker;

import io.kairos.api.v1.HeartbeatResponse.Verdict;
import io.kairos.api.v1.Result;
import io.kairos.client.net.NodeTurns;
import io.kairos.client.time.ClientTime;
import io.kairos.client.worker.LeasedTask.Phase;
import io.kairos.client.worker.ResultOutbox.Finished;
import io.kairos.client.worker.TaskDemand.Ask;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of a worker under one lock: buffered tasks, running handlers, leases and unsent
 * results. Called by executors, answers and timers. Every change returns the {@link Plan} of calls
 * to make now; the caller makes them without the lock. No I/O; only {@link #take} waits.
 */
final class WorkerBoard {
  /** While more results than this wait for a node, no more work is asked for. */
  private static final int MANY_RESULTS = 5_000;

  private static final long MANY_BYTES = 64L << 20;

  private final Lock lock;
  private final Condition changed;

  // Guarded by the lock.
  private final WorkerLeases leases = new WorkerLeases();
  private final TaskBuffer buffer;
  private final ResultOutbox outbox = new ResultOutbox();
  private final TaskDemand demand;
  private final Set<HandlerRun> running = new LinkedHashSet<>();
  private int idle;
  private boolean draining;
  private boolean hurried;

  private final BooleanSupplier isAnyHandlerReady;
  private final NodeTurns nodes;
  private final ClientTime time;

  /** Calls to make now. */
  record Plan(List<Ask> asks, List<List<Finished>> results, boolean over) {
    private static final Plan NOTHING = new Plan(List.of(), List.of(), false);
  }

  /** A task for an executor to run. */
  record Assignment(LeasedTask task, HandlerRun run) {}

  /**
   * The consequences of a heartbeat's answer or failure.
   *
   * @param lost tasks whose lease is lost
   * @param lostRuns executions of these tasks, which must stop
   * @param toCancel executions to cancel, whose lease goes on
   */
  record BeatEffect(
      List<LeasedTask> lost, List<HandlerRun> lostRuns, List<HandlerRun> toCancel, Plan plan) {}

  /**
   * A handler has been abandoned.
   *
   * @param executorsLeft false when abandoned handlers occupy all executors
   */
  record Abandonment(boolean executorsLeft, Plan plan) {}

  /**
   * @param strictPriority true to begin the tasks that are here by priority alone
   * @param isAnyHandlerReady false when no tasks are to be asked for; read with every plan, at
   *     least once per heartbeat tick
   */
  WorkerBoard(
      TaskDemand demand,
      boolean strictPriority,
      BooleanSupplier isAnyHandlerReady,
      NodeTurns nodes,
      ClientTime time) {
    this.demand = demand;
    this.buffer = new TaskBuffer(strictPriority);
    this.isAnyHandlerReady = isAnyHandlerReady;
    this.nodes = nodes;
    this.time = time;
    this.lock = time.lock();
    this.changed = lock.newCondition();
  }

  Plan plan() {
    return locked(this::planLocked);
  }

  /**
   * Takes the answer to a call for work. Tasks whose lease has already run out are left to lapse.
   */
  Plan arrived(Ask ask, List<LeasedTask> tasks) {
    return locked(() -> {
      demand.answered(ask);
      for (LeasedTask task : tasks) {
        leases.add(task);
        if (hurried || !demand.hasExecutors()) {
          giveBack(task);
        } else {
          buffer.put(task);
        }
      }
      wake(tasks.size());
      return planLocked();
    });
  }

  /** Waits for work. Returns null when the worker has drained. */
  @Nullable Assignment take(Function<LeasedTask, HandlerRun> starting) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        LeasedTask task = buffer.poll();
        if (task == null) {
          if (draining && demand.asks() == 0) {
            return null;
          }
          idle++;
          try {
            changed.await();
          } finally {
            idle--;
          }
        } else if (!task.isSafeAt(time.nanos())) {
          task.tooLate = true; // the next check of the leases finds it
        } else {
          HandlerRun run = starting.apply(task);
          task.phase = Phase.RUNNING;
          task.run = run;
          running.add(run);
          return new Assignment(task, run);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes the result of a handler that has ended.
   *
   * @return false when the lease was lost before, so that the result is not sent
   */
  boolean ended(Assignment done, Result result, long tookNanos) {
    return locked(() -> {
      running.remove(done.run);
      if (done.run.isAbandoned()) {
        demand.returned();
      }
      LeasedTask task = done.task;
      task.tooLate = !task.isSafeAt(time.nanos());
      boolean counts = task.phase == Phase.RUNNING && !task.tooLate;
      if (counts) {
        // Not for a lost lease: the time of a standstill, or of a handler that hung, says nothing
        // of the next tasks.
        demand.ran(tookNanos);
        task.phase = Phase.ENDED;
        outbox.add(task, result);
      }
      return counts;
    });
  }

  /**
   * Abandons a handler that goes on without its lease. It occupies its executor until it returns.
   * When it has the last one, tasks that have not begun go back to the nodes, because their leases
   * would be renewed here without use.
   *
   * @return empty when the handler has ended
   */
  Optional<Abandonment> abandon(HandlerRun run) {
    return locked(() -> {
      if (!running.contains(run)) {
        return Optional.empty();
      }
      run.abandon();
      demand.abandoned();
      boolean executorsLeft = demand.hasExecutors();
      if (!executorsLeft) {
        buffer.drain().forEach(this::giveBack);
      }
      return Optional.of(new Abandonment(executorsLeft, planLocked()));
    });
  }

  /** Removes results that the node has answered, accepted or not. */
  Plan settled(List<Finished> batch) {
    return locked(() -> {
      outbox.answered(batch);
      for (Finished one : batch) {
        gone(one.task());
      }
      return planLocked();
    });
  }

  void unsettled(List<Finished> batch, long againAtNanos) {
    lock.lock();
    try {
      outbox.failed(batch, againAtNanos);
    } finally {
      lock.unlock();
    }
  }

  /** False when the leases of all these tasks are settled or lost. */
  boolean holdsAny(List<LeasedTask> tasks) {
    return locked(() -> leases.holdsAny(tasks));
  }

  List<List<LeasedTask>> beats() {
    return locked(() -> leases.beatsAt(time.nanos()));
  }

  BeatEffect acknowledged(List<LeasedTask> beat, List<Verdict> verdicts, long sentAtNanos) {
    return locked(() -> {
      WorkerLeases.Verdicts judged = leases.acknowledged(beat, verdicts, sentAtNanos);
      List<HandlerRun> toCancel = new ArrayList<>();
      for (LeasedTask task : judged.toCancel()) {
        if (task.phase == Phase.BUFFERED) {
          task.phase = Phase.ENDED;
          outbox.add(task, AttemptResults.cancelled(task.work));
        } else if (task.phase == Phase.RUNNING && task.run != null) {
          toCancel.add(task.run);
        }
      }
      if (!judged.toCancel().isEmpty()) {
        buffer.purge();
      }
      return lose(judged.lost(), toCancel);
    });
  }

  BeatEffect beatFailed(List<LeasedTask> beat) {
    return locked(() -> lose(leases.failed(beat), List.of()));
  }

  BeatEffect expired() {
    return locked(() -> lose(leases.expiredAt(time.nanos()), List.of()));
  }

  /** Stops asking for tasks. Tasks already leased, and tasks of open calls, are still performed. */
  Plan drain() {
    return locked(() -> {
      draining = true;
      changed.signalAll();
      return planLocked();
    });
  }

  /** Nodes with open calls for work. */
  List<Integer> nodesAsked() {
    return locked(demand::nodesAsked);
  }

  /**
   * Ends the drain time: tasks that have not begun go back, and the running handlers are returned.
   */
  List<HandlerRun> hurry() {
    return locked(() -> {
      hurried = true;
      buffer.drain().forEach(this::giveBack);
      changed.signalAll();
      return List.copyOf(running);
    });
  }

  private void giveBack(LeasedTask task) {
    task.phase = Phase.ENDED;
    outbox.add(task, AttemptResults.notBegun(task.work));
  }

  private BeatEffect lose(List<LeasedTask> lost, List<HandlerRun> toCancel) {
    List<HandlerRun> runs = new ArrayList<>();
    for (LeasedTask task : lost) {
      if (task.phase == Phase.RUNNING && task.run != null) {
        runs.add(task.run);
      }
      gone(task);
    }
    if (!lost.isEmpty()) {
      buffer.purge();
      outbox.purge();
    }
    return new BeatEffect(lost, runs, toCancel, planLocked());
  }

  private void gone(LeasedTask task) {
    task.phase = Phase.GONE;
    leases.remove(task);
  }

  private void wake(int tasks) {
    for (int i = Math.min(tasks, idle); i > 0; i--) {
      changed.signal();
    }
    if (draining) {
      changed.signalAll(); // the last call may have been answered
    }
  }

  private Plan planLocked() {
    long now = time.nanos();
    List<Ask> asks = null;
    if (!draining
        && outbox.size() < MANY_RESULTS
        && buffer.bytes() < MANY_BYTES
        && isAnyHandlerReady.getAsBoolean()) {
      for (Ask ask = nextAsk(now); ask != null; ask = nextAsk(now)) {
        asks = asks == null ? new ArrayList<>() : asks;
        asks.add(ask);
      }
    }
    List<List<Finished>> results = null;
    for (List<Finished> next = outbox.next(now); next != null; next = outbox.next(now)) {
      results = results == null ? new ArrayList<>() : results;
      results.add(next);
    }
    boolean over =
        draining
            && demand.asks() == 0
            && buffer.size() == 0
            && running.isEmpty()
            && outbox.size() == 0;
    if (asks == null && results == null && !over) {
      return Plan.NOTHING;
    }
    return new Plan(asks == null ? List.of() : asks, results == null ? List.of() : results, over);
  }

  private @Nullable Ask nextAsk(long now) {
    return demand.next(
        running.size() + buffer.size(), buffer.size(), node -> nodes.rests(node, now));
  }

  private <T> T locked(Supplier<T> change) {
    lock.lock();
    try {
      return change.get();
    } finally {
      lock.unlock();
    }
  }
}
