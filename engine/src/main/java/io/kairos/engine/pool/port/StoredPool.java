package io.kairos.engine.pool.port;

import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.Pool;
import java.util.List;

/**
 * A pool as it is stored.
 *
 * @param generation rises with each change of the definition
 * @param keys that requests are signed with, the latest first; one, or two while they are rotated
 * @param registered endpoints that workers have said and whose lease has not ended, by URL
 */
public record StoredPool(
    Pool pool, long generation, List<SigningKey> keys, List<Registration> registered) {
  public StoredPool {
    keys = List.copyOf(keys);
    registered = List.copyOf(registered);
  }

  /**
   * A signing key.
   *
   * @param secret not copied
   * @param retiresMicros after which nothing is signed with it; {@link Long#MAX_VALUE} for never
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record SigningKey(byte[] secret, long createdMicros, long retiresMicros) {
    /** Names no secret. */
    @Override
    public String toString() {
      return "SigningKey[created " + createdMicros + ", retires " + retiresMicros + "]";
    }
  }

  /** An endpoint that a worker has said, until its lease ends. */
  public record Registration(EndpointUrl url, long leaseUntilMicros) {}
}
