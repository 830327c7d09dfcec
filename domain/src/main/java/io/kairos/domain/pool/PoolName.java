package io.kairos.domain.pool;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.HandlerName;
import java.util.Optional;
import java.util.regex.Pattern;

/** Name of a pool. Its tasks are on the queues of a handler that is reserved for it. */
public record PoolName(String value) {
  /** What a name may be, for messages. */
  public static final String RULE = "1 to 100 of letters, digits and . _ -";

  private static final Pattern VALID = Pattern.compile("[A-Za-z0-9._-]{1,100}");

  /** Throws {@link IllegalArgumentException} for a name outside {@link #RULE}. */
  public PoolName {
    requireNonNull(value, "value");
    if (!VALID.matcher(value).matches()) {
      throw new IllegalArgumentException("a pool's name has " + RULE);
    }
  }

  /** Whose queues the pool's tasks are on. */
  public HandlerName handler() {
    return new HandlerName(HandlerName.OF_POOL + value);
  }

  /** The pool that a handler is reserved for; empty when it is for none. */
  public static Optional<PoolName> of(HandlerName handler) {
    return handler.isOfPool()
        ? Optional.of(new PoolName(handler.value().substring(HandlerName.OF_POOL.length())))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return value;
  }
}
