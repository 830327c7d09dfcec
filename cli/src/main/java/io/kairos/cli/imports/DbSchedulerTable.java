package io.kairos.cli.imports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.kairos.client.ScheduleSpec;
import io.kairos.client.ScheduleSpec.Dialect;
import io.kairos.client.ScheduleSpec.Overlap;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads recurring tasks of db-scheduler from its table. The rule of a task with a persistent
 * schedule is in its data, when that is JSON; the rule of a static recurring task is only in the
 * program. The table has one fire time per task, the next.
 */
public record DbSchedulerTable(ImportSource reading) {
  private static final String RECURRING = "recurring";
  private static final int SERIALISED_FIRST = 0xAC;

  /** Rows that the driver holds at a time: the table has the tasks that run once, too. */
  private static final int FETCHED = 10;

  /**
   * Reads all recurring tasks. Tasks that were due before now are overdue.
   *
   * @param table {@code scheduled_tasks} as db-scheduler ships it
   */
  public void read(Connection connection, String table) throws SQLException {
    try (PreparedStatement rows =
        connection.prepareStatement(ImportStatement.load("dbscheduler_tasks", table))) {
      rows.setFetchSize(FETCHED);
      try (ResultSet row = rows.executeQuery()) {
        while (row.next()) {
          Timestamp next =
              requireNonNull(
                  row.getTimestamp(
                      "execution_time", Calendar.getInstance(TimeZone.getTimeZone("UTC"))));
          task(
              ImportStatement.text(row, "task_name"),
              ImportStatement.text(row, "task_instance"),
              row.getBytes("task_data"),
              next.toInstant());
        }
      }
    }
  }

  private void task(String name, String instance, byte @Nullable [] data, Instant next) {
    String place = name + "/" + instance;
    @Nullable Map<?, ?> schedule;
    try {
      schedule = schedule(data);
    } catch (IllegalArgumentException e) {
      reading.pass(place, "next at " + next, "its data cannot be read: " + e.getMessage());
      return;
    }
    if (schedule == null) {
      boolean serialised = data != null && data.length > 0 && (data[0] & 0xFF) == SERIALISED_FIRST;
      if (serialised) {
        reading.pass(
            place,
            "next at " + next,
            "its data is a serialised Java object, which is not read; it may hold a schedule");
      } else if (instance.equals(RECURRING)) {
        reading.pass(
            place,
            "next at " + next,
            "is a static recurring task: its rule stands in the program and not in the table");
      }
      return; // a task of its own, not a recurring one
    }
    Map<String, String> values = new LinkedHashMap<>();
    values.put("name", instance.equals(RECURRING) ? name : name + "/" + instance);
    values.put("task", name);
    values.put("instance", instance);
    ScheduleSpec.Builder spec = reading.spec(values).overlap(Overlap.SKIP);
    try {
      // Delays of db-scheduler end at any time, schedules fire at whole seconds.
      Instant due = next.truncatedTo(ChronoUnit.SECONDS);
      String original = rule(schedule, spec, due);
      List<String> remarks = new ArrayList<>();
      remarks.add("only the next fire time stands in the table; its data is not taken over");
      boolean overdue = !due.isAfter(reading.now());
      if (overdue) {
        remarks.add("is overdue there since " + due);
      }
      reading.add(
          new ForeignSchedule(
              place,
              original,
              spec.build(),
              overdue ? List.of() : List.of(due),
              ForeignSchedule.Known.NEXT,
              false,
              remarks));
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      reading.pass(place, String.valueOf(schedule), String.valueOf(e.getMessage()));
    }
  }

  /** Reads data as db-scheduler's JSON serialisers write it: an object with a schedule. */
  private static @Nullable Map<?, ?> schedule(byte @Nullable [] data) {
    if (data == null || data.length == 0 || data[0] != '{') {
      return null;
    }
    Object json = ScheduleTree.tree("the JSON", new String(data, UTF_8));
    Object schedule = json instanceof Map<?, ?> map ? map.get("schedule") : null;
    return schedule instanceof Map<?, ?> map && map.containsKey("type") ? map : null;
  }

  private static String rule(Map<?, ?> schedule, ScheduleSpec.Builder spec, Instant due) {
    return switch (text(schedule, "type")) {
      case "cron" -> cron(schedule, spec);
      case "fixedDelay" -> {
        Duration delay = duration(schedule.get("duration"));
        spec.delayAfter(delay).startAt(due); // else it would begin at once
        yield delay + " after the former run";
      }
      case "daily" -> daily(schedule, spec);
      default ->
          throw new IllegalArgumentException(
              "is a schedule of the type " + text(schedule, "type") + ", which is not known");
    };
  }

  private static String cron(Map<?, ?> schedule, ScheduleSpec.Builder spec) {
    String pattern = text(schedule, "pattern");
    String style = schedule.get("cronStyle") == null ? "SPRING53" : text(schedule, "cronStyle");
    if (pattern.equals("-")) {
      throw new IllegalArgumentException("is disabled: its pattern is -");
    }
    String zone = text(schedule, "zoneId");
    spec.cron(pattern, style.equals("QUARTZ") ? Dialect.QUARTZ : Dialect.UNIX).zone(zone);
    if (!style.equals("QUARTZ") && !style.equals("UNIX") && !style.equals("CRON4J")) {
      spec.onDaysThatMatchBoth(); // as Spring does
    }
    return "%s (%s) %s".formatted(pattern, style.toLowerCase(Locale.ROOT), zone);
  }

  /** Several times a day become one expression when they share the minute. */
  private static String daily(Map<?, ?> schedule, ScheduleSpec.Builder spec) {
    List<LocalTime> times = new ArrayList<>();
    if (schedule.get("times") instanceof List<?> list) {
      list.forEach(one -> times.add(time(one)));
    }
    List<String> rests =
        times.stream()
            .map(time -> "%d %d".formatted(time.getSecond(), time.getMinute()))
            .distinct()
            .toList();
    if (rests.size() != 1) {
      throw new IllegalArgumentException(
          "runs daily at " + times + ", which are several expressions: make a schedule for each");
    }
    String zone = schedule.get("zone") == null ? "UTC" : text(schedule, "zone");
    String hours =
        times.stream()
            .map(LocalTime::getHour)
            .distinct()
            .sorted()
            .map(String::valueOf)
            .collect(Collectors.joining(","));
    spec.cron("%s %s * * *".formatted(rests.getFirst(), hours)).zone(ZoneId.of(zone));
    return "daily at " + times + " " + zone;
  }

  /**
   * Reads a time as text, or as Jackson writes it: a list of hour, minute and optionally second.
   */
  private static LocalTime time(@Nullable Object value) {
    if (value instanceof List<?> parts && parts.size() >= 2) {
      return LocalTime.of(
          number(parts.get(0)), number(parts.get(1)), parts.size() > 2 ? number(parts.get(2)) : 0);
    }
    return LocalTime.parse(String.valueOf(value));
  }

  private static int number(@Nullable Object value) {
    if (value instanceof Number number) {
      return number.intValue();
    }
    throw new IllegalArgumentException("'" + value + "' is no number");
  }

  /** Reads a duration in ISO 8601 or in seconds. */
  private static Duration duration(@Nullable Object value) {
    return value instanceof Number seconds
        ? Duration.ofMillis(Math.round(seconds.doubleValue() * 1_000))
        : Duration.parse(String.valueOf(value));
  }

  private static String text(Map<?, ?> map, String key) {
    Object value = map.get(key);
    if (value == null) {
      throw new IllegalArgumentException("its schedule has no " + key);
    }
    return value.toString();
  }
}
