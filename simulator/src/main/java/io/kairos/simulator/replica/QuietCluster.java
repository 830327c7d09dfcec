package io.kairos.simulator.replica;

import static io.kairos.simulator.replica.ReplicaApplication.ANCHORED;
import static io.kairos.simulator.replica.ReplicaApplication.CRON;
import static io.kairos.simulator.replica.ReplicaApplication.DELAYED;
import static io.kairos.simulator.replica.ReplicaApplication.FAST;
import static io.kairos.simulator.replica.ReplicaApplication.FIXED_RATE;
import static java.util.Objects.requireNonNull;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.CronMachine;
import io.kairos.engine.replica.OrderedExecution;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A simulated cluster whose replicas have all been started, without faults except those that its
 * user causes. Runs in virtual time; every run is equal.
 */
public final class QuietCluster extends ReplicaWorld {
  static final long SECOND = 1_000_000_000L;

  /** While a cluster starts, its rounds are not those of a steady one. */
  private static final long STEADY_AFTER = 60 * SECOND;

  /** Rounds that have just begun may get ticks yet. */
  private static final long LAST_ROUNDS = 10 * SECOND;

  private static final long MILLIS_OF_A_MINUTE = 60_000;

  QuietCluster(ReplicaGroup cluster) {
    this(cluster, new SplittableRandom(cluster.size()));
  }

  private QuietCluster(ReplicaGroup cluster, SplittableRandom random) {
    super(
        new ReplicaCluster(
            cluster, random, new OrderedExecution.Config(100, 1_000), ReplicaWiring.PRODUCTION),
        random);
    processes.forEach(ReplicaLife::start);
  }

  /** Counts the ticks of each round of two tables, which tick every second and every third. */
  public static RoundTicks ticks(ReplicaGroup cluster, Duration length) {
    QuietCluster quiet = new QuietCluster(cluster);
    long end = STEADY_AFTER + length.toNanos();
    quiet.runUntil(end + LAST_ROUNDS);
    return quiet.judge.ticks(STEADY_AFTER, end);
  }

  /**
   * Runs of entries while a replica was away.
   *
   * @param anchored runs of the one that is due every seven seconds from an anchor
   * @param anchoredDue how often it was due, by the agreed time
   * @param minutely runs of the one with a cron expression, {@code * * * * *}
   * @param minutelyDue how often it was due, by the agreed time
   * @param delayed runs of the one that is due five seconds after its last run
   * @param isEqualAfter whether the replica has the others' state when it is back
   */
  public record Away(
      long anchored,
      long anchoredDue,
      long minutely,
      long minutelyDue,
      long delayed,
      boolean isEqualAfter) {}

  /** Ends a replica of a steady cluster, counts what the others do for so long, and starts it. */
  public static Away away(ReplicaGroup cluster, ReplicaId replica, Duration length) {
    QuietCluster quiet = new QuietCluster(cluster);
    quiet.runUntil(STEADY_AFTER);
    int other = (replica.number() + 1) % cluster.size();
    Counts before = quiet.counts(other);
    quiet.processes.get(replica.number()).end();
    long end = STEADY_AFTER + length.toNanos();
    quiet.runUntil(end);
    Counts after = quiet.counts(other);
    quiet.processes.get(replica.number()).start();
    quiet.runUntil(end + STEADY_AFTER);
    quiet.processes.forEach(ReplicaLife::stopTicks);
    quiet.runUntil(end + STEADY_AFTER + LAST_ROUNDS);
    return new Away(
        after.anchored() - before.anchored(),
        dues(before, after, FIXED_RATE.toMillis()),
        after.minutely() - before.minutely(),
        dues(before, after, MILLIS_OF_A_MINUTE),
        after.delayed() - before.delayed(),
        Arrays.equals(quiet.machine(replica.number()).digest(), quiet.machine(other).digest()));
  }

  private record Counts(long agreedMillis, long anchored, long minutely, long delayed) {}

  private Counts counts(int replica) {
    if (!(machine(replica).clock().now() instanceof AgreedTime.At now)) {
      throw new IllegalStateException("there is no agreed time after a minute");
    }
    return new Counts(
        now.epochMillis(), runs(replica, ANCHORED), runs(replica, CRON), runs(replica, DELAYED));
  }

  /** Whole periods since 1970 between two agreed times. */
  private static long dues(Counts before, Counts after, long periodMillis) {
    return after.agreedMillis() / periodMillis - before.agreedMillis() / periodMillis;
  }

  void runUntil(long nanos) {
    sim.timeline.runUntil(nanos);
  }

  ReplicaClock clock(int replica) {
    return clocks.get(replica);
  }

  ReplicaLife process(int replica) {
    return processes.get(replica);
  }

  CronMachine machine(int replica) {
    return requireNonNull(process(replica).machine());
  }

  /** Number of runs of an entry of the fast table. */
  long runs(int replica, int position) {
    return ReplicaApplication.runs(machine(replica).pages(), FAST, position);
  }
}
