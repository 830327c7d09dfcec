package io.kairos.domain.task;

import static java.util.Objects.requireNonNull;

import java.util.regex.Pattern;

/** Name of the code in a worker that performs tasks of one type (ATF: lambda, DA-1). */
public record HandlerName(String value) {
  /** What a name may be, for messages. */
  public static final String RULE = "1 to 128 of letters, digits and . _ : / -";

  /** What the name of a handler begins with that is reserved for a pool; the rest is the pool's. */
  public static final String OF_POOL = "pool:";

  private static final Pattern VALID = Pattern.compile("[A-Za-z0-9._:/-]{1,128}");

  /** Throws {@link IllegalArgumentException} for a name outside {@link #RULE}. */
  public HandlerName {
    requireNonNull(value, "value");
    if (!VALID.matcher(value).matches()) {
      throw new IllegalArgumentException("a handler's name has " + RULE);
    }
  }

  /** Whether its tasks are a pool's, so that nobody else may name it. */
  public boolean isOfPool() {
    return value.startsWith(OF_POOL);
  }

  @Override
  public String toString() {
    return value;
  }
}
