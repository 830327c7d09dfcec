package io.kairos.domain.schedule.fire;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The fire times of a rule. A pure function, bounded in time. */
public interface Timetable {
  /** The timetable of a rule that cannot be read: its fire times are not known. */
  Timetable UNKNOWN = _ -> Optional.empty();

  /** Returns the first fire time strictly after an instant; empty when there is none. */
  Optional<Instant> next(Instant after);

  /**
   * Returns times which the rule names and which a calendar or daylight saving time leaves out, in
   * ({@code after}, {@code to}], the earliest first and at most so many.
   */
  default List<LeftOut> leftOut(Instant after, Instant to, int limit) {
    return List.of();
  }

  /**
   * A time, or some that follow each other, at which the schedule does not fire.
   *
   * @param until the last of them; the same instant when it is only one
   * @param reason {@link SkipCause#CALENDAR}, {@link SkipCause#DST_GAP} or {@link
   *     SkipCause#DST_OVERLAP}
   */
  record LeftOut(Instant at, Instant until, SkipCause reason) {}
}
