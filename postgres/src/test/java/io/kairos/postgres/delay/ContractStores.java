package io.kairos.postgres.delay;

import io.kairos.contracts.DelayStores;
import io.kairos.engine.delay.port.AmendmentStore;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.node.LivenessStore;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** One database for all contract tests of this JVM, emptied before each. */
public final class ContractStores implements DelayStores {
  private static final TestDatabase DATABASE = TestDatabase.create();
  private static final PostgresStores STORES = DATABASE.open();

  private ContractStores() {}

  public static DelayStores fresh() {
    DATABASE.execute("truncate delayed_message, amendment, node, input_position");
    return new ContractStores();
  }

  static Map<String, RouteBacklog> backlogByRoute() {
    return STORES.backlogByRoute();
  }

  @Override
  public MessageStore messages() {
    return STORES.messages();
  }

  @Override
  public AmendmentStore amendments() {
    return STORES.amendments();
  }

  @Override
  public LivenessStore liveness() {
    return STORES.liveness();
  }

  @Override
  public Instant now() {
    return STORES.liveness().time();
  }

  @Override
  public void letPass(Duration duration) {
    String past = " - interval '" + duration.toMillis() + " milliseconds'";
    DATABASE.execute(
        "update node set enrolled_at = enrolled_at"
            + past
            + ", renewed_at = renewed_at"
            + past
            + ", retired_at = retired_at"
            + past);
    DATABASE.execute("update amendment set decided_at = decided_at" + past);
  }
}
