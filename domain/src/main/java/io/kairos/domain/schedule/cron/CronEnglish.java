package io.kairos.domain.schedule.cron;

import io.kairos.domain.schedule.text.EnglishPhrases;
import java.util.ArrayList;
import java.util.List;

/** Describes a cron expression in English: times of day, days, months, years. */
record CronEnglish(CronFields fields) {
  private static final int MOST_TIMES = 6;
  private static final int MINUTES = 60;
  private static final int HOURS = 24;

  String describe() {
    List<String> parts = new ArrayList<>();
    parts.add(isFewTimes() ? "at " + clockTimes() : intervals());
    parts.add(new DayEnglish(fields.days()).describe());
    if (!fields.months().isAll()) {
      parts.add("in " + named(fields.months()));
    }
    if (!fields.years().isAll()) {
      parts.add("in " + numbers(fields.years(), "year"));
    }
    return String.join(", ", parts);
  }

  /** Returns true for certain times of day that are few enough to name each. */
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
          times.add(EnglishPhrases.clock((hour * 60 + minute) * 60 + second, seconds));
        }
      }
    }
    return EnglishPhrases.list(times);
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
    String text = String.join(" of ", parts);
    return text.startsWith("every ") ? text : "at " + text;
  }

  /** Returns true if the field is evenly spaced from its first value: every n minutes. */
  private static boolean isInterval(NumberField field, int cycle) {
    if (field.spans().size() != 1) {
      return false;
    }
    CronRange span = field.spans().getFirst();
    return span.open() && span.from() == 0 && cycle % span.step() == 0;
  }

  private static String interval(NumberField field, String unit, int cycle) {
    if (field.isAll()) {
      return "every " + unit;
    }
    if (isInterval(field, cycle)) {
      return "every " + EnglishPhrases.count(field.spans().getFirst().step(), unit);
    }
    CronRange first = field.spans().getFirst();
    boolean one = field.spans().size() == 1;
    if (one && isEveryNth(first)) {
      return everyNth(first, unit);
    }
    return unit + (one && first.isSingle() ? " " : "s ") + numbers(field, unit);
  }

  private static boolean isEveryNth(CronRange span) {
    return span.step() > 1 && span.isLong();
  }

  private static String everyNth(CronRange span, String unit) {
    String nth = EnglishPhrases.ordinal(span.step());
    return "every " + nth + " " + unit + " from " + span.from() + " to " + span.to();
  }

  private static String numbers(NumberField field, String unit) {
    List<String> parts = new ArrayList<>();
    for (CronRange span : field.spans()) {
      if (isEveryNth(span)) {
        parts.add(everyNth(span, unit));
      } else if (span.isSingle() || span.step() > 1) {
        span.values().mapToObj(Integer::toString).forEach(parts::add);
      } else {
        parts.add(span.from() + " to " + span.to());
      }
    }
    return EnglishPhrases.list(parts);
  }

  private static String named(NumberField months) {
    List<String> parts = new ArrayList<>();
    for (CronRange span : months.spans()) {
      if (span.step() == 1 && !span.isSingle()) {
        parts.add(EnglishPhrases.month(span.from()) + " to " + EnglishPhrases.month(span.to()));
      } else {
        span.values().mapToObj(EnglishPhrases::month).forEach(parts::add);
      }
    }
    return EnglishPhrases.list(parts);
  }
}
