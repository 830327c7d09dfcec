package io.kairos.domain.task.queue;

import static io.kairos.domain.check.ArgumentCheck.require;

import java.util.regex.Pattern;

/** Name of a pool, whose endpoints perform its tasks. */
public record PoolName(String value) implements TaskHandler {
  /** The rule for a name, for messages. */
  public static final String RULE = "1 to 100 of letters, digits and . _ -";

  private static final Pattern VALID = Pattern.compile("[A-Za-z0-9._-]{1,100}");

  /** Throws {@link IllegalArgumentException} for a name outside {@link #RULE}. */
  public PoolName {
    require(VALID.matcher(value).matches(), "a pool's name has " + RULE);
  }

  @Override
  public String wireName() {
    return POOL_PREFIX + value;
  }

  @Override
  public String toString() {
    return value;
  }
}
