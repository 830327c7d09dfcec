package io.kairos.client.process;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.Result;
import io.kairos.client.handler.CancelReason;
import io.kairos.client.handler.FatalFailure;
import io.kairos.client.handler.Handler;
import io.kairos.client.handler.NotBegun;
import io.kairos.client.handler.RetryLater;
import io.kairos.client.handler.Snooze;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.time.ActionTimer;
import io.kairos.client.time.ClientTime;
import io.kairos.client.time.DaemonThread;
import io.kairos.client.time.SystemTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A handler for process mode: separate executor processes, in any language, perform its tasks. Each
 * executor is a worker that calls a local port instead of a node. The controller, which is the
 * {@link io.kairos.client.worker.Worker} that this handler is registered with, manages claims and
 * leases.
 *
 * <p>An executor that performs a task without a heartbeat for {@code silence} is killed with its
 * descendants, even when it is stopped ({@code SIGSTOP}), while the worker still has the lease: so
 * two executions of a task never overlap. When this process is stopped instead, executors get no
 * answers: an executor must end itself then, in Java by {@link
 * io.kairos.client.handler.HandlerOptions#HALT_JVM}. A heartbeat is only answered while at least
 * {@code silence} is left of the lease. Processes that leave the process tree (daemons) are not
 * found. An executor is a process of its own, so killing it harms no application: this process
 * itself is never halted.
 *
 * <p>An executor may perform several tasks at once: it asks for the next while it performs others,
 * and each task has a lease and heartbeats of its own. An executor that is killed for one of them
 * ends all of them; their attempts count as failed.
 *
 * <p>The worker asks for tasks while an executor runs that has asked for them. Give the worker a
 * concurrency of {@code count}, times the tasks of one executor. Thread-safe; uses one thread per
 * executor and two more, all daemons.
 */
public final class ProcessExecutors implements Handler<byte[]>, AutoCloseable {
  /** Default silence, which fits the default lease of 4.5 s. */
  public static final Duration SILENCE = Duration.ofSeconds(2);

  /** Time for an executor to end when its attempt is cancelled or the controller closes. */
  public static final Duration TERM_TIME = Duration.ofSeconds(2);

  /** Longest time between two tasks in which an executor asks for the next. */
  private static final Duration MOST_WAIT = Duration.ofSeconds(3);

  private final ClientTime time;
  private final ActionTimer watch;
  private final Duration silence;
  private final List<ExecutorSlot> slots = new ArrayList<>();
  private final List<ExecutorProcess> processes = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  /** Not a monitor, because {@link #handOver} waits on a condition for a time in nanoseconds. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Condition idle = lock.newCondition();

  /** For tests; starts no executor. */
  ProcessExecutors(
      String name, List<String> command, int count, Duration silence, ClientTime time) {
    this.silence = silence;
    this.time = time;
    this.watch = time.timer("kairos-executor-watch");
    for (int i = 1; i <= count; i++) {
      ExecutorSlot slot = new ExecutorSlot(time, watch, silence, this::someoneIsIdle);
      ExecutorProcess process = new ExecutorProcess(command, name + "-" + i, slot, time);
      slots.add(slot);
      processes.add(process);
      threads.add(DaemonThread.of("kairos-executor-process-" + i, process));
    }
  }

  /**
   * Starts executors with the default silence.
   *
   * @param name name of the executors, which a number is appended to
   * @param command the program and its arguments, without a shell
   * @param count number of executors
   */
  public static ProcessExecutors start(String name, List<String> command, int count) {
    return start(name, command, count, SILENCE);
  }

  /**
   * Starts executors.
   *
   * @param silence time without a heartbeat after which an executor with a task is killed; less
   *     than half of the nodes' lease
   */
  public static ProcessExecutors start(
      String name, List<String> command, int count, Duration silence) {
    if (command.isEmpty()) {
      throw new IllegalArgumentException("a command is needed");
    }
    if (count < 1) {
      throw new IllegalArgumentException("at least one executor is needed");
    }
    ProcessExecutors made = new ProcessExecutors(name, command, count, silence, new SystemTime());
    made.threads.forEach(Thread::start);
    return made;
  }

  @Override
  public void handle(byte[] payload, TaskContext context) throws InterruptedException {
    ExecutorJob job = new ExecutorJob(payload, context);
    ExecutorSlot slot = handOver(job);
    boolean asked = false;
    while (true) {
      try {
        job.await();
        break;
      } catch (InterruptedException e) {
        if (context.cancelReason().equals(Optional.of(CancelReason.LEASE_LOST))) {
          slot.kill(job, "its lease was lost");
        } else {
          job.requestCancel();
          if (!asked) {
            watch.after(TERM_TIME, () -> slot.kill(job, "its executor did not end when cancelled"));
          }
        }
        asked = true;
      }
    }
    judge(job, asked);
  }

  /**
   * True while a running executor asks for tasks of this handler, or is expected to after its task.
   */
  @Override
  public boolean isReady(String handler) {
    return slots.stream().anyMatch(slot -> slot.offers(handler));
  }

  /**
   * Waits for an executor that takes the job; only for a while, because another host may have one.
   */
  private ExecutorSlot handOver(ExecutorJob job) throws InterruptedException {
    long untilNanos = time.nanos() + MOST_WAIT.toNanos();
    if (!job.holdsFor(silence)) {
      throw new RetryLater(
          "the lease is too short for executors that may be silent for "
              + silence.toMillis()
              + " ms");
    }
    lock.lockInterruptibly();
    try {
      while (true) {
        for (ExecutorSlot slot : idlestFirst()) {
          if (job.holdsFor(silence) && slot.take(job)) {
            return slot;
          }
        }
        long left = untilNanos - time.nanos();
        if (left <= 0) {
          slots.forEach(ExecutorSlot::doubt);
          throw new NotBegun("no executor asks for tasks of " + job.work().getHandler());
        }
        // While heartbeats fail no job is handed over, and no signal comes when they succeed again.
        idle.awaitNanos(Math.min(left, silence.toNanos() / 4));
      }
    } finally {
      lock.unlock();
    }
  }

  private List<ExecutorSlot> idlestFirst() {
    Map<ExecutorSlot, Integer> loads = new HashMap<>();
    slots.forEach(slot -> loads.put(slot, slot.load()));
    List<ExecutorSlot> sorted = new ArrayList<>(slots);
    sorted.sort(Comparator.comparingInt(slot -> loads.getOrDefault(slot, 0)));
    return sorted;
  }

  private void someoneIsIdle() {
    lock.lock();
    try {
      idle.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Turns the result of an executor into the outcome of the handler. */
  static void judge(ExecutorJob job, boolean interrupted) throws InterruptedException {
    @Nullable Result result = job.reported();
    if (result == null) {
      if (interrupted) {
        throw new InterruptedException(job.fate());
      }
      throw new RetryLater(job.fate());
    }
    switch (result.getOutcomeCase()) {
      case SUCCESS -> job.succeeded(result.getSuccess());
      case FATAL -> {
        Result.Fatal fatal = result.getFatal();
        throw new FatalFailure(fatal.getError(), null, fatal.getErrorClass(), fatal.getStack());
      }
      case RETRY_LATER -> throw later(result.getRetryLater());
      case CANCELLED -> throw new CancellationException("the executor gave in");
      case NOT_BEGUN -> throw new NotBegun("the executor did not begin it");
      case SNOOZED -> throw new Snooze(ProtoTime.of(result.getSnoozed().getDelay()));
      case OUTCOME_NOT_SET -> throw new FatalFailure("the executor reported no outcome");
    }
  }

  private static RetryLater later(Result.RetryLater result) {
    Duration delay = result.hasDelay() ? ProtoTime.of(result.getDelay()) : null;
    return new RetryLater(
        result.getError(), delay, null, result.getErrorClass(), result.getStack());
  }

  /**
   * Ends the executors by {@code SIGTERM}, and kills them after {@link #TERM_TIME}. Call it after
   * the worker has drained.
   */
  @Override
  public void close() {
    processes.forEach(ExecutorProcess::close);
    watch.after(TERM_TIME, () -> processes.forEach(ExecutorProcess::kill));
    try {
      for (Thread thread : threads) {
        thread.join(2 * TERM_TIME.toMillis());
      }
    } catch (InterruptedException e) {
      processes.forEach(ExecutorProcess::kill);
      Thread.currentThread().interrupt();
    }
    watch.close();
  }
}
