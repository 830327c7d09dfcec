package io.kairos.client.process;

import io.kairos.api.v1.Result;
import io.kairos.client.time.SystemTime;
import io.kairos.client.time.Time;
import io.kairos.client.time.Timer;
import io.kairos.client.worker.CancelReason;
import io.kairos.client.worker.FatalFailure;
import io.kairos.client.worker.Handler;
import io.kairos.client.worker.NotBegun;
import io.kairos.client.worker.RetryLater;
import io.kairos.client.worker.TaskContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Process mode: a handler whose tasks are performed by executors that are processes of their own,
 * in any language. Each is a worker that calls a local port instead of a node; the controller,
 * which is the {@link io.kairos.client.worker.Worker} that this handler is registered with, keeps
 * claims and leases to itself.
 *
 * <p>An executor that performs and is silent for {@code silence} is killed together with all that
 * it has started, also when it is stopped ({@code SIGSTOP}), while the worker still keeps the
 * lease: so two executions of a task never overlap. Should this process be stopped instead,
 * executors get no answer and end themselves; a heartbeat of theirs is only answered while the
 * lease has {@code silence} left. What has left the tree of processes (a daemon) is not found.
 *
 * <p>Tasks are asked for while an executor runs that has asked for them. Give the worker a
 * concurrency of {@code count}. Thread-safe; one thread per executor and two more, all daemons.
 */
public final class ProcessExecutors implements Handler<byte[]>, AutoCloseable {
  /** Fits the shipped lease of 4.5 s. */
  public static final Duration SILENCE = Duration.ofSeconds(2);

  /** For an executor to end when its attempt is cancelled or the controller closes. */
  public static final Duration TERM_TIME = Duration.ofSeconds(2);

  /** Between two tasks an executor needs no longer to ask for the next. */
  private static final Duration MOST_WAIT = Duration.ofSeconds(3);

  private final Time time;
  private final Timer watch;
  private final Duration silence;
  private final List<Slot> slots = new ArrayList<>();
  private final List<ExecutorProcess> processes = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition idle = lock.newCondition();

  /** For tests; none runs yet. */
  ProcessExecutors(String name, List<String> command, int count, Duration silence, Time time) {
    this.silence = silence;
    this.time = time;
    this.watch = time.timer("kairos-executor-watch");
    for (int i = 1; i <= count; i++) {
      Slot slot = new Slot(time, watch, silence, this::someoneIsIdle);
      ExecutorProcess process = new ExecutorProcess(command, name + "-" + i, slot, time);
      Thread thread = new Thread(process, "kairos-executor-process-" + i);
      thread.setDaemon(true);
      slots.add(slot);
      processes.add(process);
      threads.add(thread);
    }
  }

  /**
   * Starts executors.
   *
   * @param name of their worker
   * @param command the program and its arguments; no shell is involved
   * @param count how many
   */
  public static ProcessExecutors start(String name, List<String> command, int count) {
    return start(name, command, count, SILENCE);
  }

  /**
   * The same.
   *
   * @param silence after which one that performs is killed; less than half of the nodes' lease
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
    Job job = new Job(payload, context);
    Slot slot = handOver(job);
    boolean asked = false;
    while (true) {
      try {
        job.await();
        break;
      } catch (InterruptedException e) {
        if (isLost(context)) {
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

  /** While an executor that runs asks for its tasks, or will when it has done what it does. */
  @Override
  public boolean isReady(String handler) {
    return slots.stream().anyMatch(slot -> slot.offers(handler));
  }

  private static boolean isLost(TaskContext context) {
    return context.cancelReason().filter(why -> why == CancelReason.LEASE_LOST).isPresent();
  }

  /** Waits for an executor that wants it; for a while, as another host may have one. */
  private Slot handOver(Job job) throws InterruptedException {
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
        for (Slot slot : slots) {
          if (job.holdsFor(silence) && slot.take(job)) {
            return slot;
          }
        }
        long left = untilNanos - time.nanos();
        if (left <= 0) {
          slots.forEach(Slot::doubt);
          throw new NotBegun("no executor asks for tasks of " + job.work().getHandler());
        }
        // While heartbeats fail nothing is handed over, and nobody tells when they work again.
        idle.awaitNanos(Math.min(left, silence.toNanos() / 4));
      }
    } finally {
      lock.unlock();
    }
  }

  private void someoneIsIdle() {
    lock.lock();
    try {
      idle.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** What the worker is to say of an attempt that has ended. */
  private static void judge(Job job, boolean interrupted) throws InterruptedException {
    @Nullable Result result = job.reported();
    if (result == null) {
      if (interrupted) {
        throw new InterruptedException(job.fate());
      }
      throw new RetryLater(job.fate());
    }
    switch (result.getOutcomeCase()) {
      case SUCCESS -> {}
      case FATAL -> throw new FatalFailure(result.getFatal().getError());
      case RETRY_LATER -> throw later(result.getRetryLater());
      case CANCELLED -> throw new CancellationException("the executor gave in");
      case NOT_BEGUN -> throw new NotBegun("the executor did not begin it");
      case OUTCOME_NOT_SET -> throw new FatalFailure("the executor reported no outcome");
    }
  }

  private static RetryLater later(Result.RetryLater result) {
    com.google.protobuf.Duration delay = result.getDelay();
    return result.hasDelay()
        ? new RetryLater(
            result.getError(), Duration.ofSeconds(delay.getSeconds(), delay.getNanos()))
        : new RetryLater(result.getError());
  }

  /**
   * After the worker has drained: executors end by {@code SIGTERM}, or are killed after a while.
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
