package io.kairos.domain.schedule.local;

/** Which days are worked on: what {@code W} means in an expression. */
@FunctionalInterface
public interface WorkingDays {
  WorkingDays MONDAY_TO_FRIDAY =
      epochDay -> {
        int weekday = Civil.weekday(epochDay);
        return weekday != 0 && weekday != 6;
      };

  boolean isWorked(long epochDay);
}
