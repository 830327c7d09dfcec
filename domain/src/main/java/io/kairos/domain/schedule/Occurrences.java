package io.kairos.domain.schedule;

import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.Calendars;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Two walks as one sequence: what calendars let pass, and what they do not. */
final class Occurrences implements Iterator<Occurrence> {
  private final Terms terms;
  private final Calendars calendars;
  private @Nullable Walk passing;
  private @Nullable Walk refused;

  Occurrences(Walk passing, @Nullable Walk refused, Terms terms, Calendars calendars) {
    this.terms = terms;
    this.calendars = calendars;
    this.passing = advanced(passing);
    this.refused = refused == null ? null : advanced(refused);
  }

  private @Nullable Walk advanced(Walk walk) {
    return walk.advance() && terms.bounds().allow(walk.at()) ? walk : null;
  }

  @Override
  public boolean hasNext() {
    return passing != null || refused != null;
  }

  @Override
  public Occurrence next() {
    Walk open = passing;
    Walk closed = refused;
    if (closed != null && (open == null || closed.at() <= open.at())) {
      Occurrence occurrence = of(closed, new SkipReason.Excluded(refusing(closed.local())));
      refused = advanced(closed);
      return occurrence;
    }
    if (open == null) {
      throw new NoSuchElementException("the rule names nothing more");
    }
    Occurrence occurrence =
        switch (open.kind()) {
          case FIRE -> new Occurrence.Fire(at(open), local(open));
          case IN_GAP -> of(open, new SkipReason.ClockPutForward());
          case REPEATED -> of(open, new SkipReason.ClockPutBack());
        };
    passing = advanced(open);
    return occurrence;
  }

  private CalendarName refusing(long local) {
    return calendars.refusing(local).orElseThrow();
  }

  private static Occurrence of(Walk walk, SkipReason reason) {
    return new Occurrence.Skipped(at(walk), local(walk), reason);
  }

  private static Instant at(Walk walk) {
    return Instant.ofEpochSecond(walk.at());
  }

  private static LocalDateTime local(Walk walk) {
    return Seconds.local(walk.local());
  }
}
