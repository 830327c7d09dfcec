package io.kairos.domain.schedule.local;

/** The working days that {@code W} means in an expression. */
@FunctionalInterface
public interface WorkingDays {
  WorkingDays MONDAY_TO_FRIDAY =
      epochDay -> {
        int weekday = CivilDays.weekday(epochDay);
        return weekday != 0 && weekday != 6;
      };

  boolean isWorked(long epochDay);
}
