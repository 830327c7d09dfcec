package io.kairos.client;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pool as a node shows it.
 *
 * @param listed its URLs; empty when they come from DNS or from workers
 * @param resolved the URL whose name is asked for in DNS; null for none
 * @param healthPath null for none
 * @param secrets {@code whsec_…} that sign, the latest first; only of what was just created or
 *     rotated
 * @param endpoints as the node that was asked sees them
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
    List<Endpoint> endpoints) {
  public PoolStatus {
    listed = List.copyOf(listed);
    secrets = List.copyOf(secrets);
    endpoints = List.copyOf(endpoints);
  }

  /**
   * An endpoint.
   *
   * @param endpoint its URL and address
   * @param ejected whether it is left out at the moment, because it has failed
   * @param excluded why nothing is pushed to it whatever it answers; empty for others
   */
  public record Endpoint(String endpoint, boolean ejected, String excluded) {
    /** Whether it gets requests. */
    public boolean isServing() {
      return !ejected && excluded.isEmpty();
    }
  }

  /** Without the secrets. */
  @Override
  public String toString() {
    return "PoolStatus[" + name + ", " + endpoints + "]";
  }
}
