package io.kairos.bench.fault;

import io.kairos.bench.fault.scene.DelayScene;
import io.kairos.bench.fault.scene.FaultContext;
import io.kairos.bench.fault.scene.FaultVerdict;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.load.LoadClock;
import io.kairos.bench.observe.LatenessSummary;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.ShownNumbers;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.trial.LoadAccounts;
import io.kairos.embedded.EmbeddedKafka;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Partitions that die, and partitions that are added. */
final class PartitionFaults {
  private static final List<Integer> BROKERS = List.of(1, 1, 1, 2);
  private static final int DEAD = 3;
  private static final Duration BEFORE = Duration.ofSeconds(10);
  private static final Duration MORE_BEFORE = Duration.ofSeconds(5);

  /** Clients learn of new partitions when their metadata ages: five minutes by Kafka's default. */
  private static final Duration MORE_AFTER = Duration.ofSeconds(30);

  private PartitionFaults() {}

  /**
   * One output partition lives on a broker of its own, which dies: messages for it wait, all others
   * are as punctual as before.
   */
  static void deadPartition(FaultContext context, FaultVerdict verdict) throws SQLException {
    BenchRig rig = context.startRig();
    EmbeddedKafka second = rig.addBroker();
    rig.createTopics(BROKERS);
    rig.startNodes(1);
    DelayScene scene = new DelayScene(context, rig);
    BenchWait.pass(BEFORE);
    long killedAt = LoadClock.micros();
    second.kill();
    context.say("its broker is dead");
    BenchWait.pass(context.options.outage);
    long backAt = LoadClock.micros();
    long waiting = scene.arrivals.overdue(backAt);
    second.restart();
    scene.demandPunctual(
        "with its broker", backAt, Duration.ofMinutes(2).plus(context.options.outage), verdict);
    LatenessSummary before =
        scene.arrivals.lateness(killedAt - 5_000_000, killedAt, partition -> partition != DEAD);
    LatenessSummary meanwhile =
        scene.arrivals.lateness(killedAt, backAt, partition -> partition != DEAD);
    verdict
        .figures()
        .lateness("others before", "others before", before)
        .lateness("others meanwhile", "others meanwhile", meanwhile);
    verdict
        .saw("waiting for the dead one at the end", Unit.COUNT, waiting)
        .demand(waiting > 0, "nothing waited: the partition was not dead")
        .demand(
            meanwhile.p999() <= DelayScene.PUNCTUAL.toMillis(),
            "the other partitions were delayed: p99.9 " + ShownNumbers.millis(meanwhile.p999()))
        .account(scene.settle());
  }

  /** Input and output get more partitions while messages flow. */
  static void morePartitions(FaultContext context, FaultVerdict verdict) throws SQLException {
    DelayScene scene = DelayScene.begin(context, 2);
    BenchWait.pass(MORE_BEFORE);
    long addedAt = LoadClock.micros();
    scene.addPartitions(context.node.partitions * 2);
    BenchWait.pass(MORE_AFTER);
    scene.demandPunctual("afterwards", addedAt, Duration.ofMinutes(1), verdict);
    LoadAccounts accounts = scene.settle();
    verdict.demand(accounts.duplicates() == 0, "duplicates without a failure").account(accounts);
  }
}
