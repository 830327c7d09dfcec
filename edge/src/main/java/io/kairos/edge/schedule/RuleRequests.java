package io.kairos.edge.schedule;

import static io.kairos.edge.refusal.InvalidField.reading;
import static io.kairos.edge.refusal.InvalidField.require;
import static io.kairos.edge.task.RequestFields.duration;
import static io.kairos.edge.task.RequestFields.instant;

import com.google.protobuf.util.Durations;
import io.kairos.api.v1.Schedule;
import io.kairos.domain.schedule.ClockGap;
import io.kairos.domain.schedule.ClockOverlap;
import io.kairos.domain.schedule.RuleBounds;
import io.kairos.domain.schedule.RuleTerms;
import io.kairos.domain.schedule.RunSpread;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.CalendarUse;
import io.kairos.domain.schedule.cron.CronDialect;
import io.kairos.domain.schedule.cron.DayMatch;
import io.kairos.domain.schedule.definition.ScheduleRule;
import io.kairos.domain.schedule.text.RefusedExpressionException;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.edge.task.RequestFields;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks the rule of a schedule and translates it for the domain. Throws {@link InvalidField} that
 * names the field within the schedule and, for an expression, the position in it.
 */
final class RuleRequests {
  private static final String ZONE_PREFIX = "CRON_TZ=";
  private static final Duration LONGEST = Duration.ofDays(3_650);
  private static final int MOST_IN_A_RULE = 1_000;

  private RuleRequests() {}

  /** The rule in the form that is stored. */
  static ScheduleRule rule(Schedule given) {
    Schedule.Cron cron = given.getCron();
    return switch (given.getRuleCase()) {
      case CRON -> cron(given, cron);
      case EVERY -> of(ScheduleRule.Kind.EVERY, interval("every", given.getEvery()), given);
      case DELAY_AFTER ->
          of(ScheduleRule.Kind.DELAY, interval("delay_after", given.getDelayAfter()), given);
      case AT -> {
        Instant at = instant("at", given.getAt());
        require(at.equals(at.truncatedTo(ChronoUnit.SECONDS)), "at", "must be a whole second");
        yield of(ScheduleRule.Kind.AT, at.toString(), given);
      }
      case RRULE -> {
        require(
            given.getRrule().length() <= MOST_IN_A_RULE,
            "rrule",
            "must be at most 1,000 characters");
        yield of(ScheduleRule.Kind.RRULE, given.getRrule(), given);
      }
      case RULE_NOT_SET ->
          throw new InvalidField("cron", "it, every, delay_after, at or rrule must be given");
    };
  }

  private static ScheduleRule of(ScheduleRule.Kind kind, String text, Schedule given) {
    return of(kind, text, CronDialect.UNIX, DayMatch.EITHER, zone(given), given);
  }

  private static ScheduleRule of(
      ScheduleRule.Kind kind,
      String text,
      CronDialect dialect,
      DayMatch days,
      String zone,
      Schedule given) {
    ClockOverlap overlap =
        DefinitionAnswers.REPEATED_TIMES.read(
            "dst.overlap", given.getDst().getOverlap(), ClockOverlap.FIRST);
    return new ScheduleRule(kind, text, dialect, days, zone, gap(given), overlap, calendars(given));
  }

  /** Reads a cron expression; a leading {@code CRON_TZ=} sets the schedule's time zone. */
  private static ScheduleRule cron(Schedule given, Schedule.Cron cron) {
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
    return of(
        ScheduleRule.Kind.CRON,
        expression.strip(),
        DefinitionAnswers.DIALECTS.read("cron.dialect", cron.getDialect(), CronDialect.UNIX),
        DefinitionAnswers.DAY_MATCHES.read("cron.day_match", cron.getDayMatch(), DayMatch.EITHER),
        zone,
        given);
  }

  private static String interval(String field, com.google.protobuf.Duration given) {
    Duration interval = duration(field, given, LONGEST);
    require(
        interval.isPositive() && interval.toNanosPart() == 0,
        field,
        "must be whole seconds from 1 s to 3650 days, not " + Durations.toString(given));
    return interval.toString();
  }

  private static String zone(Schedule given) {
    return given.getTimeZone().isEmpty() ? "UTC" : zone("time_zone", given.getTimeZone(), Map.of());
  }

  private static String zone(String field, String given, Map<String, String> place) {
    return RequestFields.zone(field, given, place).getId();
  }

  private static ClockGap gap(Schedule given) {
    return switch (given.getDst().getGap()) {
      case GAP_UNSPECIFIED, RUN_AFTER -> ClockGap.RUN_ONCE_AFTER;
      case SKIP -> ClockGap.SKIP;
      case UNRECOGNIZED -> throw new InvalidField("dst.gap", "must be RUN_AFTER or SKIP");
    };
  }

  private static List<CalendarUse> calendars(Schedule given) {
    int count = given.getCalendarsCount();
    require(
        count <= RuleTerms.MOST_CALENDARS,
        "calendars",
        "must be at most " + RuleTerms.MOST_CALENDARS);
    List<CalendarUse> uses = new ArrayList<>();
    long forWorkingDays = 0;
    for (int i = 0; i < count; i++) {
      Schedule.CalendarUse use = given.getCalendars(i);
      String field = "calendars[" + i + "]";
      CalendarUse.Kind kind =
          DefinitionAnswers.CALENDAR_USES.read(
              field + ".use", use.getUse(), CalendarUse.Kind.ONLY_DURING);
      forWorkingDays += kind == CalendarUse.Kind.WORKING_DAYS ? 1 : 0;
      require(forWorkingDays <= 1, field + ".use", "WORKING_DAYS can be said of one calendar only");
      uses.add(new CalendarUse(calendarName(field + ".name", use.getName()), kind));
    }
    return uses;
  }

  static CalendarName calendarName(String field, String given) {
    String rule = "must have 1 to 128 of letters, digits and . _ / -";
    require(given.indexOf(':') < 0, field, rule);
    return reading(field, rule, () -> new CalendarName(given));
  }

  static RuleBounds bounds(Schedule given) {
    @Nullable Instant start = given.hasStartAt() ? instant("start_at", given.getStartAt()) : null;
    @Nullable Instant end = given.hasEndAt() ? instant("end_at", given.getEndAt()) : null;
    require(
        start == null || end == null || start.isBefore(end), "end_at", "must be after start_at");
    @Nullable Long maxRuns = given.hasMaxRuns() ? given.getMaxRuns() : null;
    require(maxRuns == null || maxRuns >= 1, "max_runs", "must be at least 1");
    return new RuleBounds(start, end, maxRuns);
  }

  static RunSpread spread(Schedule given) {
    if (!given.hasSpread()) {
      return RunSpread.NONE;
    }
    Duration window = duration("spread", given.getSpread(), Duration.ofDays(1));
    require(
        window.toNanosPart() % 1_000_000 == 0,
        "spread",
        "must be whole milliseconds, at most 24 hours");
    return new RunSpread(window);
  }

  /**
   * Parses a stored rule; a rule without a meaning is refused.
   *
   * @param createdAt start of a fixed rate that has no start of its own
   */
  static TimeRule read(
      Schedule given, ScheduleRule rule, RuleBounds bounds, RunSpread spread, Instant createdAt) {
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

  /** The refusal with its position counted in the given text, which may begin with a time zone. */
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
