package io.kairos.domain.schedule.cron;

import io.kairos.domain.schedule.text.English;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Says a cron expression in English (PH-41): times of day, days, months, years. */
final class CronEnglish {
  private static final int MOST_TIMES = 6;
  private static final int MINUTES = 60;
  private static final int HOURS = 24;

  private final CronFields fields;

  CronEnglish(CronFields fields) {
    this.fields = fields;
  }

  String describe() {
    List<String> parts = new ArrayList<>();
    parts.add(times());
    parts.add(new DayEnglish(fields.days()).describe());
    if (!fields.months().isAll()) {
      parts.add("in " + named(fields.months()));
    }
    if (!fields.years().isAll()) {
      parts.add("in " + numbers(fields.years()));
    }
    return String.join(", ", parts);
  }

  private String times() {
    return isFewTimes() ? "at " + clockTimes() : intervals();
  }

  /** Certain times of day, few enough to name each. */
  private boolean isFewTimes() {
    return !fields.isInterval()
        && !fields.seconds().isInterval()
        && fields.hours().values().size()
                * fields.minutes().values().size()
                * fields.seconds().values().size()
            <= MOST_TIMES;
  }

  private String clockTimes() {
    boolean seconds = !fields.seconds().isOnly(0);
    List<String> times = new ArrayList<>();
    for (int hour : fields.hours().values()) {
      for (int minute : fields.minutes().values()) {
        for (int second : fields.seconds().values()) {
          times.add(
              seconds
                  ? String.format(Locale.ROOT, "%02d:%02d:%02d", hour, minute, second)
                  : String.format(Locale.ROOT, "%02d:%02d", hour, minute));
        }
      }
    }
    return English.list(times);
  }

  private String intervals() {
    List<String> parts = new ArrayList<>();
    if (!fields.seconds().isOnly(0)) {
      parts.add(interval(fields.seconds(), "second", MINUTES));
    }
    if (!fields.minutes().isAll() || !isInterval(fields.seconds(), MINUTES)) {
      parts.add(interval(fields.minutes(), "minute", MINUTES));
    }
    if (!fields.hours().isAll() || !isInterval(fields.minutes(), MINUTES)) {
      parts.add(interval(fields.hours(), "hour", HOURS));
    }
    return String.join(" of ", parts);
  }

  /** Whether it has an even spacing without a beginning of its own: every n minutes. */
  private static boolean isInterval(NumberField field, int cycle) {
    if (field.spans().size() != 1) {
      return false;
    }
    Span span = field.spans().getFirst();
    return span.open() && span.from() == 0 && cycle % span.step() == 0;
  }

  private static String interval(NumberField field, String unit, int cycle) {
    if (field.isAll()) {
      return "every " + unit;
    }
    if (isInterval(field, cycle)) {
      return "every " + English.count(field.spans().getFirst().step(), unit);
    }
    boolean one = field.spans().size() == 1 && field.spans().getFirst().isSingle();
    return (unit.equals("hour") ? "" : "at ") + unit + (one ? " " : "s ") + numbers(field);
  }

  private static String numbers(NumberField field) {
    List<String> parts = new ArrayList<>();
    for (Span span : field.spans()) {
      if (span.isSingle() || (span.step() > 1 && !span.isLong())) {
        span.values().mapToObj(Integer::toString).forEach(parts::add);
      } else {
        String range = span.from() + " to " + span.to();
        parts.add(
            span.step() == 1 ? range : "every " + English.ordinal(span.step()) + " of " + range);
      }
    }
    return English.list(parts);
  }

  private static String named(NumberField months) {
    List<String> parts = new ArrayList<>();
    for (Span span : months.spans()) {
      if (span.step() == 1 && !span.isSingle()) {
        parts.add(English.month(span.from()) + " to " + English.month(span.to()));
      } else {
        span.values().mapToObj(English::month).forEach(parts::add);
      }
    }
    return English.list(parts);
  }
}
