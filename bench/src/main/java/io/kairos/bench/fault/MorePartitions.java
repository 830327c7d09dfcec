package io.kairos.bench.fault;

import io.kairos.bench.rig.Rig;
import java.sql.SQLException;
import java.time.Duration;

/** Input and output get more partitions while messages flow. */
final class MorePartitions implements Fault {
  private static final Duration BEFORE = Duration.ofSeconds(5);

  /** Clients learn of new partitions when their metadata ages: five minutes by Kafka's default. */
  private static final Duration AFTER = Duration.ofSeconds(30);

  private static final Duration PUNCTUAL = Duration.ofMillis(500);

  @Override
  public String name() {
    return "more-partitions";
  }

  @Override
  public String about() {
    return "partitions are added to the input and the output topic while messages flow";
  }

  @Override
  public Verdict happen(FaultContext context) throws SQLException {
    Verdict verdict = new Verdict("more-partitions");
    try (Rig rig = Rig.start(context.workplace(), context.server());
        Scene scene =
            Scene.begin(
                rig, rig.newRoute(context.partitions()), context.settings(), 2, context.load())) {
      scene.goOn(BEFORE);
      scene.addPartitions(context.partitions() * 2);
      scene.goOn(AFTER);
      verdict.demand(
          scene.awaitPunctual(PUNCTUAL, Duration.ofMinutes(1)), "not punctual afterwards");
      Scene.Accounts accounts = scene.settle();
      verdict.demand(accounts.arrived().duplicates() == 0, "duplicates without a failure");
      return verdict.account(accounts);
    }
  }
}
