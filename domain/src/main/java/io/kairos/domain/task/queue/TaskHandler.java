package io.kairos.domain.task.queue;

/**
 * The performer of tasks: workers, by a handler's name, or the endpoints of a pool. Both have
 * queues, limits and pauses. On the wire, in the store's columns and in metrics both are one
 * string; only {@link #wireName} and {@link #ofWireName} know its format.
 */
public sealed interface TaskHandler extends MessageOutput permits HandlerName, PoolName {
  /** The prefix of a pool's wire name, which no handler's name has. */
  String POOL_PREFIX = "pool:";

  /** The rule that a handler's name is no pool's, for messages. */
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
