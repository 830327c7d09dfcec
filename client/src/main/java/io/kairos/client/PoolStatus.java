package io.kairos.client;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pool as a node shows it.
 *
 * @param listed URLs of the endpoints; empty when they come from DNS or from workers
 * @param resolved the URL whose host is resolved by DNS; null for none
 * @param healthPath path of the health check; null for none
 * @param tls name of the credentials for https endpoints; null for none
 * @param secrets signing secrets {@code whsec_…}, the latest first; empty except in the answers to
 *     create and rotateKey
 * @param endpoints the endpoints as the called node sees them
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
    @Nullable String tls,
    List<String> secrets,
    List<Endpoint> endpoints) {
  public PoolStatus {
    listed = List.copyOf(listed);
    secrets = List.copyOf(secrets);
    endpoints = List.copyOf(endpoints);
  }

  /**
   * An endpoint as a node sees it.
   *
   * @param endpoint URL and address
   * @param ejected true while the endpoint is ejected because of failures
   * @param excluded reason why the endpoint gets no requests apart from ejection; empty for none
   */
  public record Endpoint(String endpoint, boolean ejected, String excluded) {
    /** True when the endpoint gets requests. */
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
