package io.kairos.domain.schedule.fire;

import static java.util.Objects.requireNonNull;

import java.util.regex.Pattern;

/** By which people know a schedule; unique among those that exist. No colon, because of REST. */
public record ScheduleName(String value) implements Comparable<ScheduleName> {
  /** What a name may be, for messages. */
  public static final String RULE = "1 to 128 of letters, digits and . _ / -";

  private static final Pattern VALID = Pattern.compile("[A-Za-z0-9._/-]{1,128}");

  /** Throws {@link IllegalArgumentException} for a name outside {@link #RULE}. */
  public ScheduleName {
    requireNonNull(value, "value");
    if (!VALID.matcher(value).matches()) {
      throw new IllegalArgumentException("a schedule's name has " + RULE);
    }
  }

  @Override
  public int compareTo(ScheduleName other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
