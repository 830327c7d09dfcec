package io.kairos.bench.task;

import io.kairos.bench.load.DueTimes;
import io.kairos.bench.load.Payload;
import io.kairos.bench.load.WallClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Schedules tasks in batches from several threads, by a fixed schedule (open loop) or, without a
 * rate, as fast as what is not yet done stays below a bound. Each task says its number and due time
 * in its payload.
 */
final class TaskLoad implements AutoCloseable {
  private static final long LOOK_NANOS = 1_000_000;

  private final Target target;
  private final Plan plan;
  private final Payload payload;
  private final DueTimes dueTimes;
  private final LongSupplier done;
  private final AtomicLong nextBatch = new AtomicLong();
  private final AtomicLong accepted = new AtomicLong();
  private final Set<Long> uncertain = ConcurrentHashMap.newKeySet();
  private final List<Thread> callers = new ArrayList<>();
  private volatile long worstLagMicros;
  private volatile boolean stopped;

  /**
   * What to send.
   *
   * @param perSecond 0 for as fast as it goes
   * @param outstanding bound on tasks that are not done, when there is no rate
   * @param callers threads that schedule
   */
  record Plan(
      double perSecond,
      int batch,
      int outstanding,
      int callers,
      long startMicros,
      long endMicros) {}

  /**
   * @param done how many tasks are done, about
   */
  TaskLoad(Target target, Plan plan, Payload payload, DueTimes dueTimes, LongSupplier done) {
    this.target = target;
    this.plan = plan;
    this.payload = payload;
    this.dueTimes = dueTimes;
    this.done = done;
  }

  TaskLoad start() {
    for (int i = 0; i < plan.callers(); i++) {
      callers.add(Thread.ofPlatform().name("bench-caller-" + i).daemon().start(this::run));
    }
    return this;
  }

  private void run() {
    while (!stopped) {
      long batch = nextBatch.getAndIncrement();
      long first = batch * plan.batch();
      long scheduled = scheduledMicros(first);
      if (scheduled >= plan.endMicros() || !awaitTurn(first, scheduled)) {
        nextBatch.decrementAndGet();
        return;
      }
      send(first, plan.perSecond() == 0 ? WallClock.micros() : scheduled);
    }
  }

  private long scheduledMicros(long sequence) {
    return plan.perSecond() == 0
        ? Math.max(WallClock.micros(), plan.startMicros())
        : plan.startMicros() + (long) (sequence * 1e6 / plan.perSecond());
  }

  /** Returns false when the load ends instead. */
  private boolean awaitTurn(long first, long scheduledMicros) {
    if (plan.perSecond() == 0) {
      while (first - done.getAsLong() > plan.outstanding()) {
        if (stopped || WallClock.micros() >= plan.endMicros()) {
          return false;
        }
        LockSupport.parkNanos(LOOK_NANOS);
      }
      return true;
    }
    for (long left = scheduledMicros - WallClock.micros();
        left > 0;
        left = scheduledMicros - WallClock.micros()) {
      if (stopped) {
        return false;
      }
      LockSupport.parkNanos(left * 1_000);
    }
    return true;
  }

  private void send(long first, long scheduledMicros) {
    List<Target.Job> jobs = new ArrayList<>(plan.batch());
    for (long sequence = first; sequence < first + plan.batch(); sequence++) {
      long due;
      synchronized (dueTimes) {
        due = dueTimes.dueMicros(sequence, scheduledMicros);
      }
      jobs.add(new Target.Job(sequence, due, payload.value(sequence, due)));
    }
    worstLagMicros = Math.max(worstLagMicros, WallClock.micros() - scheduledMicros);
    try {
      target.schedule(jobs);
      accepted.addAndGet(jobs.size());
    } catch (RuntimeException e) {
      for (long sequence = first; sequence < first + plan.batch(); sequence++) {
        uncertain.add(sequence);
      }
    }
  }

  long accepted() {
    return accepted.get();
  }

  /** Sequence numbers below this were tried. */
  long tried() {
    return nextBatch.get() * plan.batch();
  }

  /** Of calls that failed: accepted or not, nobody can tell. */
  Set<Long> uncertain() {
    return uncertain;
  }

  long worstLagMicros() {
    return worstLagMicros;
  }

  /** Waits until every caller has ended. */
  void join() throws InterruptedException {
    for (Thread caller : callers) {
      caller.join();
    }
  }

  @Override
  public void close() {
    stopped = true;
  }
}
