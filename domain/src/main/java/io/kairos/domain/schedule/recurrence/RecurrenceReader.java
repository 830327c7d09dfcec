package io.kairos.domain.schedule.recurrence;

import io.kairos.domain.schedule.local.CivilDays;
import io.kairos.domain.schedule.local.SmallNumberSets;
import io.kairos.domain.schedule.local.TimesOfDay;
import io.kairos.domain.schedule.text.RefusedExpressionException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Reads the text of a recurrence rule into its parts; linear in the length of the text. */
final class RecurrenceReader {
  static final int MOST_COUNT = 10_000;

  private static final int LONGEST = 512;
  private static final int MOST_INTERVAL = 10_000;
  private static final int MOST_POSITION = 366;
  private static final int MOST_ITEMS = 64;
  private static final int WEEKS_OF_YEAR = 53;
  private static final int WEEKS_OF_MONTH = 5;
  private static final String PREFIX = "RRULE:";
  private static final List<String> WEEKDAYS = List.of("SU", "MO", "TU", "WE", "TH", "FR", "SA");
  private static final List<String> SUPPORTED =
      List.of(
          "FREQ",
          "INTERVAL",
          "COUNT",
          "UNTIL",
          "BYMONTH",
          "BYMONTHDAY",
          "BYDAY",
          "BYHOUR",
          "BYMINUTE",
          "BYSECOND",
          "BYSETPOS",
          "WKST");
  private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]{1,5}");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss", Locale.ROOT);

  private final String text;
  private final LocalDateTime start;
  private final ZoneId zone;
  private final Map<String, Part> parts = new LinkedHashMap<>();

  RecurrenceReader(String text, LocalDateTime start, ZoneId zone) {
    this.text = text;
    this.start = start;
    this.zone = zone;
  }

  /**
   * The text behind an equals sign.
   *
   * @param offset where it begins
   */
  private record Part(String name, String value, int offset) {}

  RecurrenceParts read() {
    split();
    RecurrenceFrequency frequency = frequency();
    List<WeekdayOrdinal> weekdays = weekdays(frequency);
    long months = bits("BYMONTH", 1, 12);
    long monthDays = 0;
    long lastDays = 0;
    for (int day : numbers("BYMONTHDAY", -31, 31)) {
      monthDays |= day > 0 ? 1L << day : 0;
      lastDays |= day < 0 ? 1L << -day : 0;
    }
    boolean noDays = weekdays.isEmpty() && monthDays == 0 && lastDays == 0;
    if (frequency == RecurrenceFrequency.YEARLY && noDays && months == 0) {
      months = 1L << start.getMonthValue();
    }
    if (noDays
        && (frequency == RecurrenceFrequency.YEARLY || frequency == RecurrenceFrequency.MONTHLY)) {
      monthDays = 1L << start.getDayOfMonth();
    }
    if (noDays && frequency == RecurrenceFrequency.WEEKLY) {
      weekdays = List.of(new WeekdayOrdinal(start.getDayOfWeek().getValue() % 7, 0));
    }
    check(frequency);
    return new RecurrenceParts(
        frequency,
        number("INTERVAL", 1, MOST_INTERVAL, 1),
        start.toEpochSecond(ZoneOffset.UTC),
        months == 0 ? SmallNumberSets.range(1, 12) : months,
        monthDays,
        lastDays,
        weekdays,
        frequency == RecurrenceFrequency.YEARLY && !parts.containsKey("BYMONTH"),
        times(frequency),
        numbers("BYSETPOS", -MOST_POSITION, MOST_POSITION),
        weekStart(),
        until());
  }

  /** COUNT, or 0 when there is none. */
  int count() {
    return number("COUNT", 1, MOST_COUNT, 0);
  }

  private void split() {
    if (text.length() > LONGEST) {
      throw new RefusedExpressionException(
          text, "recurrence", text.substring(LONGEST), "at most 512 characters", LONGEST);
    }
    int at = text.regionMatches(true, 0, PREFIX, 0, PREFIX.length()) ? PREFIX.length() : 0;
    while (at < text.length()) {
      int end = text.indexOf(';', at);
      end = end < 0 ? text.length() : end;
      add(at, end);
      at = end + 1;
    }
  }

  private void add(int at, int end) {
    String part = text.substring(at, end);
    int equals = part.indexOf('=');
    String name = part.substring(0, Math.max(0, equals)).toUpperCase(Locale.ROOT);
    if (!SUPPORTED.contains(name)) {
      throw new RefusedExpressionException(
          text,
          name.isEmpty() ? "recurrence" : name,
          part,
          "NAME=value with one of " + String.join(", ", SUPPORTED),
          at);
    }
    Part read = new Part(name, part.substring(equals + 1), at + equals + 1);
    if (parts.put(name, read) != null) {
      throw refused(read, "each part once");
    }
  }

  private RefusedExpressionException refused(Part part, String allowed) {
    return new RefusedExpressionException(text, part.name(), part.value(), allowed, part.offset());
  }

  private RecurrenceFrequency frequency() {
    Part part = parts.getOrDefault("FREQ", new Part("FREQ", "", text.length()));
    for (RecurrenceFrequency frequency : RecurrenceFrequency.values()) {
      if (frequency.name().equalsIgnoreCase(part.value())) {
        return frequency;
      }
    }
    throw refused(part, "YEARLY, MONTHLY, WEEKLY, DAILY, HOURLY, MINUTELY or SECONDLY");
  }

  /**
   * Refuses parts that RFC 5545 does not allow together, and positions within a day, which are not
   * supported.
   */
  private void check(RecurrenceFrequency frequency) {
    Part until = parts.get("UNTIL");
    if (until != null && parts.containsKey("COUNT")) {
      throw refused(until, "COUNT or UNTIL, not both");
    }
    Part monthDay = parts.get("BYMONTHDAY");
    if (monthDay != null && frequency == RecurrenceFrequency.WEEKLY) {
      throw refused(monthDay, "BYMONTHDAY with any FREQ but WEEKLY");
    }
    Part position = parts.get("BYSETPOS");
    if (position != null && frequency.isWithinDay()) {
      throw refused(position, "BYSETPOS with YEARLY, MONTHLY, WEEKLY or DAILY");
    }
    if (position != null && parts.keySet().stream().noneMatch(RecurrenceReader::isOther)) {
      throw refused(position, "BYSETPOS beside another BY part");
    }
  }

  private static boolean isOther(String name) {
    return name.startsWith("BY") && !name.equals("BYSETPOS");
  }

  private int number(String name, int least, int most, int otherwise) {
    Part part = parts.get(name);
    if (part == null) {
      return otherwise;
    }
    return number(part, part.value(), part.offset(), least, most);
  }

  private int number(Part part, String digits, int offset, int least, int most) {
    boolean isNumber = NUMBER.matcher(digits).matches();
    int number = isNumber ? Integer.parseInt(digits) : 0;
    if (!isNumber || number < least || number > most || (least < 0 && number == 0)) {
      String allowed = least + " to " + most + (least < 0 ? " without 0" : "");
      throw new RefusedExpressionException(text, part.name(), digits, allowed, offset);
    }
    return number;
  }

  private List<Integer> numbers(String name, int least, int most) {
    List<Integer> numbers = new ArrayList<>();
    for (Part item : items(name)) {
      numbers.add(number(item, item.value(), item.offset(), least, most));
    }
    return List.copyOf(numbers);
  }

  /** Returns the items of a list, each with its place; none for a part that is not there. */
  private List<Part> items(String name) {
    Part part = parts.get(name);
    if (part == null) {
      return List.of();
    }
    List<Part> items = new ArrayList<>();
    int at = 0;
    for (String item : part.value().split(",", -1)) {
      items.add(new Part(name, item, part.offset() + at));
      at += item.length() + 1;
    }
    if (items.size() > MOST_ITEMS) {
      throw refused(part, "at most 64 items");
    }
    return items;
  }

  private long bits(String name, int least, int most) {
    return numbers(name, least, most).stream()
        .mapToLong(number -> 1L << number)
        .reduce(0, (a, b) -> a | b);
  }

  private List<WeekdayOrdinal> weekdays(RecurrenceFrequency frequency) {
    List<WeekdayOrdinal> weekdays = new ArrayList<>();
    boolean inMonth = frequency == RecurrenceFrequency.MONTHLY || parts.containsKey("BYMONTH");
    int most = inMonth ? WEEKS_OF_MONTH : WEEKS_OF_YEAR;
    for (Part item : items("BYDAY")) {
      String value = item.value().toUpperCase(Locale.ROOT);
      int split = Math.max(0, value.length() - 2);
      int weekday = WEEKDAYS.indexOf(value.substring(split));
      if (weekday < 0) {
        throw refused(item, "SU, MO, TU, WE, TH, FR or SA, with a number such as 2MO or -1FR");
      }
      String number = value.substring(0, split);
      if (!number.isEmpty()
          && frequency != RecurrenceFrequency.MONTHLY
          && frequency != RecurrenceFrequency.YEARLY) {
        throw refused(item, "a number before the day with MONTHLY or YEARLY only");
      }
      weekdays.add(
          new WeekdayOrdinal(
              weekday, number.isEmpty() ? 0 : number(item, number, item.offset(), -most, most)));
    }
    return List.copyOf(weekdays);
  }

  private TimesOfDay times(RecurrenceFrequency frequency) {
    long hours = bits("BYHOUR", 0, 23);
    long minutes = bits("BYMINUTE", 0, 59);
    long seconds = bits("BYSECOND", 0, 59);
    boolean allHours = frequency.isWithinDay();
    boolean allMinutes =
        frequency == RecurrenceFrequency.MINUTELY || frequency == RecurrenceFrequency.SECONDLY;
    boolean allSeconds = frequency == RecurrenceFrequency.SECONDLY;
    return new TimesOfDay(
        (int) orElse(hours, allHours, 23, start.getHour()),
        orElse(minutes, allMinutes, 59, start.getMinute()),
        orElse(seconds, allSeconds, 59, start.getSecond()));
  }

  private static long orElse(long given, boolean all, int most, int ofStart) {
    if (given != 0) {
      return given;
    }
    return all ? SmallNumberSets.range(0, most) : 1L << ofStart;
  }

  private int weekStart() {
    Part part = parts.get("WKST");
    if (part == null) {
      return 1;
    }
    int weekday = WEEKDAYS.indexOf(part.value().toUpperCase(Locale.ROOT));
    if (weekday < 0) {
      throw refused(part, "SU, MO, TU, WE, TH, FR or SA");
    }
    return weekday;
  }

  private long until() {
    Part part = parts.get("UNTIL");
    if (part == null) {
      return (CivilDays.epochDay(CivilDays.LAST_YEAR + 1, 1, 1) - 1) * CivilDays.SECONDS_PER_DAY;
    }
    String value = part.value().toUpperCase(Locale.ROOT);
    try {
      if (value.endsWith("Z")) {
        return LocalDateTime.parse(value.substring(0, value.length() - 1), TIME)
            .atOffset(ZoneOffset.UTC)
            .atZoneSameInstant(zone)
            .toLocalDateTime()
            .toEpochSecond(ZoneOffset.UTC);
      }
      LocalDateTime last =
          value.contains("T")
              ? LocalDateTime.parse(value, TIME)
              : LocalDate.parse(value, DateTimeFormatter.BASIC_ISO_DATE).atTime(LocalTime.MAX);
      return last.toEpochSecond(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      throw refused(part, "20271231, 20271231T090000 or 20271231T090000Z");
    }
  }
}
