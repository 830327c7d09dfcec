package io.kairos.engine.delay.port;

import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.RouteId;
import java.util.Set;

/**
 * What to claim: messages of these routes whose due time (or deferral, if later) is not after
 * {@code untilMicros}, earliest first, at most {@code maxMessages} and at most {@code maxBytes} of
 * payload, but at least one message however large.
 *
 * @param to the pair that the claimed rows get; a stamp is used for one claim only
 */
public record ClaimRequest(
    Fence to, Set<RouteId> routes, long untilMicros, int maxMessages, long maxBytes) {
  public ClaimRequest {
    routes = Set.copyOf(routes);
    if (maxMessages < 1 || maxBytes < 1) {
      throw new IllegalArgumentException("a claim is for at least one message and one byte");
    }
  }
}
