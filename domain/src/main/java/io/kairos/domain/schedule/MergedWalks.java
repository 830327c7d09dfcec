package io.kairos.domain.schedule;

import io.kairos.domain.schedule.calendar.RuleCalendars;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Merges two walks: times that calendars let pass, and times that they leave out. */
final class MergedWalks implements Iterator<Occurrence> {
  private final RuleTerms terms;
  private final RuleCalendars calendars;
  private @Nullable OccurrenceWalk passing;
  private @Nullable OccurrenceWalk refused;

  MergedWalks(
      OccurrenceWalk passing,
      @Nullable OccurrenceWalk refused,
      RuleTerms terms,
      RuleCalendars calendars) {
    this.terms = terms;
    this.calendars = calendars;
    this.passing = advanced(passing);
    this.refused = refused == null ? null : advanced(refused);
  }

  private @Nullable OccurrenceWalk advanced(OccurrenceWalk walk) {
    return walk.advance() && terms.bounds().allow(walk.at()) ? walk : null;
  }

  @Override
  public boolean hasNext() {
    return passing != null || refused != null;
  }

  @Override
  public Occurrence next() {
    OccurrenceWalk open = passing;
    OccurrenceWalk closed = refused;
    if (closed != null && (open == null || closed.at() <= open.at())) {
      Occurrence occurrence =
          of(closed, new SkipReason.Excluded(calendars.refusing(closed.local()).orElseThrow()));
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

  private static Occurrence of(OccurrenceWalk walk, SkipReason reason) {
    return new Occurrence.Skipped(at(walk), local(walk), reason);
  }

  private static Instant at(OccurrenceWalk walk) {
    return Instant.ofEpochSecond(walk.at());
  }

  private static LocalDateTime local(OccurrenceWalk walk) {
    return EpochSeconds.local(walk.local());
  }
}
