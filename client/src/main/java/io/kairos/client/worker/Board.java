package io.kairos.client.worker;

import io.kairos.api.v1.HeartbeatResponse.Verdict;
import io.kairos.api.v1.Result;
import io.kairos.client.net.Nodes;
import io.kairos.client.time.Time;
import io.kairos.client.worker.Demand.Ask;
import io.kairos.client.worker.Held.Phase;
import io.kairos.client.worker.Outbox.Finished;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All that a worker knows, under one lock: what is buffered, who runs what, the leases, the results
 * on their way. Called by executors, by answers and by timers; every change returns the {@link
 * Plan} of calls to make now, which the caller makes without the lock. No I/O, no waiting but
 * {@link #take}.
 */
final class Board {
  /** While more results than this wait for a node, no more work is asked for. */
  private static final int MANY_RESULTS = 5_000;

  private static final long MANY_BYTES = 64L << 20;

  private final Lock lock;
  private final Condition changed;

  // Guarded by the lock.
  private final Leases leases = new Leases();
  private final Buffer buffer = new Buffer();
  private final Outbox outbox = new Outbox();
  private final Demand demand;
  private final Set<Run> running = new LinkedHashSet<>();
  private int idle;
  private boolean draining;
  private boolean hurried;

  private final BooleanSupplier isAnyHandlerReady;
  private final Nodes nodes;
  private final Time time;

  /** Calls to make now. */
  record Plan(List<Ask> asks, List<List<Finished>> results, boolean over) {
    private static final Plan NOTHING = new Plan(List.of(), List.of(), false);
  }

  /** What an executor is to run. */
  record Assignment(Held task, Run run) {}

  /**
   * What a heartbeat or its absence has brought to light.
   *
   * @param lost leases
   * @param lostRuns executions of them that must stop
   * @param toCancel executions whose lease goes on
   */
  record BeatEffect(List<Held> lost, List<Run> lostRuns, List<Run> toCancel, Plan plan) {}

  /**
   * @param isAnyHandlerReady else nothing is asked for; looked at with every plan, of which each
   *     tick of the heartbeats makes one
   */
  Board(Demand demand, BooleanSupplier isAnyHandlerReady, Nodes nodes, Time time) {
    this.demand = demand;
    this.isAnyHandlerReady = isAnyHandlerReady;
    this.nodes = nodes;
    this.time = time;
    this.lock = time.lock();
    this.changed = lock.newCondition();
  }

  Plan plan() {
    return locked(this::planLocked);
  }

  /** The answer to a call for work. Tasks whose lease has run out on the way are left to lapse. */
  Plan arrived(Ask ask, List<Held> tasks) {
    return locked(() -> {
      demand.answered(ask);
      for (Held task : tasks) {
        leases.add(task);
        if (hurried) {
          giveBack(task);
        } else {
          buffer.put(task);
        }
      }
      wake(tasks.size());
      return planLocked();
    });
  }

  /** Waits for work. Null when there will be no more. */
  @Nullable Assignment take(Function<Held, Run> starting) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        Held task = buffer.poll();
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
          task.tooLate = true; // the next look at the leases finds it
        } else {
          Run run = starting.apply(task);
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
   * A handler has ended.
   *
   * @return false when its lease was lost before: its result is not sent
   */
  boolean ended(Assignment done, Result result, long tookNanos) {
    return locked(() -> {
      running.remove(done.run);
      demand.ran(tookNanos);
      Held task = done.task;
      task.tooLate = !task.isSafeAt(time.nanos());
      boolean counts = task.phase == Phase.RUNNING && !task.tooLate;
      if (counts) {
        task.phase = Phase.ENDED;
        outbox.add(task, result);
      }
      return counts;
    });
  }

  /** The node has answered; whether it accepted them or not, they are settled. */
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

  List<List<Held>> beats() {
    return locked(() -> leases.beatsAt(time.nanos()));
  }

  BeatEffect acknowledged(List<Held> beat, List<Verdict> verdicts, long sentAtNanos) {
    return locked(() -> {
      Leases.Verdicts judged = leases.acknowledged(beat, verdicts, sentAtNanos);
      List<Run> toCancel = new ArrayList<>();
      for (Held task : judged.toCancel()) {
        if (task.phase == Phase.BUFFERED) {
          task.phase = Phase.ENDED;
          outbox.add(task, Outcomes.cancelled(task.work));
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

  BeatEffect beatFailed(List<Held> beat) {
    return locked(() -> lose(leases.failed(beat), List.of()));
  }

  BeatEffect expired() {
    return locked(() -> lose(leases.expiredAt(time.nanos()), List.of()));
  }

  /** From now on nothing is asked for. What is here, and what open calls bring, is performed. */
  Plan drain() {
    return locked(() -> {
      draining = true;
      changed.signalAll();
      return planLocked();
    });
  }

  /** Nodes that let this worker wait. */
  List<Integer> nodesAsked() {
    return locked(demand::nodesAsked);
  }

  /** The time to drain is over: what has not begun goes back, what runs is returned. */
  List<Run> hurry() {
    return locked(() -> {
      hurried = true;
      buffer.drain().forEach(this::giveBack);
      changed.signalAll();
      return List.copyOf(running);
    });
  }

  private void giveBack(Held task) {
    task.phase = Phase.ENDED;
    outbox.add(task, Outcomes.notBegun(task.work));
  }

  private BeatEffect lose(List<Held> lost, List<Run> toCancel) {
    List<Run> runs = new ArrayList<>();
    for (Held task : lost) {
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

  private void gone(Held task) {
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
