package io.kairos.bench.task;

import io.kairos.bench.delay.Cost;
import io.kairos.bench.delay.Progress;
import io.kairos.bench.delay.Snapshot;
import io.kairos.bench.load.DueTimes;
import io.kairos.bench.load.Payload;
import io.kairos.bench.load.WallClock;
import io.kairos.bench.measure.GcLog;
import io.kairos.bench.observe.HiccupMeter;
import io.kairos.bench.observe.Lateness;
import io.kairos.bench.observe.Ledger;
import io.kairos.bench.report.Shown;
import io.kairos.bench.rig.NodeProcess;
import io.kairos.bench.rig.Rig;
import io.kairos.bench.rig.Workplace;
import io.kairos.client.KairosClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * One run on a rig whose nodes run: warm-up, measured part, drain. A load that ends by a number of
 * tasks is measured until the last of them has ended.
 */
final class TaskRun {
  static final String TABLE = "task";

  private static final Duration HEAD_START = Duration.ofSeconds(2);
  private static final Duration LOOK_EVERY = Duration.ofMillis(200);
  private static final Duration TELL_EVERY = Duration.ofSeconds(10);

  /** Without an end of a task for so long, what is missing counts as lost. */
  private static final Duration QUIET = Duration.ofSeconds(20);

  private final Rig rig;
  private final Workplace workplace;
  private final Progress progress;
  private final long run = new SplittableRandom().nextLong() >>> 1;

  /** What the nodes had counted when this run began. */
  private long doneBefore;

  private volatile long done;

  TaskRun(Rig rig, Workplace workplace, Progress progress) {
    this.rig = rig;
    this.workplace = workplace;
    this.progress = progress;
  }

  /**
   * What to run.
   *
   * @param perSecond 0 for as many as are performed
   * @param outstanding tasks accepted and not done, when there is no rate
   * @param callers threads that schedule
   * @param keys when they say how many tasks there are, the load ends with these
   */
  record Settings(
      double perSecond,
      int batch,
      int outstanding,
      Duration delayMin,
      Duration delayMax,
      Duration warmup,
      Duration duration,
      int payloadBytes,
      int callers,
      int workers,
      int executors,
      KeyPlan keys) {
    boolean endsByCount() {
      return keys.perKey() > 0;
    }
  }

  TaskResult run(Settings settings) throws SQLException, InterruptedException {
    doneBefore = outcomes();
    try (TaskWorkers workers =
        TaskWorkers.start(
            rig, workplace, "worker-" + run, settings.workers(), settings.executors())) {
      return run(settings, workers);
    }
  }

