package io.kairos.client;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A pool as a node shows it.
 *
 * @param listed its URLs; empty when they come from DNS or from workers
 * @param resolved the URL whose name is asked for in DNS; null for none
 * @param healthPath null for none
 * @param secrets {@code whsec_…} that sign, the latest first; only of what was just created or
 *     rotated
 * @param endpoints as the node that was asked sees them, and whether each is left out
 */
public record PoolStatus(
    String name,
    List<String> listed,
    @Nullable String resolved,
    PoolDefinition.Routing routing,
    @Nullable String healthPath,
    Duration requestTimeout,
    Duration completionTimeout,
    boolean answersLater,
    int maxInFlight,
    List<String> secrets,
    Map<String, Boolean> endpoints) {
  public PoolStatus {
    listed = List.copyOf(listed);
    secrets = List.copyOf(secrets);
    endpoints = Map.copyOf(endpoints);
  }

  /** Without the secrets. */
  @Override
  public String toString() {
    return "PoolStatus[" + name + ", " + endpoints + "]";
  }
}
