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
import io.kairos.bench.rig.WorkerProcess;
import io.kairos.bench.rig.Workplace;
import io.kairos.client.KairosClient;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** One run on a rig whose nodes run: warm-up, measured part, drain. */
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
      int executors) {}

  TaskResult run(Settings settings) throws SQLException, IOException, InterruptedException {
    long run = new SplittableRandom().nextLong() >>> 1;
    Payload payload = new Payload(run, settings.payloadBytes());
    String[] addresses = rig.nodes().stream().map(NodeProcess::address).toArray(String[]::new);
    List<WorkerProcess> workers = new ArrayList<>();
    List<Path> logs = new ArrayList<>();
    try {
      for (int i = 0; i < settings.workers(); i++) {
        Path log = workplace.resolve("executions-" + i);
        logs.add(log);
        workers.add(worker(settings, addresses, log, i));
      }
      return run(settings, payload, addresses, workers, logs);
    } finally {
      workers.forEach(WorkerProcess::close);
    }
  }

  private WorkerProcess worker(Settings settings, String[] addresses, Path log, int number) {
    List<String> arguments =
        new ArrayList<>(List.of(log.toString(), Integer.toString(settings.executors())));
    arguments.addAll(List.of(addresses));
    return WorkerProcess.start(
        TaskWorkerMain.class, arguments, workplace.resolve("worker-" + number + ".log"));
  }

  private TaskResult run(
      Settings settings,
      Payload payload,
      String[] addresses,
      List<WorkerProcess> workers,
      List<Path> logs)
      throws SQLException, IOException, InterruptedException {
    long startMicros = WallClock.micros() + micros(HEAD_START);
    long measuredFrom = startMicros + micros(settings.warmup());
    long measuredUntil = measuredFrom + micros(settings.duration());
    try (Connection connection = rig.connect();
        HiccupMeter hiccups = HiccupMeter.start();
        KairosClient client = KairosClient.connect(addresses);
        TaskLoad load =
            new TaskLoad(
                    new KairosTarget(client),
                    new TaskLoad.Plan(
                        settings.perSecond(),
                        settings.batch(),
                        settings.outstanding(),
                        settings.callers(),
                        startMicros,
                        measuredUntil),
                    payload,
                    DueTimes.after(settings.delayMin(), settings.delayMax(), payload.run()),
                    () -> done)
                .start()) {
      TaskStoreCount before = TaskStoreCount.of(connection);
      watchUntil(measuredFrom, load);
      hiccups.forget();
      Moment from = moment(connection, workers, load);
      watchUntil(measuredUntil, load);
      Lateness hiccup = hiccups.take();
      Moment until = moment(connection, workers, load);
      load.join();
      drain(load);
      workers.forEach(WorkerProcess::stop);
      Ledger ledger = new Ledger(startMicros, measuredFrom, measuredUntil);
      for (Path log : logs) {
        ExecutionLog.read(log, ledger);
      }
      long ended = until.done - from.done;
      return new TaskResult(
          settings,
          load.tried(),
          load.uncertain().size(),
          Duration.ofNanos(load.worstLagMicros() * 1_000),
          perSecond(until.accepted - from.accepted, from, until),
          perSecond(ended, from, until),
          ledger.lateness(),
          hiccup,
          ledger.count(),
          ledger.missing(load.tried(), load.uncertain()),
          TaskStoreCount.of(connection).since(before),
          Cost.between(from.snapshot, until.snapshot, ended),
          until.workerTime.minus(from.workerTime).toNanos() / 1e3 / Math.max(1, ended),
          rig.nodes().stream()
              .map(node -> GcLog.read(node.gcLog(), from.snapshot.at(), until.snapshot.at()))
              .toList(),
          ledger.perSecond());
    }
  }

  private record Moment(Snapshot snapshot, Duration workerTime, long accepted, long done) {}

  private Moment moment(Connection connection, List<WorkerProcess> workers, TaskLoad load)
      throws SQLException {
    look();
    long accepted = load.accepted(); // before the snapshot, which takes its time
    long ended = done;
    return new Moment(
        Snapshot.take(rig, connection, TABLE),
        workers.stream().map(WorkerProcess::processorTime).reduce(Duration.ZERO, Duration::plus),
        accepted,
        ended);
  }

  private static double perSecond(long count, Moment from, Moment until) {
    return count / (Duration.between(from.snapshot.at(), until.snapshot.at()).toNanos() / 1e9);
  }

  /** How many tasks have ended, as the nodes count them. */
  private void look() {
    double ended = 0;
    for (NodeProcess node : rig.nodes()) {
      try {
        ended += node.metrics().sum("kairos_task_outcome_total");
      } catch (IOException e) {
        return; // of use only if all answer; the next look comes soon
      }
    }
    done = (long) ended;
  }

  private void watchUntil(long untilMicros, TaskLoad load) {
    long tellAt = System.nanoTime() + TELL_EVERY.toNanos();
    while (WallClock.micros() < untilMicros) {
      LockSupport.parkNanos(
          Math.min(LOOK_EVERY.toNanos(), (untilMicros - WallClock.micros()) * 1_000));
      look();
      if (System.nanoTime() - tellAt > 0) {
        progress.say(
            "%s accepted, %s done".formatted(Shown.count(load.accepted()), Shown.count(done)));
        tellAt += TELL_EVERY.toNanos();
      }
    }
  }

  /** Until everything has ended, or nothing does any more. */
  private void drain(TaskLoad load) {
    long last = done;
    long quietSince = System.nanoTime();
    while (done < load.accepted() && System.nanoTime() - quietSince < QUIET.toNanos()) {
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
      look();
      if (done != last) {
        last = done;
        quietSince = System.nanoTime();
      }
    }
  }

  private static long micros(Duration duration) {
    return duration.toNanos() / 1_000;
  }
}
