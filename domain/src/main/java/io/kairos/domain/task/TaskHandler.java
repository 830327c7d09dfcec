package io.kairos.domain.task;

/**
 * Who performs tasks: workers, by a handler's name, or the endpoints of a pool. Queues, limits and
 * pauses belong to either. On the wire, in the store's columns and in metrics both are one string;
 * {@link #wireName} and {@link #ofWireName} are the only places that know how it is made.
 */
public sealed interface TaskHandler extends Output permits HandlerName, PoolName {
  /** What the wire name of a pool begins with, and no handler's name. */
  String POOL_PREFIX = "pool:";

  /** What a handler's name must not do, for messages. */
  String NO_POOL = "must not begin with " + POOL_PREFIX + ", which is for pools";

  /** A handler's name, or {@code pool:} and a pool's name. */
  String wireName();

  /** Throws {@link IllegalArgumentException} for what is no {@link #wireName}. */
  static TaskHandler ofWireName(String text) {
    return isPools(text)
        ? new PoolName(text.substring(POOL_PREFIX.length()))
        : new HandlerName(text);
  }

  /** True for a wire name that is a pool's, if it is any. */
  static boolean isPools(String text) {
    return text.startsWith(POOL_PREFIX);
  }
}
