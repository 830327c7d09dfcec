package io.kairos.cli.imports;

import static java.util.Objects.requireNonNull;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Month;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Computes when cron itself would run a line, as Vixie cron does: with bit sets, day by day. It is
 * independent of the nodes' implementation, so that both can be compared. A line with a star in the
 * minute or the hour runs by local time even when clocks change; any other line runs once when
 * daylight saving time skips or repeats its time. Whole names of months and weekdays, and {@code ?}
 * for {@code *}, are read too, as other crons do.
 */
final class VixieRule {
  private static final int YEARS = 30;
  private static final Map<String, String> MACROS =
      Map.of(
          "@yearly", "0 0 1 1 *",
          "@annually", "0 0 1 1 *",
          "@monthly", "0 0 1 * *",
          "@weekly", "0 0 * * 0",
          "@daily", "0 0 * * *",
          "@midnight", "0 0 * * *",
          "@hourly", "0 * * * *");
  private static final List<String> MONTHS = Stream.of(Month.values()).map(Month::name).toList();
  private static final List<String> DAYS =
      IntStream.range(0, 7).mapToObj(DayOfWeek.SUNDAY::plus).map(DayOfWeek::name).toList();

  private final BitSet minutes;
  private final BitSet hours;
  private final BitSet monthDays;
  private final BitSet months;
  private final BitSet weekdays;
  private final boolean anyMonthDay;
  private final boolean anyWeekday;
  private final boolean followsTheWall;
  private final boolean daysMatchBoth;

  private VixieRule(String[] fields, boolean daysMatchBoth) {
    this.daysMatchBoth = daysMatchBoth;
    minutes = set(fields[0], 0, 59, List.of(), 0);
    hours = set(fields[1], 0, 23, List.of(), 0);
    monthDays = set(fields[2], 1, 31, List.of(), 0);
    months = set(fields[3], 1, 12, MONTHS, 1);
    weekdays = set(fields[4], 0, 7, DAYS, 0);
    if (weekdays.get(7)) {
      weekdays.set(0);
    }
    anyMonthDay = isAny(fields[2]);
    anyWeekday = isAny(fields[4]);
    followsTheWall = fields[0].startsWith("*") || fields[1].startsWith("*");
  }

  private static boolean isAny(String field) {
    return field.startsWith("*") || field.equals("?");
  }

  /**
   * Returns the rule; empty for a rule that this class does not support, such as a random one.
   *
   * @throws IllegalArgumentException for a rule that cron refuses
   */
  static Optional<VixieRule> parse(String text) {
    return parse(text, false);
  }

  /**
   * Returns the rule as {@link #parse(String)} does.
   *
   * @param daysMatchBoth true when a day must match both day fields, as in Celery
   */
  static Optional<VixieRule> parse(String text, boolean daysMatchBoth) {
    String plain = MACROS.getOrDefault(text.toLowerCase(Locale.ROOT), text);
    if (plain.startsWith("@every") || plain.contains("~")) {
      return Optional.empty();
    }
    String[] fields = plain.split("\\s+", -1);
    if (fields.length != 5) {
      throw new IllegalArgumentException("'" + text + "' is none of cron's words");
    }
    return Optional.of(new VixieRule(fields, daysMatchBoth));
  }

  private static BitSet set(String field, int min, int max, List<String> names, int first) {
    BitSet values = new BitSet();
    for (String part : field.split(",", -1)) {
      String[] stepped = part.split("/", 2);
      int step = stepped.length == 2 ? number(stepped[1], 1, max, List.of(), 0) : 1;
      int from;
      int to;
      if (stepped[0].equals("*") || field.equals("?")) {
        from = min;
        to = max;
      } else {
        String[] range = stepped[0].split("-", 2);
        from = number(range[0], min, max, names, first);
        to = range.length == 2 ? number(range[1], min, max, names, first) : from;
        if (range.length == 1 && stepped.length == 2) {
          to = max;
        }
      }
      if (from > to) {
        throw new IllegalArgumentException(
            "'" + part + "': cron takes no range that runs backwards");
      }
      for (int value = from; value <= to; value += step) {
        values.set(value);
      }
    }
    return values;
  }

  private static int number(String text, int min, int max, List<String> names, int first) {
    for (String name : names) {
      if (name.equalsIgnoreCase(text) || name.substring(0, 3).equalsIgnoreCase(text)) {
        return names.indexOf(name) + first;
      }
    }
    if (!text.matches("\\d{1,4}") || Integer.parseInt(text) < min || Integer.parseInt(text) > max) {
      throw new IllegalArgumentException("'%s' is not %d to %d".formatted(text, min, max));
    }
    return Integer.parseInt(text);
  }

  /** Returns the next fire times after an instant; fewer when the search ends after many years. */
  List<Instant> next(Instant after, ZoneId zone, int count) {
    LocalDate day = LocalDate.ofInstant(after, zone).minusDays(1);
    LocalDate end = day.plusYears(YEARS);
    TreeSet<Instant> found = new TreeSet<>();
    while (found.size() < count && day.isBefore(end)) {
      if (matches(day)) {
        for (Instant time : on(day, zone)) {
          if (time.isAfter(after)) {
            found.add(time);
          }
        }
      }
      day = day.plusDays(1);
    }
    return found.stream().limit(count).toList();
  }

  private boolean matches(LocalDate day) {
    boolean monthDay = monthDays.get(day.getDayOfMonth());
    boolean weekday =
        weekdays.get(day.getDayOfWeek() == DayOfWeek.SUNDAY ? 0 : day.getDayOfWeek().getValue());
    boolean isFree = anyMonthDay || anyWeekday || daysMatchBoth;
    boolean matches = isFree ? monthDay && weekday : monthDay || weekday;
    return months.get(day.getMonthValue()) && matches;
  }

  private Collection<Instant> on(LocalDate day, ZoneId zone) {
    List<Instant> times = new ArrayList<>();
    for (int hour = hours.nextSetBit(0); hour >= 0; hour = hours.nextSetBit(hour + 1)) {
      for (int minute = minutes.nextSetBit(0);
          minute >= 0;
          minute = minutes.nextSetBit(minute + 1)) {
        LocalDateTime local = day.atTime(hour, minute);
        List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
        if (offsets.isEmpty()) {
          if (!followsTheWall) {
            ZoneOffsetTransition gap = requireNonNull(zone.getRules().getTransition(local));
            times.add(gap.getInstant());
          }
        } else {
          times.add(local.toInstant(offsets.getFirst()));
          if (offsets.size() > 1 && followsTheWall) {
            times.add(local.toInstant(offsets.get(1)));
          }
        }
      }
    }
    return times;
  }
}
