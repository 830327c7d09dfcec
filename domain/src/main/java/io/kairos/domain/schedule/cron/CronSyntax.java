package io.kairos.domain.schedule.cron;

import static java.util.Objects.requireNonNull;

/** How a cron expression is to be read; stated with each schedule, never guessed from the text. */
public record CronSyntax(Dialect dialect, DayMatch days) {
  public static final CronSyntax UNIX = new CronSyntax(Dialect.UNIX, DayMatch.EITHER);
  public static final CronSyntax QUARTZ = new CronSyntax(Dialect.QUARTZ, DayMatch.EITHER);

  public CronSyntax {
    requireNonNull(dialect, "dialect");
    requireNonNull(days, "days");
  }
}
