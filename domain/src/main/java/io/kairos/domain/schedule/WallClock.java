package io.kairos.domain.schedule;

import static java.util.Objects.requireNonNull;

import java.time.ZoneId;

/**
 * The clock on the wall by which a schedule goes, and what happens when it is put forward or back.
 * After Vixie's rule: times of day run once whatever the clock does, while intervals, that is rules
 * with a star or an open step as minute or hour, follow the clock as it is.
 *
 * @param zone of the IANA database, or a fixed offset
 */
public record WallClock(ZoneId zone, Gap gap, Overlap overlap) {
  public static final WallClock UTC = in(ZoneId.of("UTC"));

  public WallClock {
    requireNonNull(zone, "zone");
    requireNonNull(gap, "gap");
    requireNonNull(overlap, "overlap");
  }

  /**
   * Of a zone, with the defaults: nothing that the clock leaves out is lost, nothing is doubled.
   */
  public static WallClock in(ZoneId zone) {
    return new WallClock(zone, Gap.RUN_ONCE_AFTER, Overlap.FIRST);
  }

  String describe() {
    return zone.getId();
  }
}
