package io.kairos.domain.task.queue;

import static io.kairos.domain.check.ArgumentCheck.require;

import java.util.regex.Pattern;

/**
 * Name of the code in a worker that performs tasks of one type. It is never the name of a pool, so
 * that reading a handler's name as this type refuses pools.
 */
public record HandlerName(String value) implements TaskHandler {
  /** The rule for a name, for messages. */
  public static final String RULE = "1 to 128 of letters, digits and . _ : / -";

  static final Pattern VALID = Pattern.compile("[A-Za-z0-9._:/-]{1,128}");

  /** Throws {@link IllegalArgumentException} for a name outside {@link #RULE}, or a pool's. */
  public HandlerName {
    require(VALID.matcher(value).matches(), "a handler's name has " + RULE);
    require(!TaskHandler.isPools(value), "a handler's name " + NO_POOL);
  }

  @Override
  public String wireName() {
    return value;
  }

  @Override
  public String toString() {
    return value;
  }
}
