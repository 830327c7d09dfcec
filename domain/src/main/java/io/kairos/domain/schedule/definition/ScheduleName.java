package io.kairos.domain.schedule.definition;

import static io.kairos.domain.check.ArgumentCheck.require;

import java.util.regex.Pattern;

/** Name of a schedule, unique among those that exist. It has no colon, because of REST paths. */
public record ScheduleName(String value) implements Comparable<ScheduleName> {
  /** The rule for a name, for messages. */
  public static final String RULE = "1 to 128 of letters, digits and . _ / -";

  private static final Pattern VALID = Pattern.compile("[A-Za-z0-9._/-]{1,128}");

  /** Throws {@link IllegalArgumentException} for a name outside {@link #RULE}. */
  public ScheduleName {
    require(VALID.matcher(value).matches(), "a schedule's name has " + RULE);
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
