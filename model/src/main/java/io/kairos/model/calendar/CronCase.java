package io.kairos.model.calendar;

import io.kairos.domain.schedule.cron.CronDialect;
import io.kairos.domain.schedule.cron.CronExpression;
import io.kairos.domain.schedule.cron.CronSyntax;
import io.kairos.domain.schedule.cron.DayMatch;
import java.util.List;
import java.util.stream.Stream;

/** A cron expression, parsed by the code under test and by the oracle. */
public record CronCase(CronExpression expression, LiteralCron literal) {

  /** Cases tried around every change of every zone: each kind of field, each kind of day. */
  public static final List<CronCase> FIXED =
      Stream.of(
              "0 0 * * *",
              "30 0 * * *",
              "15,45 1 * * *",
              "30 2 * * *",
              "0,30 2,3 * * *",
              "30 23 * * *",
              "*/15 * * * *",
              "*/20 0 * * *",
              "30 * * * *",
              "0 */2 * * *",
              "45 22-2 * * *",
              "10-50/20 0-23/3 * * SAT-SUN",
              "30 2 L * *",
              "0 0 1W,LW * *",
              "30 0 * 3-11 0L,0#2",
              "15 1 1-7 * 0")
          .map(text -> of(text, new CronSyntax(CronDialect.UNIX, DayMatch.EITHER)))
          .toList();

  public static CronCase of(String text, CronSyntax syntax) {
    return new CronCase(
        CronExpression.parse(text, syntax, ""),
        new LiteralCron(
            text, syntax.dialect() == CronDialect.QUARTZ, syntax.days() == DayMatch.BOTH));
  }

  @Override
  public String toString() {
    return literal.toString();
  }
}
