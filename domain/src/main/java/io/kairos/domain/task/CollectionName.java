package io.kairos.domain.task;

import static java.util.Objects.requireNonNull;

import java.util.regex.Pattern;

/** A labelled subset of one handler's tasks, which can be paused or dropped together (DA-4). */
public record CollectionName(String value) {
  /** What a name may be, for messages. */
  public static final String RULE = HandlerName.RULE;

  private static final Pattern VALID = Pattern.compile("[A-Za-z0-9._:/-]{1,128}");

  /** Throws {@link IllegalArgumentException} for a name outside {@link #RULE}. */
  public CollectionName {
    requireNonNull(value, "value");
    if (!VALID.matcher(value).matches()) {
      throw new IllegalArgumentException("a collection's name has " + RULE);
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
