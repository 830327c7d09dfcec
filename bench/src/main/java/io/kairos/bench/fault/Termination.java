package io.kairos.bench.fault;

import io.kairos.bench.report.Shown;
import io.kairos.bench.rig.NodeProcess;
import io.kairos.bench.rig.Rig;
import java.sql.SQLException;
import java.time.Duration;

/** SIGTERM under load, again and again: no duplicates, quick, and the rest takes over. */
final class Termination implements Fault {
  private static final int TIMES = 5;
  private static final Duration BEFORE = Duration.ofSeconds(5);
  private static final Duration LONGEST_STOP = Duration.ofSeconds(10);
  private static final Duration PUNCTUAL = Duration.ofMillis(500);
  private static final Duration READY_WITHIN = Duration.ofMinutes(1);

  @Override
  public String name() {
    return "terminate";
  }

  @Override
  public String about() {
    return "SIGTERM under load: no duplicates, under 10 s";
  }

  @Override
  public Verdict happen(FaultContext context) throws SQLException {
    Verdict verdict = new Verdict("terminate, " + TIMES + " times");
    try (Rig rig = Rig.start(context.workplace(), context.server());
        Scene scene =
            Scene.begin(
                rig, rig.newRoute(context.partitions()), context.settings(), 2, context.load())) {
      for (int i = 1; i <= TIMES; i++) {
        scene.goOn(BEFORE);
        Duration took = scene.nodes().getFirst().stop();
        verdict.saw("stop " + i, Shown.millis(took.toNanos() / 1e6));
        verdict.demand(took.compareTo(LONGEST_STOP) < 0, "a stop took " + Shown.duration(took));
        NodeProcess next = scene.addNode();
        next.awaitReady(READY_WITHIN);
        verdict.demand(
            scene.awaitPunctual(PUNCTUAL, READY_WITHIN), "not punctual again after a stop");
      }
      Scene.Accounts accounts = scene.settle();
      verdict.demand(accounts.arrived().duplicates() == 0, "a graceful stop made duplicates");
      return verdict.account(accounts);
    }
  }
}
