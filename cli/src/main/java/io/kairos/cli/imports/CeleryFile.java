package io.kairos.cli.imports;

import io.kairos.client.ScheduleSpec;
import io.kairos.client.ScheduleSpec.CatchUp;
import io.kairos.client.ScheduleSpec.Overlap;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads a {@code beat_schedule} of Celery that was printed as JSON or YAML. Arguments and keyword
 * arguments become the payload, a JSON object.
 */
public final class CeleryFile {
  private static final List<String> CRONTAB =
      List.of("minute", "hour", "day_of_month", "month_of_year", "day_of_week");
  private static final Set<String> FIELDS = Set.of("task", "schedule", "args", "kwargs");

  private CeleryFile() {}

  /**
   * Reads a whole file: the entries by name, or an object with {@code beat_schedule} and {@code
   * timezone}.
   *
   * @param file name of the file, for messages
   * @param zone time zone when the file names none
   */
  public static void read(String file, String text, ZoneId zone, ImportSource into) {
    Map<String, Object> root = ScheduleTree.load(file, text);
    boolean isWhole = root.containsKey("beat_schedule");
    ZoneId named =
        isWhole && root.containsKey("timezone") ? ScheduleTree.zone(root, "timezone") : zone;
    Map<String, Object> entries = isWhole ? ScheduleTree.map(root.get("beat_schedule")) : root;
    entries.forEach(
        (name, entry) -> entry(file + ":" + name, name, ScheduleTree.map(entry), named, into));
  }

  private static void entry(
      String place, String name, Map<String, Object> entry, ZoneId zone, ImportSource into) {
    Object schedule = entry.getOrDefault("schedule", "no schedule");
    try {
      Map<String, String> values = new LinkedHashMap<>();
      values.put("name", name);
      values.put("task", ScheduleTree.text(entry, "task"));
      Map<String, Object> payload = new LinkedHashMap<>();
      payload.put("args", entry.getOrDefault("args", List.of()));
      payload.put("kwargs", entry.getOrDefault("kwargs", Map.of()));
      List<String> remarks = ScheduleTree.remarks(entry, FIELDS);
      ScheduleSpec.Builder spec =
          into.spec(values)
              .overlap(Overlap.ALLOW_ALL)
              .catchUp(CatchUp.LATEST)
              .payload(ScheduleTree.json(payload));
      String original;
      CronFires fires;
      if (schedule instanceof Number seconds) {
        spec.every(Duration.ofMillis(Math.round(seconds.doubleValue() * 1_000)));
        original = "every " + seconds + " s";
        fires = CronFires.UNKNOWN; // counted from the last run, which only beat knows
      } else {
        String rule = crontab(schedule);
        spec.cron(rule).onDaysThatMatchBoth().zone(zone);
        original = rule + " " + zone;
        fires = CronFires.of(rule, zone, true, into);
      }
      into.add(
          new ForeignSchedule(
              place, original, spec.build(), fires.fires(), fires.known(), false, remarks));
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      into.pass(place, String.valueOf(schedule), String.valueOf(e.getMessage()));
    }
  }

  private static String crontab(Object schedule) {
    Map<String, Object> fields = ScheduleTree.map(schedule);
    if (fields.isEmpty() || !CRONTAB.containsAll(fields.keySet())) {
      throw new IllegalArgumentException(
          "is neither a number of seconds nor an object with " + String.join(", ", CRONTAB));
    }
    // A set of Python is printed with braces and blanks.
    return String.join(
        " ",
        CRONTAB.stream()
            .map(field -> String.valueOf(fields.getOrDefault(field, "*")))
            .map(text -> text.replaceAll("[\\s{}\\[\\]'\"]", ""))
            .toList());
  }
}
