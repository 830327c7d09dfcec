package io.kairos.client.worker;

import io.kairos.client.time.Timer;
import io.kairos.client.worker.Board.BeatEffect;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends executions whose lease is lost, before anybody else may claim their tasks (DA-22): first the
 * handler is told; if it goes on after its grace time, the JVM halts. Called on the heartbeat
 * thread and on those of its answers.
 */
final class Termination {
  private static final Logger LOG = LoggerFactory.getLogger(Termination.class);

  private final Timer timer;
  private final Executor callbacks;
  private final Halt halt;
  private final WorkerListener listener;

  Termination(Timer timer, Executor callbacks, Halt halt, WorkerListener listener) {
    this.timer = timer;
    this.callbacks = callbacks;
    this.halt = halt;
    this.listener = listener;
  }

  void carryOut(BeatEffect effect, String why) {
    for (Run run : effect.toCancel()) {
      run.cancel(CancelReason.CANCEL_REQUESTED, callbacks);
    }
    List<Held> lost = effect.lost();
    if (lost.isEmpty()) {
      return;
    }
    // First those that still do something.
    for (Run run : effect.lostRuns()) {
      run.cancel(CancelReason.LEASE_LOST, callbacks);
    }
    Duration grace = Duration.ofNanos(lost.get(0).terms.graceNanos());
    for (Run run : effect.lostRuns()) {
      timer.after(grace, () -> judge(run, why, grace));
    }
    LOG.atWarn()
        .addKeyValue("tasks", lost.size())
        .addKeyValue("running", effect.lostRuns().size())
        .addKeyValue("first", lost.get(0).work.getId())
        .addKeyValue("why", why)
        .log("leases are lost; what runs is told to stop");
    for (Held task : lost) {
      listener.lost(task.work.getHandler(), why);
    }
  }

  private void judge(Run run, String why, Duration grace) {
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
