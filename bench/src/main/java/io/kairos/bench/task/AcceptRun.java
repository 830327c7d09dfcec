package io.kairos.bench.task;

import io.kairos.bench.delay.Progress;
import io.kairos.bench.load.DueTimes;
import io.kairos.bench.load.Payload;
import io.kairos.bench.load.WallClock;
import io.kairos.bench.report.Shown;
import io.kairos.bench.report.Table;
import io.kairos.bench.rig.NodeProcess;
import io.kairos.bench.rig.Rig;
import io.kairos.client.KairosClient;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** How many schedule calls a second are answered, of tasks that are due in a day. */
final class AcceptRun {
  private static final Duration DUE_IN = Duration.ofDays(1);
  private static final Duration TELL_EVERY = Duration.ofSeconds(10);

  private final Rig rig;
  private final Progress progress;

  AcceptRun(Rig rig, Progress progress) {
    this.rig = rig;
    this.progress = progress;
  }

  /** What was seen; void when the store has not what was acknowledged. */
  record Result(
      TaskRun.Settings settings, double perSecond, long accepted, long uncertain, long stored) {
    boolean isVoid() {
      return stored < accepted || stored > accepted + uncertain;
    }

    Table table() {
      return new Table()
          .row(
              "load",
              "as fast as it goes",
              "%d callers, %d tasks a call, payloads of %d bytes, due in a day"
                  .formatted(settings.callers(), settings.batch(), settings.payloadBytes()))
          .row(
              "accepted",
              Shown.count(perSecond) + " tasks/s",
              "durable, for %s after %s of warm-up"
                  .formatted(
                      Shown.duration(settings.duration()), Shown.duration(settings.warmup())))
          .row(
              "accounts",
              "%s acknowledged, %s uncertain, %s in the store"
                  .formatted(Shown.count(accepted), Shown.count(uncertain), Shown.count(stored)))
          .row("verdict", isVoid() ? "VOID: acknowledged is not stored" : "clean");
    }

    Map<String, Object> data() {
      return Map.of(
          "batch", settings.batch(),
          "callers", settings.callers(),
          "acceptedPerSecond", perSecond,
          "accepted", accepted,
          "uncertain", uncertain,
          "stored", stored);
    }
  }

  Result run(TaskRun.Settings settings) throws SQLException, InterruptedException {
    long run = new SplittableRandom().nextLong() >>> 1;
    String[] addresses = rig.nodes().stream().map(NodeProcess::address).toArray(String[]::new);
    long start = WallClock.micros();
    long measuredFrom = start + settings.warmup().toNanos() / 1_000;
    long end = measuredFrom + settings.duration().toNanos() / 1_000;
    try (Connection connection = rig.connect();
        KairosClient client = KairosClient.connect(addresses);
        TaskLoad load =
            new TaskLoad(
                    KairosTarget.of(client, TaskWorkerMain.HANDLER),
                    new TaskLoad.Plan(
                        0, settings.batch(), Integer.MAX_VALUE, settings.callers(), start, end),
                    new Payload(run, settings.payloadBytes()),
                    DueTimes.after(DUE_IN, DUE_IN, run),
                    () -> 0)
                .start()) {
      TaskStoreCount before = TaskStoreCount.of(connection);
      watchUntil(measuredFrom, load);
      long from = load.accepted();
      long fromNanos = System.nanoTime();
      watchUntil(end, load);
      double seconds = (System.nanoTime() - fromNanos) / 1e9;
      double perSecond = (load.accepted() - from) / seconds;
      load.join();
      return new Result(
          settings,
          perSecond,
          load.accepted(),
          load.uncertain().size(),
          TaskStoreCount.of(connection).since(before).unfinished());
    }
  }

  private void watchUntil(long micros, TaskLoad load) {
    while (WallClock.micros() < micros) {
      long nanos = Math.min(TELL_EVERY.toNanos(), (micros - WallClock.micros()) * 1_000);
      LockSupport.parkNanos(nanos);
      progress.say(Shown.count(load.accepted()) + " accepted");
    }
  }
}
