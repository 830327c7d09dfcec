package io.kairos.domain.schedule.fire;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The fire times of a rule, as often as anybody asks the same, and in an order that never changes.
 * A pure function, bounded in time.
 */
public interface Timetable {
  /** Of a rule that cannot be read here: when it fires is not known. */
  Timetable UNKNOWN = _ -> Optional.empty();

  /** The first fire time strictly after an instant; empty when there is none any more. */
  Optional<Instant> next(Instant after);

  /**
   * Times which the rule names, and which a calendar or a rule of daylight saving leaves out, in
   * ({@code after}, {@code to}], the earliest first and at most so many.
   */
  default List<LeftOut> leftOut(Instant after, Instant to, int limit) {
    return List.of();
  }

  /**
   * A time, or some that follow each other, at which the schedule does not fire.
   *
   * @param until the last of them; the same instant when it is only one
   * @param reason {@link Reason#CALENDAR}, {@link Reason#DST_GAP} or {@link Reason#DST_OVERLAP}
   */
  record LeftOut(Instant at, Instant until, Reason reason) {}
}
