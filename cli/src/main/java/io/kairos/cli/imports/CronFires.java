package io.kairos.cli.imports;

import io.kairos.cli.imports.ForeignSchedule.Known;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

/**
 * The next fire times of a cron expression in a system that follows crontab(5).
 *
 * @param fires the next fire times, none when they are not known
 */
record CronFires(List<Instant> fires, Known known) {
  static final CronFires UNKNOWN = new CronFires(List.of(), Known.NOTHING);

  private static final int FIELDS = 5;
  private static final int MONTH_DAY = 2;
  private static final int WEEKDAY = 4;

  /**
   * Computes fire times of five fields, or of six whose seconds are 0. They are unknown for
   * anything else, and where systems read a stepped star beside another day field differently.
   *
   * @param daysMatchBoth true when a day must match both day fields
   */
  static CronFires of(String rule, ZoneId zone, boolean daysMatchBoth, ImportSource reading) {
    List<String> all = List.of(rule.strip().split("\\s+", -1));
    boolean seconds = all.size() == FIELDS + 1 && all.getFirst().matches("0+");
    List<String> fields = seconds ? all.subList(1, all.size()) : all;
    if (fields.size() != FIELDS || (!daysMatchBoth && isAmbiguous(fields))) {
      return UNKNOWN;
    }
    try {
      return VixieRule.parse(String.join(" ", fields), daysMatchBoth)
          .map(cron -> new CronFires(cron.next(reading.now(), zone, reading.count()), Known.NEXT))
          .orElse(UNKNOWN);
    } catch (IllegalArgumentException e) {
      return UNKNOWN; // a form that crontab(5) does not have, such as L
    }
  }

  private static boolean isAmbiguous(List<String> fields) {
    String monthDay = fields.get(MONTH_DAY);
    String weekday = fields.get(WEEKDAY);
    return !isAny(monthDay)
        && !isAny(weekday)
        && (monthDay.startsWith("*") || weekday.startsWith("*"));
  }

  private static boolean isAny(String field) {
    return field.equals("*") || field.equals("?");
  }
}