  private TaskResult run(Settings settings, TaskWorkers workers)
      throws SQLException, InterruptedException {
    String[] addresses = rig.nodes().stream().map(NodeProcess::address).toArray(String[]::new);
    long startMicros = WallClock.micros() + micros(HEAD_START);
    long measuredFrom = startMicros + micros(settings.warmup());
    long loadUntil =
        settings.endsByCount() ? Long.MAX_VALUE : measuredFrom + micros(settings.duration());
    try (Connection connection = rig.connect();
        HiccupMeter hiccups = HiccupMeter.start();
        KairosClient client = KairosClient.connect(addresses);
        TaskLoad load =
            new TaskLoad(
                    KairosTarget.of(client, TaskWorkerMain.HANDLER).withKeys(settings.keys()),
                    new TaskLoad.Plan(
                        settings.perSecond(),
                        settings.batch(),
                        settings.outstanding(),
                        settings.callers(),
                        startMicros,
                        loadUntil,
                        settings.keys()),
                    new Payload(run, settings.payloadBytes()),
                    DueTimes.after(settings.delayMin(), settings.delayMax(), run),
                    () -> done)
                .start()) {
      TaskStoreCount before = TaskStoreCount.of(connection);
      watch(load, () -> WallClock.micros() >= measuredFrom);
      hiccups.forget();
      Moment from = moment(connection, workers, load);
      watch(
          load,
          () ->
              settings.endsByCount()
                  ? load.hasEnded() && done >= load.accepted()
                  : WallClock.micros() >= loadUntil);
      Lateness hiccup = hiccups.take();
      Moment until = moment(connection, workers, load);
      load.join();
      drain(connection, before);
      workers.stop();
      Judge judge =
          new Judge(
              run,
              new Ledger(startMicros, measuredFrom, loadUntil),
              settings.keys(),
              from.nanos,
              until.nanos);
      workers.read(judge::performed);
      Ledger ledger = judge.ledger();
      long ended = until.done - from.done - judge.bystanders();
      return new TaskResult(
          settings,
          load.sent(),
          load.uncertain().size(),
          Duration.ofNanos(load.worstLagMicros() * 1_000),
          perSecond(until.accepted - from.accepted, from, until),
          perSecond(ended, from, until),
          ledger.lateness(),
          hiccup,
          ledger.count(),
          load.missingFrom(ledger),
          judge.order(),
          judge.bystanders(),
          TaskStoreCount.of(connection).since(before),
          Cost.between(from.snapshot, until.snapshot, ended),
          until.workerTime.minus(from.workerTime).toNanos() / 1e3 / Math.max(1, ended),
          rig.nodes().stream()
              .map(node -> GcLog.read(node.gcLog(), from.snapshot.at(), until.snapshot.at()))
              .toList(),
          ledger.perSecond());
    }
  }

  private record Moment(
      Snapshot snapshot, Duration workerTime, long accepted, long done, long nanos) {}

  private Moment moment(Connection connection, TaskWorkers workers, TaskLoad load)
      throws SQLException {
    look();
    long accepted = load.accepted(); // before the snapshot, which takes its time
    long ended = done;
    long nanos = System.nanoTime();
    return new Moment(
        Snapshot.take(rig, connection, TABLE), workers.processorTime(), accepted, ended, nanos);
  }

  /** How many tasks have ended since this run began, as the nodes count them. */
  private void look() {
    try {
      done = outcomes() - doneBefore;
    } catch (UncheckedIOException e) {
      // of use only if all answer; the next look comes soon
    }
  }

  private long outcomes() {
    double ended = 0;
    for (NodeProcess node : rig.nodes()) {
      try {
        ended += node.metrics().sum("kairos_task_outcome_total");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return (long) ended;
  }

  private void watch(TaskLoad load, BooleanSupplier over) {
    long tellAt = System.nanoTime() + TELL_EVERY.toNanos();
    long last = done;
    long quietSince = System.nanoTime();
    while (!over.getAsBoolean()) {
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
      look();
      if (done != last) {
        last = done;
        quietSince = System.nanoTime();
      } else if (load.hasEnded() && System.nanoTime() - quietSince > QUIET.toNanos()) {
        return;
      }
      if (System.nanoTime() - tellAt > 0) {
        progress.say(
            "%s accepted, %s done".formatted(Shown.count(load.accepted()), Shown.count(done)));
        tellAt += TELL_EVERY.toNanos();
      }
    }
  }

  /**
   * Until the store has nothing left of this run, or nothing ends any more. The store is asked, as
   * the nodes count bystanders too.
   */
  private void drain(Connection connection, TaskStoreCount before) throws SQLException {
    long last = Long.MAX_VALUE;
    long quietSince = System.nanoTime();
    while (last > 0 && System.nanoTime() - quietSince < QUIET.toNanos()) {
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
      long left = TaskStoreCount.unfinished(connection) - before.unfinished();
      if (left != last) {
        last = left;
        quietSince = System.nanoTime();
      }
    }
    if (last > 0) {
      progress.say("not ended: " + TaskStoreCount.left(connection));
    }
  }

  private static double perSecond(long count, Moment from, Moment until) {
    return count / (Duration.between(from.snapshot.at(), until.snapshot.at()).toNanos() / 1e9);
  }

  private static long micros(Duration duration) {
    return duration.toNanos() / 1_000;
  }
}
