package io.kairos.domain.schedule.recurrence;

import io.kairos.domain.schedule.local.SmallNumberSets;
import io.kairos.domain.schedule.local.TimesOfDay;
import io.kairos.domain.schedule.text.EnglishPhrases;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Describes a recurrence rule in English. */
record RecurrenceEnglish(RecurrenceParts parts) {
  private static final int MOST_TIMES = 6;
  private static final int MONTHS = 12;
  private static final int MINUTES = 60;
  private static final int HOURS = 24;

  String describe() {
    List<String> said = new ArrayList<>();
    String unit = parts.frequency().unit();
    said.add(
        "every " + (parts.interval() == 1 ? unit : EnglishPhrases.count(parts.interval(), unit)));
    if (parts.months() != SmallNumberSets.range(1, MONTHS)) {
      said.add("in " + EnglishPhrases.list(members(parts.months(), EnglishPhrases::month)));
    }
    List<String> days =
        new ArrayList<>(members(parts.monthDays(), day -> "the " + EnglishPhrases.ordinal(day)));
    days.addAll(members(parts.lastDays(), RecurrenceEnglish::fromLast));
    if (!days.isEmpty()) {
      said.add("on " + EnglishPhrases.list(days) + " of the month");
    }
    if (!parts.weekdays().isEmpty()) {
      said.add(
          (days.isEmpty() ? "on " : "only on ")
              + EnglishPhrases.list(parts.weekdays().stream().map(this::weekday).toList()));
    }
    String times = times(parts.times());
    if (!times.isEmpty()) {
      said.add(times);
    }
    if (!parts.positions().isEmpty()) {
      said.add(
          "of these only the "
              + EnglishPhrases.list(
                  parts.positions().stream().map(RecurrenceEnglish::position).toList())
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
    String name = EnglishPhrases.weekday(day.weekday());
    return day.number() == 0
        ? name
        : "the " + position(day.number()) + " " + name + (parts.inYear() ? " of the year" : "");
  }

  private static String position(int number) {
    if (number > 0) {
      return EnglishPhrases.ordinal(number);
    }
    return number == -1 ? "last" : EnglishPhrases.ordinal(-number) + " to last";
  }

  private static String fromLast(int day) {
    return "the " + position(-day) + " day";
  }

  private String times(TimesOfDay times) {
    List<String> hours = members(times.hours(), Integer::toString);
    List<String> minutes = members(times.minutes(), Integer::toString);
    List<String> seconds = members(times.seconds(), Integer::toString);
    if (hours.size() * minutes.size() * seconds.size() <= MOST_TIMES) {
      return "at " + EnglishPhrases.list(clockTimes(times));
    }
    List<String> said = new ArrayList<>();
    if (!seconds.equals(List.of("0")) && seconds.size() < MINUTES) {
      said.add("at second " + EnglishPhrases.list(seconds));
    }
    if (minutes.size() < MINUTES) {
      said.add("at minute " + EnglishPhrases.list(minutes));
    }
    if (hours.size() < HOURS) {
      said.add("in hour " + EnglishPhrases.list(hours));
    }
    return String.join(" ", said);
  }

  private static List<String> clockTimes(TimesOfDay times) {
    List<String> said = new ArrayList<>();
    int second = times.first();
    while (second >= 0) {
      said.add(EnglishPhrases.clock(second, second % MINUTES != 0));
      second = second + 1 < HOURS * MINUTES * MINUTES ? times.nextAtOrAfter(second + 1) : -1;
    }
    return said;
  }

  private static List<String> members(long set, IntFunction<String> name) {
    return IntStream.range(0, Long.SIZE)
        .filter(member -> SmallNumberSets.has(set, member))
        .mapToObj(name)
        .toList();
  }
}
