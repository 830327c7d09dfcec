package io.kairos.domain.schedule;

import io.kairos.domain.schedule.calendar.Calendars;
import io.kairos.domain.schedule.local.Civil;
import io.kairos.domain.schedule.local.LocalRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The fire times of one rule: whole seconds of the years 0 to 9999. Immutable; every method is
 * total and its work is bounded, whatever the rule, the zone and the instant asked for.
 */
public final class FireTimes {
  private final Pattern pattern;
  private final Terms terms;
  private final Calendars calendars;

  /** Of patterns of local times: all, those that pass the calendars, and those that do not. */
  private final LocalRule rule;

  private final LocalRule passing;
  private final LocalRule refused;
  private final boolean interval;

  private FireTimes(
      Pattern pattern, Terms terms, Calendars calendars, LocalRule rule, boolean interval) {
    this.pattern = pattern;
    this.terms = terms;
    this.calendars = calendars;
    this.rule = rule;
    this.passing = calendars.letAllPass() ? rule : calendars.filter(rule, true);
    this.refused = calendars.letAllPass() ? from -> LocalRule.NEVER : calendars.filter(rule, false);
    this.interval = interval;
  }

  static FireTimes of(Pattern pattern, Terms terms, Calendars calendars) {
    return switch (pattern) {
      case Pattern.Cron(var expression) ->
          new FireTimes(
              pattern,
              terms,
              calendars,
              terms.calendars().isEmpty()
                  ? expression.rule()
                  : expression.rule(calendars.workingDays()),
              expression.isInterval());
      case Pattern.Recurring(var recurrence) ->
          new FireTimes(pattern, terms, calendars, recurrence.rule(), recurrence.isInterval());
      case Pattern.FixedRate _, Pattern.Once _ ->
          new FireTimes(pattern, terms, calendars, from -> LocalRule.NEVER, true);
    };
  }

  /** The first fire time after an instant; empty when there is none any more. */
  public Optional<Instant> next(Instant after) {
    return firstFrom(Seconds.after(after));
  }

  /** The first fire time at an instant or after it. */
  public Optional<Instant> atOrAfter(Instant instant) {
    return firstFrom(Seconds.atOrAfter(instant));
  }

  private Optional<Instant> firstFrom(long second) {
    Walk walk = walk(passing, true, terms.bounds().from(second), Walk.LAST_SECOND);
    while (walk.advance() && terms.bounds().allow(walk.at())) {
      if (walk.kind() == Walk.Kind.FIRE) {
        return Optional.of(Instant.ofEpochSecond(walk.at()));
      }
      walk.passRepeated();
    }
    return Optional.empty();
  }

  /** Whether this instant is a fire time. */
  public boolean matches(Instant instant) {
    return atOrAfter(instant).filter(instant::equals).isPresent();
  }

  /** The fire times after an instant and not after another, at most so many. */
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
   * Everything that the rule names after an instant, in order, with what does not fire and why.
   * Each step is bounded, their number is not: who takes them sets the end.
   */
  public Iterator<Occurrence> occurrences(Instant after) {
    return occurrences(after, passing, refused, Walk.LAST_SECOND);
  }

  /**
   * The same up to an end, behind which nothing is looked for: there may be some hours of it more.
   * Whoever wants to know what calendars leave out at one fire time would else have years searched.
   */
  public Iterator<Occurrence> occurrences(Instant after, Instant until) {
    long last = Seconds.atOrAfter(until);
    if (calendars.letAllPass()) {
      return occurrences(after, passing, refused, last);
    }
    LocalRule bounded = upTo(last + Civil.SECONDS_PER_DAY);
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
    long from = terms.bounds().from(Seconds.after(after));
    return new Occurrences(
        walk(open, true, from, last),
        calendars.letAllPass() ? null : walk(closed, false, from, last),
        terms,
        calendars);
  }

  private Walk walk(LocalRule some, boolean pass, long from, long last) {
    return switch (pattern) {
      case Pattern.Cron _, Pattern.Recurring _ -> new ZoneWalk(some, interval, terms.clock(), from);
      case Pattern.FixedRate(var period, var anchor) ->
          new IntervalWalk(
              period.toSeconds(),
              anchor.getEpochSecond(),
              terms.clock(),
              calendars,
              pass,
              from,
              last);
      case Pattern.Once(var at) ->
          new OnceWalk(at.getEpochSecond(), terms.clock(), calendars, pass, from);
    };
  }
}
