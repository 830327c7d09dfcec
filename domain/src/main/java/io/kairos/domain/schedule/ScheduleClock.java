package io.kairos.domain.schedule;

import static java.util.Objects.requireNonNull;

import java.time.ZoneId;

/**
 * The wall clock of a schedule, and its handling of daylight saving time. Vixie's rule: times of
 * day run once whatever the clock does; intervals, which are rules with a star or an open step as
 * minute or hour, follow the clock as it is.
 *
 * @param zone a zone of the IANA database, or a fixed offset
 */
public record ScheduleClock(ZoneId zone, ClockGap gap, ClockOverlap overlap) {
  public static final ScheduleClock UTC = in(ZoneId.of("UTC"));

  public ScheduleClock {
    requireNonNull(zone, "zone");
    requireNonNull(gap, "gap");
    requireNonNull(overlap, "overlap");
  }

  /**
   * Returns the clock of a zone with the defaults: no time in a gap is lost, and no repeated time
   * fires twice.
   */
  public static ScheduleClock in(ZoneId zone) {
    return new ScheduleClock(zone, ClockGap.RUN_ONCE_AFTER, ClockOverlap.FIRST);
  }
}
