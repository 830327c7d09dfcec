package io.kairos.bench.fault;

import io.kairos.bench.delay.BurstCommand;
import io.kairos.bench.delay.MessageFlow;
import io.kairos.bench.fault.scene.DelayScene;
import io.kairos.bench.fault.scene.FaultContext;
import io.kairos.bench.fault.scene.FaultVerdict;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.load.LoadClock;
import io.kairos.bench.measure.ResourceMeter;
import io.kairos.bench.observe.ArrivalLog;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.rig.BenchNodeProcess;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.rig.SmallDisk;
import io.kairos.bench.trial.LoadAccounts;
import io.kairos.bench.trial.TrialTimes;
import io.kairos.embedded.PostgresOptions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A full disk, and a store full of what is overdue. */
final class StorageFaults {
  private static final int MEBIBYTES = 640;
  private static final Duration BEFORE = Duration.ofSeconds(8);

  /** Little log, so that the rest of the small disk is the table's. */
  private static final Map<String, String> SETTINGS =
      Map.of("max_wal_size", "192MB", "min_wal_size", "80MB", "shared_buffers", "64MB");

  private static final Duration READY_WITHIN = Duration.ofSeconds(30);

  private static final long OVERDUE = 1_000_000;
  private static final Duration WITHIN = Duration.ofSeconds(60);

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
        BenchRig rig =
            context.startRig(PostgresOptions.in(disk.resolve("postgres")).withSettings(SETTINGS))) {
      rig.startNodes(2);
      DelayScene scene = new DelayScene(context, rig);
      BenchWait.pass(BEFORE);
      disk.fill();
      context.say("no byte is left");
      BenchWait.pass(context.options.outage);
      boolean ready = rig.nodes().stream().allMatch(BenchNodeProcess::isReady);
      disk.free();
      if (!rig.postgres().isRunning()) {
        rig.postgres().restart();
        verdict.saw("Postgres", "had given up and was started again, as its supervisor would");
      }
      context.say("there is room again");
      scene.demandPunctual(
          "with room",
          LoadClock.micros(),
          Duration.ofMinutes(3).plus(context.options.outage),
          verdict);
      verdict
          .demand(!ready, "all nodes said that they are ready while nothing could be stored")
          .demand(
              scene.await(
                  () -> rig.nodes().stream().allMatch(BenchNodeProcess::isReady), READY_WITHIN),
              "a node is not ready again")
          .demand(scene.allSurvived(), "a node did not survive")
          .account(scene.settle());
    }
  }

  /** A node with little memory finds a million messages overdue when it starts. */
  static void overdue(FaultContext context, FaultVerdict verdict) throws SQLException {
    BenchRig rig = context.startRig();
    rig.createTopics(context.node.partitions);
    long due = LoadClock.micros() + TrialTimes.micros(BurstCommand.timeToStore(OVERDUE));
    ArrivalLog arrivals = new ArrivalLog();
    MessageFlow flow =
        MessageFlow.flood(rig, OVERDUE, context.node.valueBytes, due, WITHIN, arrivals);
    flow.awaitSent();
    BenchNodeProcess first = rig.startNode();
    flow.awaitTakenIn();
    first.stop();
    verdict.demand(
        LoadClock.micros() < due, "the messages were stored too slowly to be overdue together");
    context.say("all are stored, now they lapse");
    BenchWait.passUntil(due + TrialTimes.micros(WITHIN));
    BenchNodeProcess node = rig.startNode("-Xmx512m");
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
        .demand(disorder.isKept(OVERDUE), "not in due order")
        .demand(accounts.duplicates() == 0, "duplicates without a failure")
        .account(accounts);
  }
}
