package io.kairos.domain.schedule.recurrence;

import io.kairos.domain.schedule.local.Bits;
import io.kairos.domain.schedule.local.TimesOfDay;
import io.kairos.domain.schedule.text.English;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Says a recurrence rule in English. */
final class RecurrenceEnglish {
  private static final int MOST_TIMES = 6;
  private static final int MONTHS = 12;
  private static final int MINUTES = 60;
  private static final int HOURS = 24;

  private final Parts parts;

  RecurrenceEnglish(Parts parts) {
    this.parts = parts;
  }

  String describe() {
    List<String> said = new ArrayList<>();
    String unit = parts.frequency().unit();
    said.add("every " + (parts.interval() == 1 ? unit : English.count(parts.interval(), unit)));
    if (parts.months() != Bits.range(1, MONTHS)) {
      said.add("in " + English.list(members(parts.months(), English::month)));
    }
    List<String> days =
        new ArrayList<>(members(parts.monthDays(), day -> "the " + English.ordinal(day)));
    days.addAll(members(parts.lastDays(), RecurrenceEnglish::fromLast));
    if (!days.isEmpty()) {
      said.add("on " + English.list(days) + " of the month");
    }
    if (!parts.weekdays().isEmpty()) {
      said.add(
          (days.isEmpty() ? "on " : "only on ")
              + English.list(parts.weekdays().stream().map(this::weekday).toList()));
    }
    String times = times(parts.times());
    if (!times.isEmpty()) {
      said.add(times);
    }
    if (!parts.positions().isEmpty()) {
      said.add(
          "of these only the "
              + English.list(parts.positions().stream().map(RecurrenceEnglish::position).toList())
              + " of the "
              + unit);
    }
    said.add("from " + local(parts.start()));
    return String.join(", ", said);
  }

  private static String local(long second) {
    return LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC).toString();
  }

  private String weekday(WeekdayOrdinal day) {
    String name = English.weekday(day.weekday());
    return day.number() == 0
        ? name
        : "the " + position(day.number()) + " " + name + (parts.inYear() ? " of the year" : "");
  }

  private static String position(int number) {
    if (number > 0) {
      return English.ordinal(number);
    }
    return number == -1 ? "last" : English.ordinal(-number) + " to last";
  }

  private static String fromLast(int day) {
    return "the " + position(-day) + " day";
  }

  private String times(TimesOfDay times) {
    List<String> hours = members(times.hours(), Integer::toString);
    List<String> minutes = members(times.minutes(), Integer::toString);
    List<String> seconds = members(times.seconds(), Integer::toString);
    if (hours.size() * minutes.size() * seconds.size() <= MOST_TIMES) {
      return "at " + English.list(clockTimes(times));
    }
    List<String> said = new ArrayList<>();
    if (!seconds.equals(List.of("0")) && seconds.size() < MINUTES) {
      said.add("at second " + English.list(seconds));
    }
    if (minutes.size() < MINUTES) {
      said.add("at minute " + English.list(minutes));
    }
    if (hours.size() < HOURS) {
      said.add("in hour " + English.list(hours));
    }
    return String.join(" ", said);
  }

  private static List<String> clockTimes(TimesOfDay times) {
    List<String> said = new ArrayList<>();
    int second = times.first();
    while (second >= 0) {
      String minute =
          String.format(
              Locale.ROOT, "%02d:%02d", second / MINUTES / MINUTES, second / MINUTES % MINUTES);
      said.add(
          second % MINUTES == 0
              ? minute
              : String.format(Locale.ROOT, "%s:%02d", minute, second % MINUTES));
      second = second + 1 < HOURS * MINUTES * MINUTES ? times.nextAtOrAfter(second + 1) : -1;
    }
    return said;
  }

  private static List<String> members(long set, IntFunction<String> name) {
    return IntStream.range(0, Long.SIZE)
        .filter(member -> Bits.has(set, member))
        .mapToObj(name)
        .toList();
  }
}
