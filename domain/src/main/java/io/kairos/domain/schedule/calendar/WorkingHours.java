package io.kairos.domain.schedule.calendar;

import static io.kairos.domain.check.ArgumentCheck.require;

import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The open hours of a day, in order and apart from each other.
 *
 * @param shifts 1 to {@value #MOST_SHIFTS}; a calendar leaves a day off out
 */
public record WorkingHours(List<Shift> shifts) {
  static final int MOST_SHIFTS = 24;

  public static final WorkingHours ALL_DAY = of(LocalTime.MIDNIGHT, LocalTime.MIDNIGHT);

  private static final int DAY = 86_400;

  /** Throws {@link IllegalArgumentException} for no shifts, or shifts not in order. */
  public WorkingHours {
    shifts = List.copyOf(shifts);
    require(!shifts.isEmpty(), "a day off has no working hours: a calendar leaves it out");
    require(shifts.size() <= MOST_SHIFTS, "a day has at most " + MOST_SHIFTS + " shifts");
    for (int i = 1; i < shifts.size(); i++) {
      if (shifts.get(i).fromSecond() <= shifts.get(i - 1).untilSecond()) {
        throw new IllegalArgumentException(
            "shifts must be in order with time between them, " + shifts.get(i) + " is not");
      }
    }
  }

  public static WorkingHours of(LocalTime from, LocalTime until) {
    return new WorkingHours(List.of(new Shift(from, until)));
  }

  /** Returns the seconds of the day at which the business opens, closes, opens, and so on. */
  int[] bounds() {
    return shifts.stream()
        .flatMapToInt(shift -> IntStream.of(shift.fromSecond(), shift.untilSecond()))
        .toArray();
  }

  /**
   * Open from a time until before another.
   *
   * @param until midnight for the end of the day
   */
  public record Shift(LocalTime from, LocalTime until) {
    /** Throws {@link IllegalArgumentException} unless it ends after it begins. */
    public Shift {
      require(isWholeSecond(from) && isWholeSecond(until), "working hours go by whole seconds");
      if (!until.equals(LocalTime.MIDNIGHT) && !from.isBefore(until)) {
        throw new IllegalArgumentException(
            "working hours must end after they begin: " + from + " to " + until);
      }
    }

    private static boolean isWholeSecond(LocalTime time) {
      return time.equals(time.truncatedTo(ChronoUnit.SECONDS));
    }

    int fromSecond() {
      return from.toSecondOfDay();
    }

    int untilSecond() {
      return until.equals(LocalTime.MIDNIGHT) ? DAY : until.toSecondOfDay();
    }
  }
}
