package io.kairos.bench.fault;

import io.kairos.bench.fault.scene.DelayScene;
import io.kairos.bench.fault.scene.FaultContext;
import io.kairos.bench.fault.scene.FaultVerdict;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.load.LoadClock;
import io.kairos.bench.measure.BenchSql;
import io.kairos.bench.report.FigureList.FigureColumns;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.rig.BenchNodeProcess;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/**
 * Kills one of two nodes under load with SIGKILL, over and over: each time one of those that run,
 * at a random moment; a new one takes its place when the survivors have taken over. What the dead
 * node held is asked of the store before anybody takes it over.
 */
final class NodeKill {
  private static final int NODES = 2;
  private static final Duration BEFORE = Duration.ofSeconds(3);
  private static final long SPREAD_MILLIS = 2_000;
  private static final Duration TAKEOVER_WITHIN = Duration.ofSeconds(30);
  private static final Duration READY_WITHIN = Duration.ofMinutes(1);
  private static final long AHEAD_MICROS = 1_000_000;

  /**
   * A node sends up to the timing advance before the due time, so what is due later it cannot have
   * sent.
   */
  private static final long SENT_AHEAD_AT_MOST_MICROS = 150_000;

  private static final String HELD =
      "select split_part(id, '-', 2)::bigint from delayed_message where readied_by = ? and deadline > ?";

  private final DelayScene scene;
  private final Connection connection;
  private final SplittableRandom random = new SplittableRandom();

  private NodeKill(DelayScene scene) throws SQLException {
    this.scene = scene;
    this.connection = scene.rig.connect();
  }

  /**
   * One kill.
   *
   * @param held messages of the dead node that it cannot have sent
   * @param takeoverMillis from the kill to the first of them, -1 when none was held or none came
   * @param punctualMillis from the kill until all that were overdue by then had come and messages
   *     were punctual again, -1 when that did not happen in time
   * @param duplicates that came between this kill and the next
   */
  private record Kill(int held, long takeoverMillis, long punctualMillis, long duplicates) {
    FigureColumns columns() {
      return new FigureColumns()
          .add("held", "held", Unit.COUNT, held)
          .add("firstMillis", "first after", Unit.MILLIS, takeoverMillis)
          .add("punctualMillis", "punctual after", Unit.MILLIS, punctualMillis)
          .add("duplicates", "duplicates", Unit.COUNT, duplicates);
    }
  }

  static void happen(FaultContext context, FaultVerdict verdict) throws SQLException {
    DelayScene scene = DelayScene.begin(context, NODES);
    NodeKill run = new NodeKill(scene);
    List<Kill> kills = new ArrayList<>();
    for (int i = 1; i <= context.options.rounds; i++) {
      BenchWait.pass(BEFORE.plusMillis(run.random.nextLong(SPREAD_MILLIS)));
      kills.add(run.kill());
      context.say("%d: %s".formatted(i, kills.getLast()));
    }
    verdict.figures().lines("kills", kills.stream().map(Kill::columns).toList());
    verdict
        .demand(
            kills.stream().allMatch(kill -> kill.takeoverMillis >= 0), "a takeover was not seen")
        .demand(
            kills.stream().allMatch(kill -> kill.punctualMillis >= 0),
            "messages did not become punctual again")
        .account(scene.settle());
  }

  private Kill kill() throws SQLException {
    long duplicatesBefore = scene.duplicates();
    List<BenchNodeProcess> nodes = scene.rig.nodes();
    BenchNodeProcess victim = nodes.get(random.nextInt(nodes.size()));
    // A node that holds nothing, because a rebalance has just ended, would show no takeover.
    if (!scene.await(
        () -> !held(victim, LoadClock.micros() + AHEAD_MICROS).isEmpty(), TAKEOVER_WITHIN)) {
      throw new IllegalStateException(victim.name() + " was given no messages to hold");
    }
    long killedAt = LoadClock.micros();
    victim.kill();
    List<Long> held = held(victim, killedAt + SENT_AHEAD_AT_MOST_MICROS);
    scene.await(() -> firstArrival(held).isPresent(), TAKEOVER_WITHIN);
    OptionalLong first = firstArrival(held);
    BenchNodeProcess replacement = scene.rig.launchNode();
    long punctualAt = scene.awaitPunctual(TAKEOVER_WITHIN);
    replacement.awaitReady(READY_WITHIN);
    return new Kill(
        held.size(),
        first.isPresent() ? (first.getAsLong() - killedAt) / 1_000 : -1,
        punctualAt >= 0 ? (punctualAt - killedAt) / 1_000 : -1,
        scene.duplicates() - duplicatesBefore);
  }

  /** The numbers of messages that a node holds and that are due later. */
  private List<Long> held(BenchNodeProcess node, long dueAfterMicros) throws SQLException {
    List<Long> sequences = new ArrayList<>();
    BenchSql.each(
        connection, row -> sequences.add(row.getLong(1)), HELD, node.nodeId(), dueAfterMicros);
    return sequences;
  }

  /** When the first of these messages came, microseconds since the epoch; empty while none has. */
  private OptionalLong firstArrival(List<Long> sequences) {
    return sequences.stream().mapToLong(scene.arrivals::atMicros).filter(at -> at != 0).min();
  }
}
