package io.kairos.engine.pool.port;

import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.Pool;
import java.util.List;

/**
 * A stored pool.
 *
 * @param generation rises with each change of the definition
 * @param keys the keys that sign requests, the latest first; one, or two during a rotation
 * @param registered registered endpoints whose lease has not ended, by URL
 */
public record StoredPool(
    Pool pool, long generation, List<SigningKey> keys, List<EndpointUrl> registered) {
  public StoredPool {
    keys = List.copyOf(keys);
    registered = List.copyOf(registered);
  }

  /**
   * A signing key.
   *
   * @param secret not copied
   * @param retiresMicros time after which the key signs nothing, microseconds since 1970; {@link
   *     Long#MAX_VALUE} for never
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record SigningKey(byte[] secret, long createdMicros, long retiresMicros) {
    /** Leaves the secret out. */
    @Override
    public String toString() {
      return "SigningKey[created " + createdMicros + ", retires " + retiresMicros + "]";
    }
  }
}
