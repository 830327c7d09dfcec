package io.kairos.engine.replica;

import static io.kairos.domain.check.ArgumentCheck.require;
import static java.util.Objects.requireNonNull;

import io.kairos.domain.replica.ReplicaId;
import org.jspecify.annotations.Nullable;

/**
 * Where a request comes from.
 *
 * @param request the client's number for it, rising, from 1
 * @param replica through which it came, if the log vouches for that
 */
public record RequestOrigin(ClientId client, long request, @Nullable ReplicaId replica) {
  /** Throws {@link IllegalArgumentException} for a number below 1. */
  public RequestOrigin {
    requireNonNull(client, "client");
    require(request >= 1, "requests are numbered from 1, not ", request);
  }
}
