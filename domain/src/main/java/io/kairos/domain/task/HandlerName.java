package io.kairos.domain.task;

import static java.util.Objects.requireNonNull;

import java.util.regex.Pattern;

/**
 * Name of the code in a worker that performs tasks of one type (ATF: lambda, DA-1). Never the name
 * of a pool: whoever takes a handler's name from outside makes one of these, and so refuses pools.
 */
public record HandlerName(String value) implements TaskHandler {
  /** What a name may be, for messages. */
  public static final String RULE = "1 to 128 of letters, digits and . _ : / -";

  private static final Pattern VALID = Pattern.compile("[A-Za-z0-9._:/-]{1,128}");

  /** Throws {@link IllegalArgumentException} for a name outside {@link #RULE}, or a pool's. */
  public HandlerName {
    requireNonNull(value, "value");
    if (!VALID.matcher(value).matches()) {
      throw new IllegalArgumentException("a handler's name has " + RULE);
    }
    if (TaskHandler.isPools(value)) {
      throw new IllegalArgumentException("a handler's name " + NO_POOL);
    }
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
