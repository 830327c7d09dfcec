package io.kairos.domain.fuzz;

import io.kairos.domain.schedule.ClockGap;
import io.kairos.domain.schedule.ClockOverlap;
import io.kairos.domain.schedule.FireTimes;
import io.kairos.domain.schedule.RuleBounds;
import io.kairos.domain.schedule.RunSpread;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.calendar.CalendarLines;
import io.kairos.domain.schedule.calendar.CalendarText;
import io.kairos.domain.schedule.calendar.CalendarUse;
import io.kairos.domain.schedule.cron.CronDialect;
import io.kairos.domain.schedule.cron.DayMatch;
import io.kairos.domain.schedule.definition.ScheduleRule;
import io.kairos.domain.schedule.text.RefusedExpressionException;
import io.kairos.domain.time.DurationText;
import io.kairos.fuzzing.ParserFuzz;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Texts of schedules are refused as documented, and what is taken can be described and fires. */
class ScheduleTextFuzzTest {
  private static final Instant NOW = Instant.parse("2026-10-24T22:00:00Z");

  @TestFactory
  Stream<DynamicTest> every_text_is_taken_or_refused() {
    return Stream.of(
        ParserFuzz.text(
                "cron",
                text -> {
                  for (CronDialect dialect : CronDialect.values()) {
                    fire(rule(ScheduleRule.Kind.CRON, "Europe/Berlin", text, dialect));
                  }
                })
            .refusing(RefusedExpressionException.class)
            .test(),
        ParserFuzz.text(
                "recurrence",
                text ->
                    fire(rule(ScheduleRule.Kind.RRULE, "America/New_York", text, CronDialect.UNIX)))
            .refusing(RefusedExpressionException.class)
            .test(),
        ParserFuzz.text("zoned-rule", ScheduleTextFuzzTest::zoned)
            .refusing(IllegalArgumentException.class)
            .refusing(DateTimeException.class)
            .test(),
        ParserFuzz.text("duration", ScheduleTextFuzzTest::duration)
            .refusing(IllegalArgumentException.class)
            .test(),
        ParserFuzz.text("calendar", ScheduleTextFuzzTest::calendar)
            .refusing(IllegalArgumentException.class)
            .test());
  }

  private static ScheduleRule rule(
      ScheduleRule.Kind kind, String zone, String text, CronDialect dialect) {
    return new ScheduleRule(
        kind,
        text,
        dialect,
        DayMatch.EITHER,
        zone,
        ClockGap.RUN_ONCE_AFTER,
        ClockOverlap.FIRST,
        List.<CalendarUse>of());
  }

  private static void fire(ScheduleRule written) {
    TimeRule rule = written.read("seed", NOW, RuleBounds.NONE, RunSpread.NONE);
    String _ = rule.describe();
    if (rule.isPlanned()) {
      FireTimes times = rule.fireTimes(Map.of());
      Instant after = NOW;
      for (Instant at : times.between(NOW, Instant.MAX, 3)) {
        if (!at.isAfter(after) || !times.matches(at)) {
          throw new IllegalStateException("after " + after + " it fires at " + at);
        }
        after = at;
      }
    }
  }

  /** Kind, zone and rule, as the store has them. */
  private static void zoned(String text) {
    String[] parts = text.split("\t", 3);
    ScheduleRule.Kind kind = ScheduleRule.Kind.valueOf(parts[0]);
    if (parts.length == 3) {
      fire(rule(kind, parts[1], parts[2], CronDialect.UNIX));
    }
  }

  private static void duration(String text) {
    Duration length = DurationText.parse(text);
    if (!DurationText.parse(DurationText.of(length)).equals(length)) {
      throw new IllegalStateException(text + " is written as " + DurationText.of(length));
    }
  }

  private static void calendar(String text) {
    var calendar = CalendarLines.read(text, refused -> new IllegalArgumentException(refused.why()));
    String _ = CalendarText.of(calendar).toString();
  }
}
