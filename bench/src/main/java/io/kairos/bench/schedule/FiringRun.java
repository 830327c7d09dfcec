package io.kairos.bench.schedule;

import io.kairos.bench.delay.Cost;
import io.kairos.bench.delay.Progress;
import io.kairos.bench.delay.Snapshot;
import io.kairos.bench.load.Payload;
import io.kairos.bench.load.WallClock;
import io.kairos.bench.observe.HiccupMeter;
import io.kairos.bench.observe.Lateness;
import io.kairos.bench.report.Shown;
import io.kairos.bench.rig.Rig;
import io.kairos.bench.rig.Workplace;
import io.kairos.bench.task.TaskStoreCount;
import io.kairos.bench.task.TaskWorkers;
import io.kairos.domain.schedule.fire.OverlapPolicy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** Very many schedules, of which equally many are due at each minute, on a rig whose node runs. */
final class FiringRun {
  static final String TABLE = "schedule";

  /** How finely the store is looked at: what a figure may be too long by. */
  static final Duration LOOK_EVERY = Duration.ofMillis(10);

  /** How long before a fire time, or the end, something is to be done. */
  static final Duration BEFORE = Duration.ofMillis(500);

  private final Rig rig;
  private final Workplace workplace;
  private final Progress progress;

  FiringRun(Rig rig, Workplace workplace, Progress progress) {
    this.rig = rig;
    this.workplace = workplace;
    this.progress = progress;
  }

  /**
   * What to run.
   *
   * @param period minutes from one turn of a schedule to its next
   * @param warmup minutes that are not measured
   */
  record Settings(
      int dueAtOnce,
      int period,
      int warmup,
      int minutes,
      int payloadBytes,
      int workers,
      int executors) {
    int rounds() {
      return warmup + minutes;
    }
  }

  FiringResult run(Settings settings) throws SQLException {
    try (TaskWorkers workers =
        TaskWorkers.start(rig, workplace, "worker", settings.workers(), settings.executors())) {
      return run(settings, workers);
    }
  }

  private FiringResult run(Settings settings, TaskWorkers workers) throws SQLException {
    FirePlan plan =
        FirePlan.after(
            Instant.now().plus(Registration.lead(settings.dueAtOnce() * settings.period())),
            settings.dueAtOnce(),
            settings.period(),
            FirePlan.Unit.MINUTE);
    Payload payload = new Payload(new SplittableRandom().nextLong() >>> 1, settings.payloadBytes());
    Registration.register(rig, plan, payload, OverlapPolicy.SKIP, progress);
    try (Connection connection = rig.connect();
        HiccupMeter hiccups = HiccupMeter.start()) {
      List<Round> rounds = new ArrayList<>();
      for (int i = 0; i < settings.rounds(); i++) {
        if (i == settings.warmup()) {
          hiccups.forget();
        }
        Round round = watch(connection, plan, i, workers);
        progress.say(
            "%s: claimable after %s, ended after %s"
                .formatted(
                    round.fireAt(),
                    Shown.millis(round.claimableMillis()),
                    Shown.millis(round.endedMillis())));
        rounds.add(round);
      }
      Lateness hiccup = hiccups.take();
      // Whole minutes: what a fire leaves to checkpoints and vacuum is part of its cost.
      pass(plan.atMicros(settings.rounds()) - micros(BEFORE));
      Snapshot end = Snapshot.take(rig, connection, TABLE);
      ScheduleTables.pauseAll(connection);
      workers.stop();
      List<Round> measured = rounds.subList(settings.warmup(), settings.rounds());
      return new FiringResult(
          settings,
          plan,
          measured,
          Cost.between(measured.getFirst().before(), end, plan.fires(settings.minutes())),
          hiccup,
          ScheduleTables.judge(connection, plan, settings.warmup(), settings.rounds()).count(),
          Runs.read(workers, plan, payload.run(), settings.warmup(), settings.rounds()).count(),
          TaskStoreCount.of(connection));
    }
  }

  private Round watch(Connection connection, FirePlan plan, int number, TaskWorkers workers)
      throws SQLException {
    long fireAt = plan.atMicros(number);
    long giveUpAt = plan.atMicros(number + 1) - 2 * micros(BEFORE);
    pass(fireAt - micros(BEFORE));
    Snapshot before = Snapshot.take(rig, connection, TABLE);
    Duration workersBefore = workers.processorTime();
    pass(fireAt);
    boolean claimable = await(() -> ScheduleTables.allDecided(connection, fireAt), giveUpAt);
    long claimableAt = WallClock.micros();
    boolean ended = await(() -> ScheduleTables.noneUnfinished(connection), giveUpAt);
    long endedAt = WallClock.micros();
    Snapshot after = Snapshot.take(rig, connection, TABLE);
    return new Round(
        plan.at(number),
        (claimableAt - fireAt) / 1e3,
        (endedAt - fireAt) / 1e3,
        claimable && ended,
        Cost.between(before, after, plan.dueAtOnce()),
        workers.processorTime().minus(workersBefore).toNanos() / 1e3 / plan.dueAtOnce(),
        before);
  }

  /** What is waited for. */
  @FunctionalInterface
  interface Condition {
    boolean holds() throws SQLException;
  }

  static boolean await(Condition condition, long untilMicros) throws SQLException {
    while (!condition.holds()) {
      if (WallClock.micros() > untilMicros) {
        return false;
      }
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
    return true;
  }

  static void pass(long untilMicros) {
    for (long left = untilMicros - WallClock.micros();
        left > 0;
        left = untilMicros - WallClock.micros()) {
      LockSupport.parkNanos(left * 1_000);
    }
  }

  static long micros(Duration duration) {
    return duration.toNanos() / 1_000;
  }
}
