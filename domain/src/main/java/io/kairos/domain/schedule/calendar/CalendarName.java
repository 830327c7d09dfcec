package io.kairos.domain.schedule.calendar;

import static io.kairos.domain.check.ArgumentCheck.require;

import java.util.regex.Pattern;

/** Name under which schedules share a calendar, such as {@code holidays-de}. */
public record CalendarName(String value) implements Comparable<CalendarName> {
  /** The rule for a name, for messages. */
  public static final String RULE = "1 to 128 of letters, digits and . _ : / -";

  private static final Pattern VALID = Pattern.compile("[A-Za-z0-9._:/-]{1,128}");

  /** Throws {@link IllegalArgumentException} for a name outside {@link #RULE}. */
  public CalendarName {
    require(VALID.matcher(value).matches(), "a calendar's name has " + RULE);
  }

  @Override
  public int compareTo(CalendarName other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
