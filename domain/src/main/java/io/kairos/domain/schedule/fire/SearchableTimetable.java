package io.kairos.domain.schedule.fire;

import io.kairos.domain.time.EpochMicros;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A timetable that can be searched backwards, too, by halving: that costs some sixty calls however
 * many fire times there are, where walking could take for ever.
 */
public final class SearchableTimetable {
  private static final long FIRST_STRETCH_MICROS = 1_000_000;
  private static final long LONGEST_STRETCH_MICROS = 1L << 55;

  private final Timetable timetable;

  public SearchableTimetable(Timetable timetable) {
    this.timetable = timetable;
  }

  /** Returns the first fire time strictly after an instant. */
  public Optional<Instant> next(Instant after) {
    return timetable.next(after);
  }

  /** Returns the last fire time in ({@code after}, {@code atMost}]. */
  public Optional<Instant> last(Instant after, Instant atMost) {
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
  List<Instant> earliest(Instant after, Instant atMost, int limit) {
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
  List<Instant> latest(Instant after, Instant atMost, int limit) {
    List<Instant> times = new ArrayList<>();
    Instant to = last(after, atMost).orElse(after);
    long micros = FIRST_STRETCH_MICROS;
    while (times.size() < limit && to.isAfter(after)) {
      Instant from = PastFireDecisions.later(after, to.minus(micros, ChronoUnit.MICROS));
      List<Instant> some = earliest(from, to, limit - times.size() + 1);
      if (some.size() > limit - times.size()) {
        micros = micros / 2; // in a microsecond there is one
      } else {
        times.addAll(0, some);
        to = from;
        micros = Math.min(2 * micros, LONGEST_STRETCH_MICROS);
      }
    }
    return times;
  }

  List<Timetable.LeftOut> leftOut(Instant after, Instant to, int limit) {
    return timetable.leftOut(after, to, limit);
  }
}
