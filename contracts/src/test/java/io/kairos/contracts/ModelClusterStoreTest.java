package io.kairos.contracts;

import io.kairos.model.cluster.ModelClusterStore;
import io.kairos.model.node.ModelLivenessStore;
import java.time.Instant;
import java.util.List;

class ModelClusterStoreTest extends ClusterStoreContract {
  private Instant now = Instant.parse("2026-03-01T12:00:00Z");
  private List<Long> tasks = List.of();
  private List<Long> messages = List.of();
  private List<Long> fires = List.of();

  @Override
  protected Stores open() {
    ModelLivenessStore liveness =
        new ModelLivenessStore(() -> {
          now = now.plusNanos(1_000); // no two readings of the store's clock are equal
          return now;
        });
    return new Stores(
        new ModelClusterStore(
            () -> now,
            liveness,
            new ModelClusterStore.Waiting(() -> tasks, () -> messages, () -> fires)),
        liveness);
  }

  @Override
  protected void waits(List<Long> moreTasks, List<Long> moreMessages, List<Long> moreFires) {
    tasks = moreTasks;
    messages = moreMessages;
    fires = moreFires;
  }
}
