package io.kairos.bench.fault;

import io.kairos.bench.load.WallClock;
import io.kairos.bench.report.Shown;
import io.kairos.bench.rig.NodeProcess;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Kills a node under load with SIGKILL, over and over: each time one of those that run, at a random
 * moment; a new one takes its place when the survivors have taken over.
 */
public final class KillRounds {
  private static final Duration BEFORE = Duration.ofSeconds(3);
  private static final long SPREAD_MILLIS = 2_000;
  private static final Duration TAKEOVER_WITHIN = Duration.ofSeconds(30);
  private static final Duration READY_WITHIN = Duration.ofMinutes(1);
  private static final Duration AHEAD = Duration.ofSeconds(1);
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);
  private static final Duration PUNCTUAL = Duration.ofMillis(500);

  private final Scene scene;
  private final SplittableRandom random = new SplittableRandom();

  public KillRounds(Scene scene) {
    this.scene = scene;
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
  public record Kill(
      int number, int held, long takeoverMillis, long punctualMillis, long duplicates) {
    @Override
    public String toString() {
      return "kill %d: %s held, first of them after %s ms, punctual again after %s ms, %d duplicates"
          .formatted(number, Shown.count(held), takeoverMillis, punctualMillis, duplicates);
    }
  }

  /** Kills that many times; leaves as many nodes running as before. */
  public List<Kill> run(int times, Consumer<Kill> progress) throws SQLException {
    List<Kill> kills = new ArrayList<>();
    try (Connection connection = scene.rig().connect()) {
      Takeover takeover = new Takeover(connection);
      for (int i = 1; i <= times; i++) {
        scene.goOn(BEFORE.plusMillis(random.nextLong(SPREAD_MILLIS)));
        Kill kill = kill(i, takeover);
        kills.add(kill);
        progress.accept(kill);
      }
    }
    return kills;
  }

  private Kill kill(int number, Takeover takeover) throws SQLException {
    long duplicatesBefore = scene.ledger().count().duplicates();
    List<NodeProcess> nodes = scene.nodes();
    NodeProcess victim = nodes.get(random.nextInt(nodes.size()));
    awaitHolding(victim, takeover);
    long killedAt = WallClock.micros();
    victim.kill();
    List<Long> held = takeover.heldByTheDead(victim, killedAt);
    scene.await(() -> Takeover.firstArrival(scene, held).isPresent(), TAKEOVER_WITHIN);
    OptionalLong first = Takeover.firstArrival(scene, held);
    NodeProcess replacement = scene.addNode();
    boolean punctual = scene.awaitPunctual(PUNCTUAL, TAKEOVER_WITHIN);
    long punctualAt = WallClock.micros() - Scene.PUNCTUAL_FOR_MICROS;
    replacement.awaitReady(READY_WITHIN);
    return new Kill(
        number,
        held.size(),
        first.isPresent() ? (first.getAsLong() - killedAt) / 1_000 : -1,
        punctual ? (punctualAt - killedAt) / 1_000 : -1,
        scene.ledger().count().duplicates() - duplicatesBefore);
  }

  /** A node that holds nothing, because a rebalance has just ended, would show no takeover. */
  private void awaitHolding(NodeProcess victim, Takeover takeover) throws SQLException {
    long until = System.nanoTime() + TAKEOVER_WITHIN.toNanos();
    while (!takeover.holds(victim, AHEAD)) {
      if (System.nanoTime() - until > 0) {
        throw new IllegalStateException(victim.name() + " was given no messages to hold");
      }
      scene.goOn(LOOK_EVERY);
    }
  }
}
