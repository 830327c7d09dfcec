package io.kairos.domain.schedule.fire;

import io.kairos.domain.time.EpochMicros;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
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
   * Returns the last fire time in ({@code after}, {@code atMost}]. Searches by halving: that costs
   * some sixty calls however many fire times there are, where walking could take for ever.
   */
  default Optional<Instant> last(Instant after, Instant atMost) {
    if (!isOne(after, atMost)) {
      return Optional.empty();
    }
    // There is a fire time after "low" and at most atMost; there is none after "high".
    long low = EpochMicros.of(after);
    long high = EpochMicros.of(atMost);
    while (high - low > 1) {
      long middle = low + (high - low) / 2;
      if (isOne(EpochMicros.toInstant(middle), atMost)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return Optional.of(EpochMicros.toInstant(high));
  }

  private boolean isOne(Instant after, Instant atMost) {
    return next(after).filter(time -> !time.isAfter(atMost)).isPresent();
  }

  /** Returns the earliest fire times in ({@code after}, {@code atMost}], at most so many. */
  default List<Instant> earliest(Instant after, Instant atMost, int limit) {
    List<Instant> times = new ArrayList<>();
    Optional<Instant> time = next(after);
    while (times.size() < limit && time.isPresent() && !time.get().isAfter(atMost)) {
      times.add(time.get());
      time = next(time.get());
    }
    return times;
  }

  /**
   * Returns the latest fire times in ({@code after}, {@code atMost}], at most so many, the earliest
   * of them first. Reads stretches of time from the last fire time back, which become longer while
   * they have few fire times and shorter when they have too many: a few calls for each fire time,
   * and some dozens more where their density changes.
   */
  default List<Instant> latest(Instant after, Instant atMost, int limit) {
    List<Instant> times = new ArrayList<>();
    Instant to = last(after, atMost).orElse(after);
    long micros = 1_000_000;
    while (times.size() < limit && to.isAfter(after)) {
      Instant from = PastFireDecisions.later(after, to.minus(micros, ChronoUnit.MICROS));
      List<Instant> some = earliest(from, to, limit - times.size() + 1);
      if (some.size() > limit - times.size()) {
        micros = micros / 2; // in a microsecond there is one
      } else {
        times.addAll(0, some);
        to = from;
        micros = Math.min(2 * micros, 1L << 55);
      }
    }
    return times;
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
