package io.kairos.bench.graph;

import io.kairos.bench.load.BenchWait;
import io.kairos.bench.measure.ResourceMeter;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.ProgressLog;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.task.TaskStoreCount;
import io.kairos.client.TaskRequest;
import io.kairos.client.task.TaskId;
import io.kairos.client.worker.Worker;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * One task, many that wait for it, and one that waits for all of these, between two turns of as
 * many tasks that wait for nobody, so that a machine that gets slower or faster does so for both.
 * All are in the store before the worker comes, or the first task is due. Used by one thread.
 */
final class FanOutRun {
  static final int MOST_PARTS = 100_000;

  private static final String FIRST = "bench-first";
  private static final String PARTS = "bench-parts";
  private static final String LAST = "bench-last";
  private static final String PLAIN = "bench-plain";
  private static final int BATCH = 1_000;
  private static final double MOST_RATIO = 1.5;
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);
  private static final Duration LATER = Duration.ofDays(1);

  private final Connection connection;
  private final PerformedTasks tasks;
  private final ResourceMeter meter;
  private final int parts;
  private final int executors;
  private final ProgressLog progress;

  /** The numbers of the tasks: the parts from 0, the first, the last, then two turns of others. */
  private final int first;

  private final int last;
  private final int firstPlain;

  /**
   * @param storedSeconds from the first call to the answer of the last
   * @param seconds from when the first may begin until the last has ended
   * @param cpuMicros of nodes and Postgres for each
   */
  private record Turn(double storedSeconds, double seconds, double cpuMicros) {
    void into(FigureList figures, String key, String label) {
      figures
          .row(label)
          .add(key + ".seconds", "performed in", Unit.SECONDS, seconds)
          .add(key + ".storedSeconds", "stored in", Unit.SECONDS, storedSeconds)
          .add(key + ".cpuMicros", "CPU of each", Unit.MICROS, cpuMicros);
    }
  }

  FanOutRun(BenchRig rig, int parts, int executors, int payloadBytes, ProgressLog progress)
      throws SQLException {
    connection = rig.connect();
    this.parts = parts;
    this.executors = executors;
    this.progress = progress;
    first = parts;
    last = first + 1;
    firstPlain = last + 1;
    tasks = new PerformedTasks(rig, firstPlain + 2 * parts, payloadBytes);
    meter = rig.meter(connection, "task", "node", "postgres");
  }

  void run(FigureList figures, RunVerdict verdict) throws SQLException {
    Turn before = plain(firstPlain);
    Turn graph = graph();
    Turn after = plain(firstPlain + parts);
    double ratio = 2 * graph.seconds / (before.seconds + after.seconds);
    double storing = 2 * graph.storedSeconds / (before.storedSeconds + after.storedSeconds);
    figures.row("fan-out").count("parts", "parts", parts);
    before.into(figures, "before", "alone, before");
    graph.into(figures, "graph", "in a graph");
    after.into(figures, "after", "alone, after");
    figures
        .row("in a graph to alone")
        .add("ratio", "performed in", Unit.RATIO, ratio)
        .add("storingRatio", "stored in", Unit.RATIO, storing)
        .row("join")
        .add("joinMillis", "after the last part", Unit.MILLIS, joinMillis());
    verdict.expect(ratio <= MOST_RATIO, "tasks in a graph take more than 1.5 times as long");
    tasks.account("fanOut", firstPlain + 2 * parts, early(), figures, verdict);
  }

  private double joinMillis() {
    return (tasks.beganNanos(last) - tasks.lastEndNanos(0, parts)) / 1e6;
  }

  private long early() {
    long parted =
        IntStream.range(0, parts)
            .filter(part -> tasks.beganNanos(part) < tasks.endedNanos(first))
            .count();
    return parted + (tasks.beganNanos(last) < tasks.lastEndNanos(0, parts) ? 1 : 0);
  }

  /** Tasks that wait for nobody, all due when the worker comes. */
  private Turn plain(int from) throws SQLException {
    progress.say("performing " + parts + " tasks that wait for nobody");
    long began = System.nanoTime();
    schedule(from, from + parts, sequence -> tasks.request(PLAIN, sequence));
    double storedSeconds = seconds(began, System.nanoTime());
    ResourceMeter.Reading before = meter.read();
    try (Worker worker = tasks.worker(executors, PLAIN)) {
      long released = System.nanoTime();
      worker.start();
      await(() -> tasks.performed(from, from + parts) == parts);
      return turn(storedSeconds, released, tasks.lastEndNanos(from, from + parts), before);
    }
  }

  private Turn graph() throws SQLException {
    progress.say("performing " + parts + " tasks that wait for one, and one that waits for them");
    long began = System.nanoTime();
    TaskId root = tasks.client.schedule(tasks.request(FIRST, first).delay(LATER).build());
    List<TaskId> ids = schedule(0, parts, sequence -> tasks.request(PARTS, sequence).after(root));
    TaskRequest.Builder join = tasks.request(LAST, last);
    ids.forEach(join::after);
    // as a list, because a single task may have no more than 3 MB
    tasks.client.schedule(List.of(join.build()));
    double storedSeconds = seconds(began, System.nanoTime());
    ResourceMeter.Reading before = meter.read();
    try (Worker worker = tasks.worker(executors, FIRST, PARTS, LAST)) {
      long released = System.nanoTime();
      worker.start();
      tasks.client.reschedule(root, Duration.ZERO);
      await(() -> tasks.isPerformed(last));
      return turn(storedSeconds, released, tasks.endedNanos(last), before);
    }
  }

  private Turn turn(
      double storedSeconds, long releasedNanos, long endedNanos, ResourceMeter.Reading before)
      throws SQLException {
    // The last results are on their way to the store.
    BenchWait.until(() -> unfinished() == 0, PATIENCE, LOOK_EVERY);
    return new Turn(
        storedSeconds,
        seconds(releasedNanos, endedNanos),
        meter.micros(before, meter.read(), parts));
  }

  private long unfinished() throws SQLException {
    return TaskStoreCount.unfinished(connection);
  }

  private static double seconds(long fromNanos, long untilNanos) {
    return (untilNanos - fromNanos) / 1e9;
  }

  /** Schedules tasks by several threads, and returns their ids. */
  private List<TaskId> schedule(int from, int until, IntFunction<TaskRequest.Builder> request) {
    List<List<TaskId>> ids =
        IntStream.range(0, (until - from + BATCH - 1) / BATCH)
            .parallel()
            .mapToObj(batch -> {
              int begin = from + batch * BATCH;
              return tasks.client.schedule(
                  IntStream.range(begin, Math.min(until, begin + BATCH))
                      .mapToObj(sequence -> request.apply(sequence).build())
                      .toList());
            })
            .toList();
    List<TaskId> all = new ArrayList<>();
    ids.forEach(all::addAll);
    return all;
  }

  private static void await(BooleanSupplier condition) {
    BenchWait.until(condition::getAsBoolean, PATIENCE, LOOK_EVERY);
  }
}
