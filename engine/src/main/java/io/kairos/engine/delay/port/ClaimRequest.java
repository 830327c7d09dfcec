package io.kairos.engine.delay.port;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.RouteId;
import java.util.Set;

/**
 * A request to claim messages of these routes whose due time (or deferral, if later) is not after
 * {@code untilMicros}, earliest first: at most {@code maxMessages} and {@code maxBytes} of payload,
 * but at least one message however large.
 *
 * @param to the fence of the claimed rows; a fence is used for one claim only
 */
public record ClaimRequest(
    Fence to, Set<RouteId> routes, long untilMicros, int maxMessages, long maxBytes) {
  public ClaimRequest {
    routes = Set.copyOf(routes);
    require(maxMessages >= 1 && maxBytes >= 1, "a claim is for at least one message and one byte");
  }
}
