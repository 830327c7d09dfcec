package io.kairos.cli.imports;

import io.kairos.client.ScheduleSpec;
import io.kairos.client.ScheduleSpec.CatchUp;
import io.kairos.client.ScheduleSpec.Overlap;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the YAML file of sidekiq-cron or sidekiq-scheduler. The arguments become the payload, a
 * JSON array as Sidekiq stores it.
 */
public final class SidekiqFile {
  private static final Set<String> FIELDS =
      Set.of(
          "cron", "every", "class", "args", "timezone", "status", "enabled", "description", "name");

  private SidekiqFile() {}

  /**
   * Reads a whole file.
   *
   * @param file name of the file, for messages
   * @param zone time zone of expressions that name none
   */
  public static void read(String file, String text, ZoneId zone, ImportSource into) {
    Map<String, Object> root = ScheduleTree.load(file, text);
    // sidekiq-scheduler nests its schedules in Sidekiq's settings.
    Map<String, Object> settings =
        root.containsKey("scheduler") ? ScheduleTree.map(root.get("scheduler")) : root;
    Object nested = settings.get("schedule");
    boolean isNested =
        nested instanceof Map<?, ?> map && !ScheduleTree.map(map).containsKey("class");
    Map<String, Object> jobs = isNested ? ScheduleTree.map(nested) : root;
    jobs.forEach((name, job) -> job(file + ":" + name, name, ScheduleTree.map(job), zone, into));
  }

  private static void job(
      String place, String name, Map<String, Object> job, ZoneId zone, ImportSource into) {
    String original = "";
    try {
      boolean isCron = job.containsKey("cron");
      if (!isCron && !job.containsKey("every")) {
        throw new IllegalArgumentException("has neither cron nor every");
      }
      // sidekiq-scheduler: a rule may be followed by options.
      Object value = job.get(isCron ? "cron" : "every");
      List<?> parts = value instanceof List<?> list ? list : List.of(String.valueOf(value));
      if (parts.isEmpty()) {
        throw new IllegalArgumentException("has an empty rule");
      }
      String rule = String.valueOf(parts.getFirst()).strip();
      original = rule;
      List<String> remarks = new ArrayList<>();
      if (parts.size() > 1) {
        remarks.add(
            "the options of its rule are not taken over: " + ScheduleTree.json(parts.get(1)));
      }
      remarks.addAll(ScheduleTree.remarks(job, FIELDS));
      Map<String, String> values = new LinkedHashMap<>();
      values.put("name", name);
      values.put("class", ScheduleTree.text(job, "class").replace("::", "."));
      values.put("queue", String.valueOf(job.getOrDefault("queue", "default")));
      Rule split = isCron ? Rule.of(rule, job, zone) : new Rule("@every " + rule, zone);
      Object args = job.getOrDefault("args", List.of());
      ScheduleSpec.Builder spec =
          into.spec(values)
              .cron(split.expression)
              .zone(split.zone)
              .overlap(Overlap.ALLOW_ALL)
              .catchUp(CatchUp.NONE)
              .payload(ScheduleTree.json(args instanceof List<?> ? args : List.of(args)));
      CronFires fires = CronFires.of(split.expression, split.zone, false, into);
      boolean paused =
          "disabled".equals(job.get("status")) || Boolean.FALSE.equals(job.get("enabled"));
      into.add(
          new ForeignSchedule(
              place,
              split.expression + " " + split.zone,
              spec.build(),
              fires.fires(),
              fires.known(),
              paused,
              remarks));
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      into.pass(place, original, String.valueOf(e.getMessage()));
    }
  }

  private record Rule(String expression, ZoneId zone) {
    /** An expression of Fugit may end with a time zone. */
    static Rule of(String rule, Map<String, Object> job, ZoneId zone) {
      if (rule.matches("(?i)every\\s.*")) {
        throw new IllegalArgumentException(
            "is in natural language: write it as a cron expression first");
      }
      int last = rule.lastIndexOf(' ');
      String word = rule.substring(last + 1);
      if (last > 0 && word.matches("[A-Z][A-Za-z_]+/[A-Za-z_/+-]+\\d*|UTC|Z")) {
        return new Rule(rule.substring(0, last).strip(), ZoneId.of(word));
      }
      boolean named = job.containsKey("timezone");
      return new Rule(rule, named ? ScheduleTree.zone(job, "timezone") : zone);
    }
  }
}
