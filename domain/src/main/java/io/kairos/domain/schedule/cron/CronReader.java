package io.kairos.domain.schedule.cron;

import io.kairos.domain.schedule.text.RefusedExpressionException;
import io.kairos.domain.schedule.text.StableHash;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Splits an expression into its fields and reads each. Linear in the length of the text. */
record CronReader(String text, CronSyntax syntax, long seed) {
  private static final int LONGEST = 256;
  private static final int SHORT = 5;
  private static final int WITH_SECONDS = 6;
  private static final int WITH_YEARS = 7;

  private static final Map<String, String> MACROS =
      Map.of(
          "@yearly", "0 0 1 1 *",
          "@annually", "0 0 1 1 *",
          "@monthly", "0 0 1 * *",
          "@weekly", "0 0 * * SUN",
          "@daily", "0 0 * * *",
          "@midnight", "0 0 * * *",
          "@hourly", "0 * * * *");

  static CronFields read(String text, CronSyntax syntax, String seed) {
    if (text.length() > LONGEST) {
      throw refused(text, text.substring(LONGEST), "at most 256 characters", LONGEST);
    }
    String trimmed = text.strip();
    if (trimmed.startsWith("@")) {
      String fields = MACROS.get(trimmed.toLowerCase(Locale.ROOT));
      if (fields == null) {
        throw refused(
            text,
            trimmed,
            "@hourly, @daily, @midnight, @weekly, @monthly, @yearly, @annually, @every 90s or"
                + " @at 2030-01-31T09:00:00Z",
            text.indexOf('@'));
      }
      return new CronReader(fields, syntax, StableHash.of(seed)).fields();
    }
    return new CronReader(text, syntax, StableHash.of(seed)).fields();
  }

  private static RefusedExpressionException refused(
      String text, String value, String allowed, int offset) {
    return new RefusedExpressionException(text, "expression", value, allowed, offset);
  }

  private CronFields fields() {
    List<FieldScan> scans = split();
    boolean seconds = scans.size() >= WITH_SECONDS;
    int next = seconds ? 1 : 0;
    NumberField second =
        seconds
            ? numbers(scans.getFirst(), FieldDomain.SECOND)
            : new NumberField(List.of(CronRange.of(FieldDomain.SECOND, 0)));
    NumberField minute = numbers(scans.get(next++), FieldDomain.MINUTE);
    NumberField hour = numbers(scans.get(next++), FieldDomain.HOUR);
    FieldReader monthDay = new FieldReader(scans.get(next++), FieldDomain.DAY_OF_MONTH, seed);
    List<MonthDayItem> monthDays = monthDay.monthDays();
    NumberField month = numbers(scans.get(next++), FieldDomain.MONTH);
    FieldReader weekday =
        new FieldReader(scans.get(next++), FieldDomain.dayOfWeek(syntax.dialect()), seed);
    List<WeekdayItem> weekdays = weekday.weekdays(syntax.dialect());
    NumberField year =
        scans.size() == WITH_YEARS
            ? numbers(scans.getLast(), FieldDomain.YEAR)
            : new NumberField(List.of(CronRange.all(FieldDomain.YEAR)));
    DayFields days =
        new DayFields(
            monthDays, !monthDay.isStarred(), weekdays, !weekday.isStarred(), syntax.days());
    CronFields fields = new CronFields(second, minute, hour, days, month, year);
    CronFeasibility.check(fields, monthDay);
    return fields;
  }

  private NumberField numbers(FieldScan scan, FieldDomain domain) {
    return new FieldReader(scan, domain, seed).numbers();
  }

  private List<FieldScan> split() {
    List<FieldScan> scans = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      if (isBlank(text.charAt(at))) {
        at++;
        continue;
      }
      int end = at;
      while (end < text.length() && !isBlank(text.charAt(end))) {
        end++;
      }
      if (scans.size() == WITH_YEARS) {
        throw refused(text, text.substring(at), "5, 6 or 7 fields", at);
      }
      scans.add(new FieldScan(text, at, end));
      at = end;
    }
    if (scans.size() < SHORT) {
      throw refused(
          text,
          "",
          "5, 6 or 7 fields: [second] minute hour day-of-month month day-of-week [year]",
          text.length());
    }
    return scans;
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }
}
