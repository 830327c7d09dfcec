package io.kairos.domain.task;

import static java.util.Objects.requireNonNull;

import java.util.regex.Pattern;

/** Name of the code in a worker that performs tasks of one type (ATF: lambda, DA-1). */
public record HandlerName(String value) {
  /** What a name may be, for messages. */
  public static final String RULE = "1 to 128 of letters, digits and . _ : / -";

  private static final Pattern VALID = Pattern.compile("[A-Za-z0-9._:/-]{1,128}");

  /** Throws {@link IllegalArgumentException} for a name outside {@link #RULE}. */
  public HandlerName {
    requireNonNull(value, "value");
    if (!VALID.matcher(value).matches()) {
      throw new IllegalArgumentException("a handler's name has " + RULE);
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
