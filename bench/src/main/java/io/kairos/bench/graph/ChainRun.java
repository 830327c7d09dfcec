package io.kairos.bench.graph;

import io.kairos.bench.load.BenchWait;
import io.kairos.bench.observe.LatenessSummary;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.ProgressLog;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.rig.BenchRig;
import io.kairos.client.Graph;
import io.kairos.client.TaskRequest;
import io.kairos.client.task.TaskId;
import io.kairos.client.worker.Worker;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A chain of steps, and single tasks that are scheduled one after the other until it has ended, so
 * that both have the same machine at the same time. Used by one thread.
 */
final class ChainRun {
  private static final String STEPS = "bench-steps";
  private static final String SINGLES = "bench-singles";
  private static final int MOST_IN_A_CALL = 1_000;
  private static final int WARM_UP = 300;
  private static final double MOST_ADDED_MILLIS = 10;
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration LOOK_EVERY = Duration.ofNanos(50_000);

  private final PerformedTasks tasks;
  private final int steps;
  private final int executors;
  private final ProgressLog progress;

  /** Nanoseconds of each call for a single task. */
  private final long[] calledNanos;

  /** The number of the first single task: the steps come before it. */
  private final int firstSingle;

  private int singles;

  ChainRun(BenchRig rig, int steps, int executors, int payloadBytes, ProgressLog progress) {
    this.steps = steps;
    this.executors = executors;
    this.progress = progress;
    firstSingle = WARM_UP + steps;
    calledNanos = new long[2 * firstSingle];
    tasks = new PerformedTasks(rig, firstSingle + calledNanos.length, payloadBytes);
  }

  void run(FigureList figures, RunVerdict verdict) throws SQLException {
    int firstMeasured;
    try (Worker worker = tasks.worker(executors, STEPS, SINGLES)) {
      worker.start();
      chain(0, WARM_UP);
      progress.say("performing a chain of " + steps + " steps");
      firstMeasured = singles;
      chain(WARM_UP, firstSingle);
    }
    LatenessSummary step =
        summary(WARM_UP + 1, firstSingle, i -> tasks.beganNanos(i) - tasks.endedNanos(i - 1));
    LatenessSummary single =
        summary(
            firstSingle + firstMeasured,
            firstSingle + singles,
            i -> tasks.beganNanos(i) - calledNanos[i - firstSingle]);
    double added = step.p50() - single.p50();
    figures
        .lateness("step", "end to next step", step)
        .lateness("single", "call to start", single)
        .row("added")
        .add("addedP50Millis", "p50", Unit.MILLIS, added)
        .add("addedP99Millis", "p99", Unit.MILLIS, step.p99() - single.p99());
    verdict.expect(
        added <= MOST_ADDED_MILLIS, "a step begins more than 10 ms later than a single task");
    tasks.account("chain", firstSingle + singles, early(), figures, verdict);
  }

  private long early() {
    return IntStream.range(1, firstSingle)
        .filter(i -> i != WARM_UP && tasks.beganNanos(i) < tasks.endedNanos(i - 1))
        .count();
  }

  /** Schedules steps, and single tasks until the last of the steps has ended. */
  private void chain(int from, int until) {
    TaskId last = null;
    for (int first = from; first < until; first += MOST_IN_A_CALL) {
      last = schedule(first, Math.min(until, first + MOST_IN_A_CALL), last);
    }
    long since = System.nanoTime();
    while (!tasks.isPerformed(until - 1) && System.nanoTime() - since < PATIENCE.toNanos()) {
      if (singles == calledNanos.length) {
        BenchWait.until(() -> tasks.isPerformed(until - 1), PATIENCE, LOOK_EVERY);
      } else {
        single();
      }
    }
  }

  private TaskId schedule(int from, int until, @Nullable TaskId before) {
    Graph graph = new Graph();
    Graph.Step last = null;
    for (int i = from; i < until; i++) {
      TaskRequest.Builder request = tasks.request(STEPS, i);
      if (i == from && before != null) {
        request.after(before);
      }
      Graph.Step step = graph.add(request.build());
      if (last != null) {
        step.after(last);
      }
      last = step;
    }
    List<TaskId> ids = tasks.client.schedule(graph.tasks());
    return ids.getLast();
  }

  private void single() {
    int sequence = firstSingle + singles;
    calledNanos[singles++] = System.nanoTime();
    tasks.client.schedule(tasks.request(SINGLES, sequence).build());
    long since = System.nanoTime();
    while (!tasks.isPerformed(sequence) && System.nanoTime() - since < PATIENCE.toNanos()) {
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
  }

  /** A task that did not begin counts as lost, not here. */
  private LatenessSummary summary(int from, int until, IntToLongFunction nanos) {
    Histogram micros = new Histogram(3);
    IntStream.range(from, until)
        .filter(tasks::isPerformed)
        .forEach(i -> micros.recordValue(Math.max(0, nanos.applyAsLong(i) / 1_000)));
    return LatenessSummary.ofMicros(micros);
  }
}
