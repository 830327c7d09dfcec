package io.kairos.simulator.task;

import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.task.setup.TaskConfig;
import java.time.Duration;
import java.util.SplittableRandom;

/** The setting of one simulation of tasks, drawn from its seed. */
public record TaskScenario(TaskConfig config) {

  /** Short executions but for stubborn ones, never many: what must not suffer when others do. */
  static final TaskHandler QUICK = new HandlerName("quick");

  /** Executions that need heartbeats. */
  static final TaskHandler SLOW = new HandlerName("slow");

  /** Executions that do not end before {@link #UNSTUCK_AT}: all its workers are busy with them. */
  static final TaskHandler STUCK = new HandlerName("stuck");

  /** Has no worker before the faults end. */
  static final TaskHandler LATE = new HandlerName("late");

  /** In the calm at the end a flood of higher priority keeps its only worker busy. */
  static final TaskHandler FLOODED = new HandlerName("flooded");

  /** Has the same worker. */
  static final TaskHandler ASIDE = new HandlerName("aside");

  /** Duration of each task of the flood. */
  static final Duration FLOOD_TASK = Duration.ofMillis(500);

  /** Faults end here, then the world is healed. */
  public static final Duration HEAL_AT = Duration.ofSeconds(130);

  /** Time from which everything that can must be on time. */
  public static final Duration CALM_AT = Duration.ofSeconds(152);

  /** Until here what is given to workers is to be on time. */
  public static final Duration CALM_ENDS_AT = Duration.ofSeconds(166);

  static final Duration UNSTUCK_AT = Duration.ofSeconds(168);
  public static final Duration END_AT = Duration.ofMinutes(3);

  static TaskScenario draw(SplittableRandom random) {
    Duration[] horizons = {Duration.ZERO, Duration.ofSeconds(3), Duration.ofSeconds(10)};
    Duration interval = Duration.ofMillis(random.nextInt(300, 700));
    Duration timeout = interval.multipliedBy(4).dividedBy(5);
    Duration drift = Duration.ofMillis(random.nextInt(100, 400));
    Duration lease =
        interval.multipliedBy(3).plus(timeout).plus(drift).plusMillis(random.nextInt(1, 500));
    boolean forgets = random.nextInt(4) == 0;
    Duration kept = forgets ? Duration.ofSeconds(random.nextInt(10, 40)) : Duration.ofDays(1);
    return new TaskScenario(
        new TaskConfig(
            Duration.ofMillis(random.nextInt(300, 1_000)),
            horizons[random.nextInt(horizons.length)],
            random.nextInt(3) == 0 ? random.nextInt(1, 6) : 1_000,
            1 << 20,
            Duration.ofMillis(random.nextInt(1_500, 8_000)),
            lease,
            interval,
            timeout,
            drift,
            1_000,
            8L << 20,
            random.nextInt(2) == 0 ? random.nextInt(1, 8) : 1_000,
            new TaskConfig.Retention(kept, kept, kept, kept, kept)));
  }

  long leaseNanos() {
    return config.lease().toNanos();
  }

  long intervalNanos() {
    return config.heartbeatInterval().toNanos();
  }

  /** True when ended tasks are forgotten while the simulation goes on. */
  boolean forgets() {
    return config.retention().succeeded().compareTo(END_AT) < 0;
  }

  /** Time in which a node visits all edges, and its next step what it finds, when all is well. */
  long sweepNanos() {
    return Duration.ofSeconds(30 + 60 / config.maxBatch()).toNanos();
  }

  /** Time that a handler has to stop (the client's Terms). */
  long graceNanos() {
    return Math.min(500_000_000, leaseNanos() / 4);
  }

  long tickNanos() {
    return Math.max(5_000_000, intervalNanos() / 8);
  }

  /** Longest wait of a worker for work at one node. */
  long pollNanos() {
    return leaseNanos() / 4;
  }

  /**
   * How late a quick task may begin when nothing is wrong: found by a poll of a node, or a worker.
   */
  long lateMicros() {
    return config.pollInterval().toNanos() / 1_000 + pollNanos() * 2 / 1_000 + 500_000;
  }

  /**
   * How late a task beside the flood may begin, with one executor for each node: after a task that
   * is being performed, as many as its priority lacks, and a few others beside the flood, and when
   * it has gone back to the store once because the enqueue timeout is short here.
   */
  long lateBesideFloodMicros() {
    return lateMicros() + (config.enqueueTimeout().toNanos() + 8 * FLOOD_TASK.toNanos()) / 1_000;
  }

  /** Queue of the runs of a schedule whose payload has this tag. */
  public static QueueName queueOf(long tag) {
    return new QueueName(tag % 2 == 0 ? QUICK : SLOW, QueueName.DEFAULT);
  }
}
