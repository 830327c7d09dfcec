package io.kairos.client.worker;

import io.kairos.api.v1.Result;
import io.kairos.client.handler.CancelReason;
import io.kairos.client.time.ActionTimer.Cancellation;
import io.kairos.client.worker.WorkerBoard.Assignment;
import io.kairos.client.worker.WorkerBoard.Plan;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a task, runs its handler and reports the result, in a loop until the worker has drained.
 * All executor threads of a worker run this object.
 */
record ExecutorLoop(
    String worker,
    Map<String, HandlerRegistration<?>> registrations,
    WorkerBoard board,
    LeaseHeartbeats.Wire wire,
    Threads threads,
    AttemptResults.Reporting reporting,
    Consumer<Plan> plans,
    WorkerListener listener)
    implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(ExecutorLoop.class);
  private static final Cancellation NO_TIMEOUT = () -> {};

  /**
   * Executors for code of the user.
   *
   * @param executors run this loop
   * @param callbacks run the actions that handlers registered for a cancel
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

  private HandlerRun begin(LeasedTask task) {
    HandlerRegistration<?> registration = registrations.get(task.work.getHandler());
    return new HandlerRun(
        task.work,
        registration == null ? HandlerRegistration.missing(task.work.getHandler()) : registration,
        worker,
        () -> task.nanosLeftAt(wire.time().nanos()),
        reporting.encryption());
  }

  private void perform(Assignment next) {
    HandlerRun run = next.run();
    Throwable thrown = null;
    long begunAtNanos = wire.time().nanos();
    listener.started(run.handler(), Duration.between(run.dueAt(), wire.time().now()));
    Cancellation timeout = executionTimeout(next, begunAtNanos);
    try {
      run.begin();
      run.registration()
          .perform(next.task().work.getPayload().toByteArray(), reporting.encryption(), run);
    } catch (Exception e) {
      thrown = e;
    } catch (Error e) {
      // An Error may have broken this thread: the result is reported, and another thread goes on.
      thrown = e;
      threads.executors().execute(this);
      throw e;
    } finally {
      run.end();
      timeout.cancel();
      end(next, thrown, wire.time().nanos() - begunAtNanos);
    }
  }

  private Cancellation executionTimeout(Assignment next, long now) {
    Duration most = next.run().executionTimeout();
    if (most == null) {
      return NO_TIMEOUT;
    }
    Duration rest = most.minusNanos(now - next.task().receivedAtNanos);
    return wire.timer()
        .after(
            rest.isNegative() ? Duration.ZERO : rest,
            () -> next.run().cancel(CancelReason.EXECUTION_TIMEOUT, threads.callbacks()));
  }

  private void end(Assignment done, @Nullable Throwable thrown, long tookNanos) {
    HandlerRun run = done.run();
    Result result =
        AttemptResults.of(
            done.task().work,
            run.cancelReason().orElse(null),
            thrown,
            run.givenResult(),
            reporting);
    boolean counts = board.ended(done, result, tookNanos);
    if (thrown != null) {
      LOG.atDebug()
          .addKeyValue("task", done.task().work.getId())
          .addKeyValue("fence", run.fence())
          .addKeyValue("attempt", run.attempt())
          .setCause(thrown)
          .log("an attempt did not succeed");
    }
    AttemptEnding ending = counts ? AttemptResults.endingOf(result) : AttemptEnding.LOST;
    run.afterAbandonment(() -> tellEnd(run, ending, Duration.ofNanos(tookNanos)));
    plans.accept(board.plan());
  }

  private void tellEnd(HandlerRun run, AttemptEnding ending, Duration took) {
    listener.ended(run.handler(), ending, took);
    if (run.isAbandoned()) {
      LOG.atInfo()
          .addKeyValue("task", run.taskId())
          .addKeyValue("handler", run.handler())
          .addKeyValue("took", took)
          .log("an abandoned handler has returned; its executor is free again");
      listener.returned(run.handler());
    }
  }
}
