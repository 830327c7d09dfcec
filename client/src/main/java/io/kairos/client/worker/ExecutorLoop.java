package io.kairos.client.worker;

import io.kairos.api.v1.Result;
import io.kairos.client.time.Time;
import io.kairos.client.time.Timer;
import io.kairos.client.time.Timer.Cancellation;
import io.kairos.client.worker.Board.Assignment;
import io.kairos.client.worker.Board.Plan;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * ATF's executor: takes a task, runs its handler, says how it ended, for as long as there is work.
 * Each of the worker's executor threads runs this one object.
 */
final class ExecutorLoop implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(ExecutorLoop.class);
  private static final Cancellation NO_TIMEOUT = () -> {};

  private final String worker;
  private final Map<String, Registration<?>> registrations;
  private final Board board;
  private final Time time;
  private final Timer timer;
  private final Threads threads;
  private final Consumer<Plan> plans;
  private final WorkerListener listener;

  ExecutorLoop(
      String worker,
      Map<String, Registration<?>> registrations,
      Board board,
      Heartbeats.Wire wire,
      Threads threads,
      Consumer<Plan> plans,
      WorkerListener listener) {
    this.worker = worker;
    this.registrations = registrations;
    this.board = board;
    this.time = wire.time();
    this.timer = wire.timer();
    this.threads = threads;
    this.plans = plans;
    this.listener = listener;
  }

  /**
   * Where code of the user runs.
   *
   * @param executors run this loop
   * @param callbacks run what handlers registered for a cancel
   */
  record Threads(Executor executors, Executor callbacks) {}

  @Override
  public void run() {
    try {
      for (Assignment next = board.take(this::begin);
          next != null;
          next = board.take(this::begin)) {
        perform(next);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the owner of the thread wants it back
    }
  }

  private Run begin(Held task) {
    Registration<?> registration = registrations.get(task.work.getHandler());
    return new Run(
        task.work,
        registration == null ? Registration.missing(task.work.getHandler()) : registration,
        worker,
        () -> task.nanosLeftAt(time.nanos()));
  }

  private void perform(Assignment next) {
    Run run = next.run();
    Throwable thrown = null;
    long begunAtNanos = time.nanos();
    listener.started(run.handler(), Duration.between(run.dueAt(), time.now()));
    Cancellation timeout = executionTimeout(next, begunAtNanos);
    try {
      run.begin();
      run.registration().perform(next.task().work.getPayload().toByteArray(), run);
    } catch (Exception e) {
      thrown = e;
    } catch (Error e) {
      // It may have broken this thread; the task is reported, another thread goes on.
      thrown = e;
      threads.executors().execute(this);
      throw e;
    } finally {
      run.end();
      timeout.cancel();
      end(next, thrown, time.nanos() - begunAtNanos);
    }
  }

  private Cancellation executionTimeout(Assignment next, long now) {
    Duration most = next.run().executionTimeout();
    if (most == null) {
      return NO_TIMEOUT;
    }
    Duration rest = most.minusNanos(now - next.task().receivedAtNanos);
    return timer.after(
        rest.isNegative() ? Duration.ZERO : rest,
        () -> next.run().cancel(CancelReason.EXECUTION_TIMEOUT, threads.callbacks()));
  }

  private void end(Assignment done, @Nullable Throwable thrown, long tookNanos) {
    Run run = done.run();
    Result result = Outcomes.of(done.task().work, run.cancelReason().orElse(null), thrown);
    boolean counts = board.ended(done, result, tookNanos);
    if (thrown != null) {
      LOG.atDebug()
          .addKeyValue("task", done.task().work.getId())
          .addKeyValue("fence", run.fence())
          .addKeyValue("attempt", run.attempt())
          .setCause(thrown)
          .log("an attempt did not succeed");
    }
    listener.ended(
        run.handler(),
        counts ? Outcomes.endingOf(result) : Ending.LOST,
        Duration.ofNanos(tookNanos));
    plans.accept(board.plan());
  }
}
