package io.kairos.client.worker;

import io.kairos.client.handler.CancelReason;
import io.kairos.client.handler.OnLostLease;
import io.kairos.client.time.ActionTimer;
import io.kairos.client.worker.WorkerBoard.Abandonment;
import io.kairos.client.worker.WorkerBoard.BeatEffect;
import io.kairos.client.worker.WorkerBoard.Plan;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends executions whose lease is lost, before another worker may claim their tasks. The handler is
 * cancelled first. One that goes on after its grace time is abandoned. If the handler's options ask
 * for that, the JVM is halted before, and the handler counts as abandoned when it goes on even
 * then. Called on the heartbeat thread and on the threads of its answers.
 */
record RunTermination(
    WorkerBoard board,
    ActionTimer timer,
    Executor callbacks,
    JvmHalt halt,
    Consumer<Plan> plans,
    WorkerListener listener) {
  private static final Logger LOG = LoggerFactory.getLogger(RunTermination.class);

  void carryOut(BeatEffect effect, String why) {
    for (HandlerRun run : effect.toCancel()) {
      run.cancel(CancelReason.CANCEL_REQUESTED, callbacks);
    }
    List<LeasedTask> lost = effect.lost();
    if (lost.isEmpty()) {
      return;
    }
    // Running handlers first.
    for (HandlerRun run : effect.lostRuns()) {
      run.cancel(CancelReason.LEASE_LOST, callbacks);
    }
    Duration grace = Duration.ofNanos(lost.get(0).terms.graceNanos());
    for (HandlerRun run : effect.lostRuns()) {
      timer.after(grace, () -> judge(run, why, grace));
    }
    LOG.atWarn()
        .addKeyValue("tasks", lost.size())
        .addKeyValue("running", effect.lostRuns().size())
        .addKeyValue("first", lost.get(0).work.getId())
        .addKeyValue("handler", lost.get(0).work.getHandler())
        .addKeyValue("why", why)
        .log("leases were lost; running handlers are interrupted, and their results are not sent");
    for (LeasedTask task : lost) {
      listener.lost(task.work.getHandler(), why);
    }
  }

  private void judge(HandlerRun run, String why, Duration grace) {
    if (run.hasEnded()) {
      return;
    }
    try {
      if (run.registration().options().onLostLease() == OnLostLease.HALT_JVM) {
        halt(run, why, grace);
      }
    } finally { // a halt of the user's own may have returned or thrown
      board.abandon(run).ifPresent(abandonment -> abandoned(run, abandonment));
    }
  }

  private void halt(HandlerRun run, String why, Duration grace) {
    String reason =
        "handler "
            + run.handler()
            + " still runs task "
            + run.taskId()
            + " "
            + grace
            + " after it was told to stop ("
            + why
            + "); another worker may begin it";
    LOG.atError().log("halting the JVM: {}", reason);
    try {
      halt.halt(reason);
    } catch (RuntimeException e) {
      LOG.atError().setCause(e).log("the JVM goes on, because haltBy has failed");
    }
  }

  private void abandoned(HandlerRun run, Abandonment abandonment) {
    try {
      tell(run, abandonment);
    } finally {
      run.abandonmentTold();
    }
    plans.accept(abandonment.plan());
  }

  private void tell(HandlerRun run, Abandonment abandonment) {
    (abandonment.executorsLeft() ? LOG.atWarn() : LOG.atError())
        .addKeyValue("task", run.taskId())
        .addKeyValue("handler", run.handler())
        .log(
            "a handler goes on without its lease although it was interrupted; it keeps its executor"
                + " until it returns{}",
            abandonment.executorsLeft()
                ? ""
                : ". No executor is left: this worker asks for no tasks until a handler returns");
    listener.abandoned(run.handler());
  }
}
