package io.kairos.bench.task;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.load.LoadClock;
import io.kairos.bench.load.LoadDueTimes;
import io.kairos.bench.load.LoadPayload;
import io.kairos.bench.observe.ArrivalLedger;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/**
 * Schedules tasks in batches from several threads, at fixed times (open loop) or, without a rate,
 * as fast as possible while the number of unfinished tasks is below a bound. The payload of each
 * task has its number and due time. A task with a key is scheduled when the one before it was
 * accepted, like an application that needs them in order.
 */
public final class TaskLoad implements AutoCloseable {
  private static final long LOOK_NANOS = 1_000_000;

  private final Consumer<List<Job>> target;
  private final Plan plan;
  private final LoadPayload payload;

  @GuardedBy("itself")
  private final LoadDueTimes dueTimes;

  private final LongSupplier done;
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong accepted = new AtomicLong();
  private final Set<Long> uncertain = ConcurrentHashMap.newKeySet();
  private final Set<Long> unsent = ConcurrentHashMap.newKeySet();

  /** Numbers of the first tasks of unanswered batches. */
  private final ConcurrentSkipListSet<Long> open = new ConcurrentSkipListSet<>();

  private final List<Thread> callers = new ArrayList<>();
  private volatile long worstLagMicros;
  private volatile boolean stopped;
  private volatile String failure = "-";

  /**
   * The plan of a load.
   *
   * @param perSecond 0 for as fast as it goes
   * @param outstanding bound on tasks that are not done, when there is no rate
   * @param callers threads that schedule
   */
  public record Plan(
      double perSecond,
      int batch,
      int outstanding,
      int callers,
      long startMicros,
      long endMicros,
      KeyPlan keys) {}

  /**
   * A task to be.
   *
   * @param payload says the number and the due time again, for whoever performs it; not copied
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Job(long sequence, long dueMicros, byte[] payload) {}

  /**
   * @param target returns when all of a list are durable; when it throws, nobody can tell
   * @param done how many tasks are done, about
   */
  public TaskLoad(
      Consumer<List<Job>> target,
      Plan plan,
      LoadPayload payload,
      LoadDueTimes dueTimes,
      LongSupplier done) {
    this.target = target;
    this.plan = plan;
    this.payload = payload;
    this.dueTimes = dueTimes;
    this.done = done;
  }

  public TaskLoad start() {
    for (int i = 0; i < plan.callers(); i++) {
      callers.add(Thread.ofPlatform().name("bench-caller-" + i).daemon().start(this::run));
    }
    return this;
  }

  private void run() {
    while (!stopped) {
      long first = take();
      long scheduled = scheduledMicros(first);
      boolean goOn =
          first < plan.keys().count()
              && scheduled < plan.endMicros()
              && awaitTurn(first, scheduled)
              && awaitPrevious(first);
      if (goOn) {
        send(first, plan.perSecond() == 0 ? LoadClock.micros() : scheduled);
      } else {
        sequences(first).forEach(unsent::add);
      }
      open.remove(first);
      if (!goOn) {
        return;
      }
    }
  }

  /**
   * Takes the caller's next batch and returns the number of its first task. Locked, so that no
   * later batch is open before this one is.
   */
  private long take() {
    synchronized (open) {
      long first = next.getAndAdd(plan.batch());
      open.add(first);
      return first;
    }
  }

  private LongStream sequences(long first) {
    return LongStream.range(first, Math.min(first + plan.batch(), plan.keys().count()));
  }

  /** Waits until earlier tasks of the keys are answered; false when the load ends instead. */
  private boolean awaitPrevious(long first) {
    long last = first + plan.batch() - 1;
    if (!plan.keys().hasPrevious(last)) {
      return true;
    }
    long blocking = Math.min(first - 1, plan.keys().previous(last));
    while (open.first() <= blocking) {
      if (stopped) {
        return false;
      }
      LockSupport.parkNanos(LOOK_NANOS / 10);
    }
    return true;
  }

  private long scheduledMicros(long sequence) {
    return plan.perSecond() == 0
        ? Math.max(LoadClock.micros(), plan.startMicros())
        : plan.startMicros() + (long) (sequence * 1e6 / plan.perSecond());
  }

  /** Waits until a batch may be sent; false when the load ends instead. */
  private boolean awaitTurn(long first, long scheduledMicros) {
    for (long left = scheduledMicros - LoadClock.micros();
        left > 0;
        left = scheduledMicros - LoadClock.micros()) {
      if (stopped) {
        return false;
      }
      LockSupport.parkNanos(left * 1_000);
    }
    while (plan.perSecond() == 0 && first - done.getAsLong() > plan.outstanding()) {
      if (stopped || LoadClock.micros() >= plan.endMicros()) {
        return false;
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
    return true;
  }

  private void send(long first, long scheduledMicros) {
    List<Job> jobs = new ArrayList<>(plan.batch());
    sequences(first)
        .forEach(sequence -> {
          long due;
          synchronized (dueTimes) {
            due = dueTimes.dueMicros(sequence, scheduledMicros);
          }
          jobs.add(new Job(sequence, due, payload.value(sequence, due)));
        });
    worstLagMicros = Math.max(worstLagMicros, LoadClock.micros() - scheduledMicros);
    sent.addAndGet(jobs.size());
    try {
      target.accept(jobs);
      accepted.addAndGet(jobs.size());
    } catch (RuntimeException e) {
      failure = e.toString();
      sequences(first).forEach(uncertain::add);
    }
  }

  /** Tasks of calls that were made. */
  public long sent() {
    return sent.get();
  }

  public long accepted() {
    return accepted.get();
  }

  /** Sequence numbers of calls that failed: nobody can tell if they were accepted. */
  public Set<Long> uncertain() {
    return uncertain;
  }

  /** Error of the last failed call; a dash when none did. */
  public String failure() {
    return failure;
  }

  /** The longest time that the load was behind its schedule. */
  public Duration worstLag() {
    return Duration.of(worstLagMicros, ChronoUnit.MICROS);
  }

  /** Accepted tasks that are not in the ledger; only after the load has ended. */
  public ArrivalLedger.Missing missingFrom(ArrivalLedger ledger) {
    Set<Long> notAccepted = new HashSet<>(uncertain);
    notAccepted.addAll(unsent);
    return ledger.missing(Math.min(next.get(), plan.keys().count()), notAccepted);
  }

  /** True when every caller has ended. */
  public boolean hasEnded() {
    return callers.stream().noneMatch(Thread::isAlive);
  }

  /** Sends no more. */
  public void stop() {
    stopped = true;
  }

  /** Waits until every caller has ended. */
  public void join() throws InterruptedException {
    BenchWait.forEndOf(callers);
  }

  @Override
  public void close() {
    stop();
  }
}
