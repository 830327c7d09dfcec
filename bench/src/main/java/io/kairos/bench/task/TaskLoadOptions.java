package io.kairos.bench.task;

import io.kairos.bench.trial.TrialTimes;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Options for the scheduled tasks and their rate. */
public final class TaskLoadOptions {
  @Option(
      names = "--rate",
      defaultValue = "0",
      description =
          "Tasks per second, by a fixed schedule; 0 (the default): as many as are performed, with a bounded number"
              + " under way.")
  double rate;

  @Option(names = "--batch", defaultValue = "500", description = "Tasks in one schedule call.")
  int batch;

  @Option(
      names = "--outstanding",
      defaultValue = "20000",
      description =
          "Without a rate: tasks accepted and not yet done. With --per-key all are scheduled"
              + " as fast as they are accepted.")
  int outstanding;

  @Option(names = "--callers", defaultValue = "8", description = "Threads that schedule.")
  int callers;

  @Option(
      names = "--keys",
      defaultValue = "0",
      description =
          "Ordering keys that the tasks have in turn; the order is judged by the executions. 0 (the default): none.")
  public int keys;

  @Option(
      names = "--per-key",
      defaultValue = "0",
      description =
          "Tasks of each key, with which the load ends, measured until the last has ended. 0 (the default): by time.")
  int perKey;

  @Option(
      names = "--low-every",
      defaultValue = "0",
      description =
          "Of so many tasks one has priority 10, in turn of the same and of another handler, all others 90. 0 (the"
              + " default): all have the same.")
  int lowEvery;

  @Option(
      names = "--work-time",
      defaultValue = "0s",
      description = "How long a worker performs each task.")
  Duration hold = Duration.ZERO;

  @Option(names = "--delay-min", defaultValue = "0s", description = "Shortest delay.")
  Duration delayMin = Duration.ZERO;

  @Option(names = "--delay-max", defaultValue = "0s", description = "Longest delay.")
  Duration delayMax = Duration.ZERO;

  @Option(names = "--warmup", defaultValue = "30s", description = "Load before the measured part.")
  Duration warmup = Duration.ZERO;

  @Option(
      names = "--duration",
      defaultValue = "1m",
      description = "Measured part; published figures use 5m.")
  Duration duration = Duration.ZERO;

  /** The ordering key of each task. */
  KeyPlan keyPlan() {
    return new KeyPlan(keys, perKey);
  }

  TaskLoad.Plan plan(TrialTimes times) {
    return new TaskLoad.Plan(
        rate,
        batch,
        perKey > 0 ? Integer.MAX_VALUE : outstanding,
        callers,
        times.start(),
        times.measuredUntil(),
        keyPlan());
  }
}
