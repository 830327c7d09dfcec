package io.kairos.server.edge.schedule;

import static io.kairos.server.edge.refusal.InvalidField.require;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Durations;
import io.kairos.api.v1.Schedule;
import io.kairos.domain.schedule.Bounds;
import io.kairos.domain.schedule.Gap;
import io.kairos.domain.schedule.Overlap;
import io.kairos.domain.schedule.Spread;
import io.kairos.domain.schedule.Terms;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.CalendarUse;
import io.kairos.domain.schedule.cron.DayMatch;
import io.kairos.domain.schedule.cron.Dialect;
import io.kairos.domain.schedule.fire.Rule;
import io.kairos.domain.schedule.text.RefusedExpressionException;
import io.kairos.domain.time.EpochMicros;
import io.kairos.server.edge.refusal.InvalidField;
import io.kairos.server.edge.task.Fields;
import io.kairos.server.text.Suggestion;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * When a schedule is to fire, checked and in the domain's words. Throws {@link InvalidField} that
 * names the field within the schedule and, of an expression, the place in it.
 */
final class RuleRequests {
  private static final String ZONE_PREFIX = "CRON_TZ=";
  private static final Duration LONGEST = Duration.ofDays(3_650);
  private static final int MOST_IN_A_RULE = 1_000;

  private RuleRequests() {}

  /** A rule as it is stored. */
  static Rule rule(Schedule given) {
    Schedule.Cron cron = given.getCron();
    return switch (given.getRuleCase()) {
      case CRON -> cron(given, cron);
      case EVERY -> of(Rule.Kind.EVERY, interval("every", given.getEvery()), given);
      case DELAY_AFTER ->
          of(Rule.Kind.DELAY, interval("delay_after", given.getDelayAfter()), given);
      case AT -> of(Rule.Kind.AT, wholeSecond("at", given.getAt()).toString(), given);
      case RRULE -> {
        require(
            given.getRrule().length() <= MOST_IN_A_RULE,
            "rrule",
            "must be at most 1,000 characters");
        yield of(Rule.Kind.RRULE, given.getRrule(), given);
      }
      case RULE_NOT_SET ->
          throw new InvalidField("cron", "it, every, delay_after, at or rrule must be given");
    };
  }

  private static Rule of(Rule.Kind kind, String text, Schedule given) {
    return new Rule(
        kind,
        text,
        Dialect.UNIX,
        DayMatch.EITHER,
        zone(given),
        gap(given),
        overlap(given),
        calendars(given));
  }

  /** A zone in front of the expression is the schedule's. */
  private static Rule cron(Schedule given, Schedule.Cron cron) {
    String expression = cron.getExpression();
    String zone = zone(given);
    if (expression.startsWith(ZONE_PREFIX)) {
      int end = expression.indexOf(' ');
      String named =
          expression.substring(ZONE_PREFIX.length(), end < 0 ? expression.length() : end);
      zone =
          zone(
              "cron.expression",
              named,
              Map.of("expression", expression, "position", Integer.toString(ZONE_PREFIX.length())));
      require(
          given.getTimeZone().isEmpty() || given.getTimeZone().equals(named),
          "time_zone",
          "must not be another than the expression's " + ZONE_PREFIX);
      expression = end < 0 ? "" : expression.substring(end + 1);
    }
    return new Rule(
        Rule.Kind.CRON,
        expression.strip(),
        switch (cron.getDialect()) {
          case DIALECT_UNSPECIFIED, UNIX -> Dialect.UNIX;
          case QUARTZ -> Dialect.QUARTZ;
          case UNRECOGNIZED -> throw new InvalidField("cron.dialect", "must be UNIX or QUARTZ");
        },
        switch (cron.getDayMatch()) {
          case DAY_MATCH_UNSPECIFIED, EITHER -> DayMatch.EITHER;
          case BOTH -> DayMatch.BOTH;
          case UNRECOGNIZED -> throw new InvalidField("cron.day_match", "must be EITHER or BOTH");
        },
        zone,
        gap(given),
        overlap(given),
        calendars(given));
  }

  private static String interval(String field, com.google.protobuf.Duration given) {
    Duration interval = Fields.duration(field, given, LONGEST);
    require(
        interval.isPositive() && interval.toNanosPart() == 0,
        field,
        "must be whole seconds from 1 s to 3650 days, not " + Durations.toString(given));
    return interval.toString();
  }

  private static Instant wholeSecond(String field, Timestamp given) {
    Instant time = instant(field, given);
    require(time.equals(time.truncatedTo(ChronoUnit.SECONDS)), field, "must be a whole second");
    return time;
  }

  static Instant instant(String field, Timestamp given) {
    return EpochMicros.toInstant(Fields.micros(field, given));
  }

  private static String zone(Schedule given) {
    return given.getTimeZone().isEmpty() ? "UTC" : zone("time_zone", given.getTimeZone(), Map.of());
  }

