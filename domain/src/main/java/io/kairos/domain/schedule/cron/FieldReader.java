package io.kairos.domain.schedule.cron;

import io.kairos.domain.schedule.text.RefusedExpressionException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Reads one field: items with commas between them. */
final class FieldReader {
  private static final int WEEKS = 5;
  private static final int MOST_BEFORE_LAST = 30;
  private static final int SATURDAY = 6;

  private final FieldScan scan;
  private final FieldDomain domain;
  private final CronRangeReader spans;
  private final int start;
  private boolean starred;

  FieldReader(FieldScan scan, FieldDomain domain, long seed) {
    this.scan = scan;
    this.domain = domain;
    this.spans = new CronRangeReader(scan, domain, seed);
    this.start = scan.position();
  }

  NumberField numbers() {
    return new NumberField(items(spans::span));
  }

  /**
   * Returns true if the field that was read does not restrict days: {@code ?} or with a star in it.
   */
  boolean isStarred() {
    return starred;
  }

  List<MonthDayItem> monthDays() {
    return takesAny()
        ? List.of(new MonthDayItem.Days(CronRange.all(domain)))
        : items(this::monthDay);
  }

  List<WeekdayItem> weekdays(CronDialect dialect) {
    return takesAny()
        ? List.of(new WeekdayItem.Days(CronRange.all(domain)))
        : items(() -> weekday(dialect));
  }

  private boolean takesAny() {
    if (scan.isWhole("?")) {
      starred = true;
      return true;
    }
    return false;
  }

  private <T> List<T> items(Supplier<T> item) {
    List<T> items = new ArrayList<>();
    boolean alone = true;
    do {
      int from = scan.position();
      boolean star = scan.isNext('*');
      items.add(item.get());
      starred |= star;
      boolean plainStar = star && scan.position() == from + 1;
      if (!scan.atEnd() && !scan.isNext(',')) {
        throw scan.refused(domain, from, form());
      }
      alone &= !plainStar;
      if (!alone && (items.size() > 1 || scan.isNext(','))) {
        throw scan.refused(domain, from, "* alone, or with a step such as */2, but not in a list");
      }
    } while (scan.accept(','));
    return List.copyOf(items);
  }

  /** Returns the allowed forms of an item, for a message. */
  private String form() {
    String numbers = domain.allowed() + "; a-b, */n, a/n, a-b/n, H, H(a-b), H/n, a~b";
    return switch (domain.label()) {
      case "day of month" -> numbers + ", ?, L, L-n, LW, L-nW, nW";
      case "day of week" -> numbers + ", ?, dL, d#n";
      default -> numbers;
    };
  }

  private MonthDayItem monthDay() {
    int from = scan.position();
    if (scan.accept('L')) {
      int before = scan.accept('-') ? scan.number(domain, 1, MOST_BEFORE_LAST, "L-1 to L-30") : 0;
      return new MonthDayItem.FromLast(before, scan.accept('W'));
    }
    if (!scan.startsValue() || scan.isNext('H')) {
      return new MonthDayItem.Days(spans.span());
    }
    int day = scan.value(domain);
    return scan.accept('W')
        ? new MonthDayItem.Nearest(day)
        : new MonthDayItem.Days(spans.spanFrom(from, day));
  }

  private WeekdayItem weekday(CronDialect dialect) {
    int from = scan.position();
    if (scan.accept('L')) {
      if (dialect == CronDialect.UNIX) {
        throw scan.refused(
            domain,
            from,
            "a day before the L, such as 5L for the last Friday, or L as day of month");
      }
      return new WeekdayItem.Days(CronRange.of(domain, SATURDAY + 1));
    }
    if (!scan.startsValue() || scan.isNext('H')) {
      return new WeekdayItem.Days(spans.span());
    }
    int written = scan.value(domain);
    int weekday = domain.valueAt(written, 0);
    if (scan.accept('L')) {
      return new WeekdayItem.Last(weekday);
    }
    if (scan.accept('#')) {
      return new WeekdayItem.Nth(weekday, scan.number(domain, 1, WEEKS, "#1 to #5"));
    }
    return new WeekdayItem.Days(spans.spanFrom(from, written));
  }

  /** Refuses the field as a whole. */
  RefusedExpressionException refused(String allowed) {
    return scan.refused(domain, start, allowed);
  }
}
