package io.kairos.domain.schedule;

import io.kairos.domain.schedule.calendar.RuleCalendars;
import io.kairos.domain.schedule.local.CivilDays;
import io.kairos.domain.schedule.local.LocalRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The fire times of one rule: whole seconds of the years 0 to 9999. Immutable; every method is
 * total and its work is bounded for every rule, zone and instant.
 */
public final class FireTimes {
  /** Seconds that reach from any fire time beyond the last. */
  private static final long NEVER_AGAIN = 1L << 40;

  private final TimePattern pattern;
  private final RuleTerms terms;
  private final RuleCalendars calendars;

  /** The local times of the pattern: all, those that pass the calendars, and those that do not. */
  private final LocalRule rule;

  private final LocalRule passing;
  private final LocalRule refused;
  private final boolean interval;

  private FireTimes(
      TimePattern pattern,
      RuleTerms terms,
      RuleCalendars calendars,
      LocalRule rule,
      boolean interval) {
    this.pattern = pattern;
    this.terms = terms;
    this.calendars = calendars;
    this.rule = rule;
    this.passing = calendars.letAllPass() ? rule : calendars.filter(rule, true);
    this.refused = calendars.letAllPass() ? from -> LocalRule.NEVER : calendars.filter(rule, false);
    this.interval = interval;
  }

  static FireTimes of(TimePattern pattern, RuleTerms terms, RuleCalendars calendars) {
    return switch (pattern) {
      case TimePattern.Cron(var expression) ->
          new FireTimes(
              pattern,
              terms,
              calendars,
              terms.calendars().isEmpty()
                  ? expression.rule()
                  : expression.rule(calendars.workingDays()),
              expression.isInterval());
      case TimePattern.Recurring(var recurrence) ->
          new FireTimes(pattern, terms, calendars, recurrence.rule(), recurrence.isInterval());
      case TimePattern.FixedRate _, TimePattern.FixedDelay _, TimePattern.Once _ ->
          new FireTimes(pattern, terms, calendars, from -> LocalRule.NEVER, true);
    };
  }

  /** Returns the first fire time after an instant; empty when there is none. */
  public Optional<Instant> next(Instant after) {
    return firstFrom(EpochSeconds.after(after));
  }

  /** Returns the first fire time at an instant or after it; empty when there is none. */
  public Optional<Instant> atOrAfter(Instant instant) {
    return firstFrom(EpochSeconds.atOrAfter(instant));
  }

  private Optional<Instant> firstFrom(long second) {
    long last = OccurrenceWalk.LAST_SECOND;
    return nextFire(walk(passing, true, terms.bounds().from(second), last), last);
  }

  /** Moves a walk to its next fire time up to a second. */
  private Optional<Instant> nextFire(OccurrenceWalk walk, long last) {
    while (walk.advance() && walk.at() <= last && terms.bounds().allow(walk.at())) {
      if (walk.kind() == OccurrenceWalk.Kind.FIRE) {
        return Optional.of(Instant.ofEpochSecond(walk.at()));
      }
      walk.passRepeated();
    }
    return Optional.empty();
  }

  /** Returns true if this instant is a fire time. */
  public boolean matches(Instant instant) {
    return atOrAfter(instant).filter(instant::equals).isPresent();
  }

  /** Returns the fire times in ({@code after}, {@code until}], at most {@code limit}. */
  public List<Instant> between(Instant after, Instant until, int limit) {
    List<Instant> fires = new ArrayList<>();
    Instant last = after;
    while (fires.size() < limit) {
      Optional<Instant> next = next(last).filter(at -> !at.isAfter(until));
      if (next.isEmpty()) {
        return fires;
      }
      last = next.get();
      fires.add(last);
    }
    return fires;
  }

  /**
   * Returns the fire times in ({@code after}, {@code until}], in order. Each step is bounded, but
   * not their number. One walk finds them all, and the end bounds its search, which else goes on
   * for years where calendars leave all times out.
   */
  public Iterator<Instant> fires(Instant after, Instant until) {
    long last = Math.min(until.getEpochSecond(), OccurrenceWalk.LAST_SECOND);
    LocalRule open =
        calendars.letAllPass()
            ? passing
            : calendars.filter(upTo(last + CivilDays.SECONDS_PER_DAY), true);
    OccurrenceWalk walk = walk(open, true, terms.bounds().from(EpochSeconds.after(after)), last);
    return Stream.iterate(nextFire(walk, last), Optional::isPresent, _ -> nextFire(walk, last))
        .map(Optional::orElseThrow)
        .iterator();
  }

  /**
   * Returns every time that the rule names after an instant, in order, also those that do not fire,
   * with the reason. Each step is bounded, but not their number: the caller sets the end.
   */
  public Iterator<Occurrence> occurrences(Instant after) {
    return occurrences(after, passing, refused, OccurrenceWalk.LAST_SECOND);
  }

  /**
   * Returns the times that the rule names up to an end; some hours after it may be included. The
   * end bounds the search, which else goes on for years where calendars leave all times out.
   */
  public Iterator<Occurrence> occurrences(Instant after, Instant until) {
    long last = EpochSeconds.atOrAfter(until);
    if (calendars.letAllPass()) {
      return occurrences(after, passing, refused, last);
    }
    LocalRule bounded = upTo(last + CivilDays.SECONDS_PER_DAY);
    return occurrences(
        after, calendars.filter(bounded, true), calendars.filter(bounded, false), last);
  }

  private LocalRule upTo(long localSecond) {
    return from -> {
      long next = rule.nextAtOrAfter(from);
      return next > localSecond ? LocalRule.NEVER : next;
    };
  }

  private Iterator<Occurrence> occurrences(
      Instant after, LocalRule open, LocalRule closed, long last) {
    long from = terms.bounds().from(EpochSeconds.after(after));
    return new MergedWalks(
        walk(open, true, from, last),
        calendars.letAllPass() ? null : walk(closed, false, from, last),
        terms,
        calendars);
  }

  private OccurrenceWalk walk(LocalRule some, boolean pass, long from, long last) {
    return switch (pattern) {
      case TimePattern.Cron _, TimePattern.Recurring _ ->
          new ZoneWalk(some, interval, terms.clock(), from);
      case TimePattern.FixedRate(var period, var anchor) ->
          every(period.toSeconds(), anchor.getEpochSecond(), pass, from, last);
      case TimePattern.FixedDelay _ -> every(1, 0, pass, from, last);
      case TimePattern.Once(var at) -> every(NEVER_AGAIN, at.getEpochSecond(), pass, from, last);
    };
  }

  private OccurrenceWalk every(long period, long anchor, boolean pass, long from, long last) {
    return new IntervalWalk(period, anchor, terms.clock(), calendars, pass, from, last);
  }
}