  private static String zone(String field, String given, Map<String, String> place) {
    try {
      return ZoneId.of(given).getId();
    } catch (DateTimeException _) {
      Map<String, String> details = new TreeMap<>(place);
      details.put("value", given);
      String near =
          Suggestion.of(given, ZoneId.getAvailableZoneIds())
              .map(name -> {
                details.put("nearest", name);
                return "; did you mean " + name + "?";
              })
              .orElse(", such as Europe/Berlin");
      throw new InvalidField(
          field, "\"" + given + "\" is no zone of the IANA database" + near, details);
    }
  }

  private static Gap gap(Schedule given) {
    return switch (given.getDst().getGap()) {
      case GAP_UNSPECIFIED, RUN_AFTER -> Gap.RUN_ONCE_AFTER;
      case SKIP -> Gap.SKIP;
      case UNRECOGNIZED -> throw new InvalidField("dst.gap", "must be RUN_AFTER or SKIP");
    };
  }

  private static Overlap overlap(Schedule given) {
    return switch (given.getDst().getOverlap()) {
      case OVERLAP_UNSPECIFIED, FIRST -> Overlap.FIRST;
      case BOTH -> Overlap.BOTH;
      case UNRECOGNIZED -> throw new InvalidField("dst.overlap", "must be FIRST or BOTH");
    };
  }

  private static List<CalendarUse> calendars(Schedule given) {
    int count = given.getCalendarsCount();
    require(count <= Terms.MOST_CALENDARS, "calendars", "must be at most " + Terms.MOST_CALENDARS);
    List<CalendarUse> uses = new ArrayList<>();
    long forWorkingDays = 0;
    for (int i = 0; i < count; i++) {
      Schedule.CalendarUse use = given.getCalendars(i);
      String field = "calendars[" + i + "]";
      CalendarUse.Kind kind =
          switch (use.getUse()) {
            case USE_UNSPECIFIED, ONLY_DURING -> CalendarUse.Kind.ONLY_DURING;
            case NOT_DURING -> CalendarUse.Kind.NOT_DURING;
            case WORKING_DAYS -> CalendarUse.Kind.WORKING_DAYS;
            case UNRECOGNIZED ->
                throw new InvalidField(
                    field + ".use", "must be ONLY_DURING, NOT_DURING or WORKING_DAYS");
          };
      forWorkingDays += kind == CalendarUse.Kind.WORKING_DAYS ? 1 : 0;
      require(forWorkingDays <= 1, field + ".use", "WORKING_DAYS can be said of one calendar only");
      uses.add(new CalendarUse(calendarName(field + ".name", use.getName()), kind));
    }
    return uses;
  }

  static CalendarName calendarName(String field, String given) {
    require(given.indexOf(':') < 0, field, "must have 1 to 128 of letters, digits and . _ / -");
    try {
      return new CalendarName(given);
    } catch (IllegalArgumentException _) {
      throw new InvalidField(field, "must have 1 to 128 of letters, digits and . _ / -");
    }
  }

  static Bounds bounds(Schedule given) {
    @Nullable Instant start = given.hasStartAt() ? instant("start_at", given.getStartAt()) : null;
    @Nullable Instant end = given.hasEndAt() ? instant("end_at", given.getEndAt()) : null;
    require(
        start == null || end == null || start.isBefore(end), "end_at", "must be after start_at");
    @Nullable Long maxRuns = given.hasMaxRuns() ? given.getMaxRuns() : null;
    require(maxRuns == null || maxRuns >= 1, "max_runs", "must be at least 1");
    return new Bounds(start, end, maxRuns);
  }

  static Spread spread(Schedule given) {
    if (!given.hasSpread()) {
      return Spread.NONE;
    }
    Duration window = Fields.duration("spread", given.getSpread(), Duration.ofDays(1));
    require(
        window.toNanosPart() % 1_000_000 == 0,
        "spread",
        "must be whole milliseconds, at most 24 hours");
    return new Spread(window);
  }

  /**
   * What a rule means, or why it means nothing.
   *
   * @param createdAt where a fixed rate begins that names no start
   */
  static TimeRule read(Schedule given, Rule rule, Bounds bounds, Spread spread, Instant createdAt) {
    String field = given.hasRrule() ? "rrule" : "cron.expression";
    Instant start = bounds.start();
    try {
      return rule.read(given.getName(), start == null ? createdAt : start, bounds, spread);
    } catch (RefusedExpressionException e) {
      throw refused(field, given, e);
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new InvalidField(field, String.valueOf(e.getMessage()));
    }
  }

  /** Points at the place in what was given, where a zone may stand in front. */
  private static InvalidField refused(
      String field, Schedule given, RefusedExpressionException refusal) {
    String whole = given.hasRrule() ? given.getRrule() : given.getCron().getExpression();
    int before = Math.max(0, whole.indexOf(refusal.expression()));
    return InvalidField.of(
        field,
        new RefusedExpressionException(
            whole, refusal.field(), refusal.value(), refusal.allowed(), before + refusal.offset()));
  }
}
