package io.kairos.bench.fault;

import io.kairos.bench.delay.BurstCommand;
import io.kairos.bench.delay.MessageFlow;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.load.LoadClock;
import io.kairos.bench.measure.ResourceMeter;
import io.kairos.bench.observe.ArrivalLog;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.rig.BenchNodeProcess;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.rig.RouteTopics;
import io.kairos.bench.rig.SmallDisk;
import io.kairos.bench.trial.LoadAccounts;
import io.kairos.bench.trial.TrialTimes;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A full disk, and a store full of what is overdue. */
final class StorageFaults {
  private static final int MEBIBYTES = 640;
  private static final Duration BEFORE = Duration.ofSeconds(8);

  /** Little log, so that the rest of the small disk is the table's. */
  private static final Map<String, String> SETTINGS =
      Map.of("max_wal_size", "192MB", "min_wal_size", "80MB", "shared_buffers", "64MB");

  private static final long OVERDUE = 1_000_000;
  private static final Duration WITHIN = Duration.ofSeconds(60);
  private static final String HEAP = "512m";
  private static final double ORDER_KEPT = 0.02;

  private StorageFaults() {}

  /**
   * The disk of Postgres is full for a while: nothing is acknowledged that is not stored, nothing
   * is lost, and it goes on when there is room again. Needs root, for a small file system in
   * memory.
   */
  static void diskFull(FaultContext context, FaultVerdict verdict) throws SQLException {
    Optional<SmallDisk> mounted = SmallDisk.mount(context.resolve("small-disk"), MEBIBYTES);
    if (mounted.isEmpty()) {
      verdict.skip("a small file system cannot be mounted here: run as root");
      return;
    }
    try (SmallDisk disk = mounted.get();
        BenchRig rig = context.startRig(disk.resolve("postgres"), SETTINGS)) {
      DelayScene scene = DelayScene.begin(context, rig, rig.newRoute(context.node.partitions), 2);
      BenchWait.pass(BEFORE);
      List<BenchNodeProcess> nodes = scene.rig.nodes();
      disk.fill();
      context.say("disk-full: no byte is left");
      BenchWait.pass(context.options.outage);
      disk.free();
      if (!rig.postgres().isRunning()) {
        rig.postgres().restart();
        verdict.saw("Postgres", "had given up and was started again, as its supervisor would");
      }
      context.say("disk-full: there is room again");
      scene.demandPunctual(
          "with room",
          LoadClock.micros(),
          Duration.ofMinutes(3).plus(context.options.outage),
          verdict);
      verdict
          .demand(scene.rig.nodes().equals(nodes), "a node did not survive")
          .account(scene.settle());
    }
  }

  /** A node with little memory finds a million messages overdue when it starts. */
  static void overdue(FaultContext context, FaultVerdict verdict) throws SQLException {
    BenchRig rig = context.startRig();
    RouteTopics topics = rig.newRoute(context.node.partitions);
    long due = LoadClock.micros() + BurstCommand.timeToStore(OVERDUE).toNanos() / 1_000;
    ArrivalLog arrivals = new ArrivalLog();
    MessageFlow flow =
        new MessageFlow(
            rig,
            topics,
            MessageFlow.Load.flood(OVERDUE, context.node.valueBytes, due, WITHIN),
            TrialTimes.wholeFromNow(),
            arrivals);
    flow.awaitSent();
    BenchNodeProcess first = rig.startNode(topics, context.node.settings());
    flow.awaitTakenIn();
    first.stop();
    verdict.demand(
        LoadClock.micros() < due, "the messages were stored too slowly to be overdue together");
    context.say("overdue: all are stored, now they lapse");
    BenchWait.passUntil(due + WITHIN.toNanos() / 1_000);
    BenchNodeProcess node = rig.startNode(topics, context.node.settings().withHeap(HEAP));
    long readyAt = LoadClock.micros();
    LoadAccounts accounts = flow.settle(readyAt);
    ArrivalLog.Disorder disorder = arrivals.disorder();
    double seconds = (accounts.ledger().count().lastFirstAtMicros() - readyAt) / 1e6;
    ResourceMeter.peakMemory(node.pid(), verdict.figures());
    verdict
        .saw("drained in", Unit.SECONDS, seconds)
        .saw("drained", Unit.PER_SECOND, OVERDUE / seconds)
        .saw("out of due order by places", Unit.COUNT, disorder.p999())
        .demand(node.isRunning(), "the node did not survive")
        .demand(disorder.p999() <= OVERDUE * ORDER_KEPT, "not in due order")
        .demand(accounts.duplicates() == 0, "duplicates without a failure")
        .account(accounts);
  }
}
