package io.kairos.client.encryption;

import static java.util.Objects.requireNonNull;

/**
 * The receiver of a payload, to which its encryption is bound: a payload for one handler cannot be
 * decrypted as that of another.
 *
 * @param name name of a handler, or of a pool or topic with a prefix that no handler's name has
 */
public record PayloadTarget(String name) {
  private static final String POOL_PREFIX = "pool:";
  private static final String TOPIC_PREFIX = "topic ";

  public PayloadTarget {
    requireNonNull(name, "name");
  }

  /** A handler as tasks show it: the name of one of workers, or {@code pool:} and a pool's name. */
  public static PayloadTarget handler(String name) {
    return new PayloadTarget(name);
  }

  /** A pool of HTTP endpoints. */
  public static PayloadTarget pool(String name) {
    return new PayloadTarget(POOL_PREFIX + name);
  }

  /** The consumers of a Kafka topic. */
  public static PayloadTarget topic(String name) {
    return new PayloadTarget(TOPIC_PREFIX + name);
  }

  @Override
  public String toString() {
    return name;
  }
}
