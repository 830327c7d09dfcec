package io.kairos.domain.schedule.cron;

import static java.util.Objects.requireNonNull;

/** The syntax of a cron expression; stated with each schedule, never guessed from the text. */
public record CronSyntax(CronDialect dialect, DayMatch days) {
  public static final CronSyntax UNIX = new CronSyntax(CronDialect.UNIX, DayMatch.EITHER);
  public static final CronSyntax QUARTZ = new CronSyntax(CronDialect.QUARTZ, DayMatch.EITHER);

  public CronSyntax {
    requireNonNull(dialect, "dialect");
    requireNonNull(days, "days");
  }
}
