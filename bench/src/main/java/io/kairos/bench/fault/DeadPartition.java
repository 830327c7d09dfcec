package io.kairos.bench.fault;

import io.kairos.bench.load.WallClock;
import io.kairos.bench.observe.Lateness;
import io.kairos.bench.report.Shown;
import io.kairos.bench.rig.Rig;
import io.kairos.embedded.EmbeddedKafka;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * One output partition lives on a broker of its own, which dies: messages for it wait, all others
 * are as punctual as before.
 */
final class DeadPartition implements Fault {
  private static final List<Integer> BROKERS = List.of(1, 1, 1, 2);
  private static final int DEAD = 3;
  private static final Duration BEFORE = Duration.ofSeconds(10);
  private static final Duration PUNCTUAL = Duration.ofMillis(500);

  @Override
  public String name() {
    return "dead-partition";
  }

  @Override
  public String about() {
    return "the broker of one of four output partitions dies; the other three must not notice";
  }

  @Override
  public Verdict happen(FaultContext context) throws SQLException {
    Verdict verdict = new Verdict("dead-partition for " + Shown.duration(context.outage()));
    try (Rig rig = Rig.start(context.workplace(), context.server())) {
      EmbeddedKafka second = rig.addBroker();
      try (Scene scene =
          Scene.begin(rig, rig.newRoute(BROKERS), context.settings(), 1, context.load())) {
        scene.goOn(BEFORE);
        long killedAt = WallClock.micros();
        second.kill();
        context.progress().say("dead-partition: its broker is dead");
        scene.goOn(context.outage());
        long backAt = WallClock.micros();
        long waiting = scene.arrivals().overdue(backAt);
        second.restart();
        boolean punctual =
            scene.awaitPunctual(PUNCTUAL, Duration.ofMinutes(2).plus(context.outage()));
        Lateness before = scene.arrivals().lateness(killedAt - 5_000_000, killedAt, p -> p != DEAD);
        Lateness meanwhile = scene.arrivals().lateness(killedAt, backAt, p -> p != DEAD);
        verdict
            .saw("others before", of(before))
            .saw("others meanwhile", of(meanwhile))
            .saw("waiting for the dead one at the end", Shown.count(waiting))
            .saw(
                "punctual again",
                Shown.millis((WallClock.micros() - backAt - Scene.PUNCTUAL_FOR_MICROS) / 1e3)
                    + " after its broker was back")
            .demand(punctual, "messages of the dead partition did not all come out afterwards")
            .demand(waiting > 0, "nothing waited: the partition was not dead")
            .demand(
                meanwhile.p999() <= PUNCTUAL.toMillis(),
                "the other partitions were delayed: p99.9 " + Shown.millis(meanwhile.p999()));
        return verdict.account(scene.settle());
      }
    }
  }

  private static String of(Lateness lateness) {
    return "p50 %s, p99.9 %s, max %s of %s messages"
        .formatted(
            Shown.millis(lateness.p50()),
            Shown.millis(lateness.p999()),
            Shown.millis(lateness.max()),
            Shown.count(lateness.count()));
  }
}
