package io.kairos.bench.schedule;

import io.kairos.bench.delay.Progress;
import io.kairos.bench.delay.Snapshot;
import io.kairos.bench.load.Payload;
import io.kairos.bench.report.Shown;
import io.kairos.bench.report.Table;
import io.kairos.bench.rig.Rig;
import io.kairos.domain.schedule.fire.OverlapPolicy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;

/**
 * What schedules cost while none is due: a node without any work is watched without schedules, with
 * very many, and without again, because a young node grows cheaper by the minute.
 */
final class IdleRun {
  /** Nothing fires before. */
  private static final Duration FAR = Duration.ofDays(30);

  private static final int PERCENT = 100;

  private final Rig rig;
  private final Progress progress;

  IdleRun(Rig rig, Progress progress) {
    this.rig = rig;
    this.progress = progress;
  }

  /**
   * Some time without work.
   *
   * @param nodePercent of a core
   * @param commitsPerSecond transactions of the whole database: every statement of an idle node is
   *     one
   * @param looksPerSecond statements that looked into the table of schedules
   */
  record Window(
      int schedules,
      double nodePercent,
      double postgresPercent,
      double commitsPerSecond,
      double looksPerSecond) {}

  /**
   * All of it.
   *
   * @param fired decisions meanwhile, of which there are to be none
   */
  record Result(Duration length, FirePlan plan, List<Window> windows, long fired)
      implements SceneResult {
    @Override
    public int exitCode() {
      return fired == 0 ? 0 : NOT_CLEAN;
    }

    @Override
    public Table table() {
      Table table =
          new Table()
              .row("idle", "", Shown.duration(length) + " each; one node without workers and work")
              .row("stored", "", Registration.about(plan))
              .row(
                  "schedules",
                  "node % of a core",
                  "Postgres % of a core",
                  "commits/s",
                  "of them on schedules");
      windows.forEach(window ->
          table.row(
              Shown.count(window.schedules()),
              Shown.decimal(window.nodePercent()),
              Shown.decimal(window.postgresPercent()),
              Shown.decimal(window.commitsPerSecond()),
              Shown.decimal(window.looksPerSecond())));
      return table
          .row(
              "added",
              Shown.decimal(added(Window::nodePercent)),
              Shown.decimal(added(Window::postgresPercent)),
              Shown.decimal(added(Window::commitsPerSecond)),
              Shown.decimal(added(Window::looksPerSecond)))
          .row("fired meanwhile", Shown.count(fired))
          .row("verdict", verdict());
    }

    /** With schedules, less the mean of before and after. */
    private double added(ToDoubleFunction<Window> of) {
      double with = of.applyAsDouble(windows.get(1));
      double without =
          (of.applyAsDouble(windows.getFirst()) + of.applyAsDouble(windows.getLast())) / 2;
      return with - without;
    }

    @Override
    public Map<String, Object> data() {
      Map<String, Object> data = new LinkedHashMap<>();
      data.put("schedules", plan.schedules());
      data.put("seconds", length.toSeconds());
      data.put("nodePercent", windows.stream().map(Window::nodePercent).toList());
      data.put("postgresPercent", windows.stream().map(Window::postgresPercent).toList());
      data.put("queriesPerSecond", windows.stream().map(Window::commitsPerSecond).toList());
      data.put("looksPerSecond", windows.stream().map(Window::looksPerSecond).toList());
      data.put("addedNodePercent", added(Window::nodePercent));
      data.put("addedPostgresPercent", added(Window::postgresPercent));
      data.put("addedQueriesPerSecond", added(Window::commitsPerSecond));
      data.put("fired", fired);
      data.put("exitCode", exitCode());
      return data;
    }
  }

  /**
   * Runs it.
   *
   * @param settle before each measured time
   */
  Result run(int schedules, int payloadBytes, Duration settle, Duration length)
      throws SQLException {
    FirePlan plan = FirePlan.after(Instant.now().plus(FAR), schedules, 1, FirePlan.Unit.MINUTE);
    try (Connection connection = rig.connect()) {
      List<Window> windows = new ArrayList<>();
      windows.add(watch(connection, 0, settle, length));
      Registration.register(
          rig,
          plan,
          new Payload(new SplittableRandom().nextLong() >>> 1, payloadBytes),
          OverlapPolicy.SKIP,
          progress);
      windows.add(watch(connection, schedules, settle, length));
      long fired = ScheduleTables.decisions(connection);
      ScheduleTables.removeAll(connection);
      ScheduleTables.settle(connection);
      windows.add(watch(connection, 0, settle, length));
      return new Result(length, plan, windows, fired);
    }
  }

  private Window watch(Connection connection, int schedules, Duration settle, Duration length)
      throws SQLException {
    pass(settle);
    long looksBefore = ScheduleTables.scans(connection);
    Snapshot from = Snapshot.take(rig, connection, FiringRun.TABLE);
    pass(length);
    Snapshot until = Snapshot.take(rig, connection, FiringRun.TABLE);
    long looks = ScheduleTables.scans(connection) - looksBefore;
    double seconds = Duration.between(from.at(), until.at()).toNanos() / 1e9;
    Window window =
        new Window(
            schedules,
            percent(from.nodeTime(), until.nodeTime(), seconds),
            percent(from.postgresTime(), until.postgresTime(), seconds),
            (until.store().commits() - from.store().commits()) / seconds,
            looks / seconds);
    progress.say("idle: " + window);
    return window;
  }

  private static double percent(Duration from, Duration until, double seconds) {
    return until.minus(from).toNanos() / 1e9 / seconds * PERCENT;
  }

  private static void pass(Duration length) {
    long until = System.nanoTime() + length.toNanos();
    for (long left = length.toNanos(); left > 0; left = until - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
