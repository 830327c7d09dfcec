package io.kairos.client.worker;

import io.kairos.client.handler.CancelReason;
import io.kairos.client.time.ActionTimer;
import io.kairos.client.worker.WorkerBoard.BeatEffect;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends executions whose lease is lost, before another worker may claim their tasks. The handler is
 * cancelled first; when it goes on after its grace time, the JVM halts. Called on the heartbeat
 * thread and on the threads of its answers.
 */
record RunTermination(
    ActionTimer timer, Executor callbacks, JvmHalt halt, WorkerListener listener) {
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
        .addKeyValue("why", why)
        .log("leases are lost; what runs is told to stop");
    for (LeasedTask task : lost) {
      listener.lost(task.work.getHandler(), why);
    }
  }

  private void judge(HandlerRun run, String why, Duration grace) {
    if (run.hasEnded()) {
      return;
    }
    if (run.registration().options().allowOverlap()) {
      LOG.atWarn()
          .addKeyValue("task", run.taskId())
          .addKeyValue("handler", run.handler())
          .log("a handler goes on without its lease; it allows overlap");
      return;
    }
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
    halt.halt(reason);
  }
}
