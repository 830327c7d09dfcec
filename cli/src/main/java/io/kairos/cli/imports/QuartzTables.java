package io.kairos.cli.imports;

import io.kairos.client.ScheduleSpec;
import io.kairos.client.ScheduleSpec.CatchUp;
import io.kairos.client.ScheduleSpec.Dialect;
import io.kairos.client.ScheduleSpec.Overlap;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.text.ParseException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import org.quartz.CronExpression;

/**
 * Reads the cron triggers and simple triggers of a clustered Quartz from its tables. Quartz's own
 * classes compute the next fire times.
 *
 * @param zone time zone of triggers that name none
 */
public record QuartzTables(ZoneId zone, ImportSource reading) {
  private static final int MISFIRE_IGNORE = -1;
  private static final int CRON_DO_NOTHING = 2;
  private static final int SIMPLE_NEXT_REMAINING = 4;
  private static final int SIMPLE_NEXT_EXISTING = 5;
  private static final String DEFAULT_GROUP = "DEFAULT";

  /**
   * Reads all triggers.
   *
   * @param prefix prefix of the tables, {@code QRTZ_} by default in Quartz
   */
  public void read(Connection connection, String prefix) throws SQLException {
    try (PreparedStatement triggers =
            connection.prepareStatement(ImportStatement.load("quartz_triggers", prefix));
        ResultSet row = triggers.executeQuery()) {
      while (row.next()) {
        trigger(row);
      }
    }
  }

  private void trigger(ResultSet row) throws SQLException {
    String place =
        "%s %s.%s"
            .formatted(
                ImportStatement.text(row, "sched_name"),
                ImportStatement.text(row, "trigger_group"),
                ImportStatement.text(row, "trigger_name"));
    String type = ImportStatement.text(row, "trigger_type");
    try {
      trigger(place, type, row);
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      reading.pass(place, type, String.valueOf(e.getMessage()));
    }
  }

  private void trigger(String place, String type, ResultSet row) throws SQLException {
    String name = ImportStatement.text(row, "trigger_name");
    String group = ImportStatement.text(row, "trigger_group");
    String state = ImportStatement.text(row, "trigger_state");
    if (state.equals("COMPLETE")) {
      reading.pass(place, type, "has ended: it will not fire again");
      return;
    }
    Map<String, String> values = new LinkedHashMap<>();
    String job = ImportStatement.text(row, "job_class_name");
    values.put("name", group.equals(DEFAULT_GROUP) ? name : group + "/" + name);
    values.put("trigger", name);
    values.put("group", group);
    values.put("job", ImportStatement.text(row, "job_name"));
    values.put("class", job.substring(job.lastIndexOf('.') + 1));
    boolean alone = row.getBoolean("is_nonconcurrent");
    ScheduleSpec.Builder spec =
        reading
            .spec(values)
            .overlap(alone ? Overlap.BUFFER_ONE : Overlap.ALLOW_ALL)
            .catchUp(catchUp(type, row.getInt("misfire_instr")));
    List<String> remarks = new ArrayList<>();
    remarks.add("job " + job + "; its job data is not taken over");
    @Nullable String calendar = row.getString("calendar_name");
    if (calendar != null) {
      spec.onlyDuring(calendar);
      remarks.add(
          "calendar "
              + calendar
              + " is a Java object in the tables: a business calendar of this name must"
              + " exist here;"
              + " the original's fire times are shown without it");
    }
    Instant start = Instant.ofEpochMilli(row.getLong("start_time"));
    long last = row.getLong("end_time");
    Instant end = last > 0 ? end(type, start, Instant.ofEpochMilli(last)) : Instant.MAX;
    if (start.isAfter(reading.now())) {
      spec.startAt(start);
    }
    if (last > 0) {
      spec.endAt(end);
    }
    Origin origin = new Origin(place, start, end, state.contains("PAUSED"), remarks);
    switch (type) {
      case "CRON" -> cron(row, spec, origin);
      case "SIMPLE" -> simple(row, spec, origin);
      default ->
          reading.pass(
              place, type, "is a trigger of the type " + type + ", which has no counterpart here");
    }
  }

  /**
   * Returns the exclusive end of a trigger. A cron trigger, which fires at whole seconds, also
   * fires at its end time. A simple trigger fires only before its end time, which is moved to the
   * whole second together with its start.
   */
  private static Instant end(String type, Instant start, Instant end) {
    return type.equals("CRON")
        ? end.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1)
        : end.minus(Duration.between(start.truncatedTo(ChronoUnit.SECONDS), start));
  }

  private record Origin(
      String place, Instant start, Instant end, boolean paused, List<String> remarks) {}

  private static CatchUp catchUp(String type, int misfire) {
    if (misfire == MISFIRE_IGNORE) {
      return CatchUp.ALL;
    }
    boolean none =
        type.equals("CRON")
            ? misfire == CRON_DO_NOTHING
            : misfire == SIMPLE_NEXT_REMAINING || misfire == SIMPLE_NEXT_EXISTING;
    return none ? CatchUp.NONE : CatchUp.LATEST;
  }

  private void cron(ResultSet row, ScheduleSpec.Builder spec, Origin origin) throws SQLException {
    String expression = ImportStatement.text(row, "cron_expression");
    @Nullable String named = row.getString("time_zone_id");
    String zoneName = named == null ? zone.getId() : named;
    spec.cron(expression, Dialect.QUARTZ).zone(zoneName);
    add(spec, origin, expression + " " + zoneName, fires(expression, zoneName, origin));
  }

  /** Returns the next fire times; null when Quartz cannot parse the expression. */
  private @Nullable List<Instant> fires(String expression, String zoneName, Origin origin) {
    List<Instant> fires = new ArrayList<>();
    try {
      CronExpression cron = new CronExpression(expression);
      cron.setTimeZone(TimeZone.getTimeZone(zoneName));
      Instant from =
          origin.start.isAfter(reading.now()) ? origin.start.minusMillis(1) : reading.now();
      Date next = cron.getNextValidTimeAfter(Date.from(from));
      while (next != null
          && fires.size() < reading.count()
          && next.toInstant().isBefore(origin.end)) {
        fires.add(next.toInstant());
        next = cron.getNextValidTimeAfter(next);
      }
    } catch (ParseException e) {
      origin.remarks.add("Quartz itself does not read its expression: " + e.getMessage());
      return null;
    }
    return fires;
  }

  private void simple(ResultSet row, ScheduleSpec.Builder spec, Origin origin) throws SQLException {
    long interval = row.getLong("repeat_interval");
    long repeats = row.getLong("repeat_count");
    long next = row.getLong("next_fire_time");
    if (next <= 0) {
      reading.pass(origin.place, "SIMPLE", "has ended: it will not fire again");
      return;
    }
    Instant start = whole(origin.start, origin);
    Instant first = whole(Instant.ofEpochMilli(next), origin);
    spec.startAt(start);
    if (repeats == 0 || interval == 0) {
      add(
          spec.at(first),
          origin,
          "once at " + first,
          first.isAfter(reading.now()) ? List.of(first) : List.of());
      return;
    }
    long left = repeats < 0 ? Long.MAX_VALUE : repeats + 1 - row.getLong("times_triggered");
    spec.every(Duration.ofMillis(interval));
    if (repeats > 0) {
      spec.maxRuns(Math.max(1, left));
    }
    List<Instant> fires = new ArrayList<>();
    long periods = Math.max(0, Duration.between(first, reading.now()).toMillis() / interval + 1);
    Instant at = first.isAfter(reading.now()) ? first : first.plusMillis(periods * interval);
    while (fires.size() < Math.min(reading.count(), left) && at.isBefore(origin.end)) {
      fires.add(at);
      at = at.plusMillis(interval);
    }
    add(spec, origin, "every " + Duration.ofMillis(interval), fires);
  }

  /** Quartz counts from the millisecond of the trigger's start; schedules fire at whole seconds. */
  private static Instant whole(Instant time, Origin origin) {
    Instant second = time.truncatedTo(ChronoUnit.SECONDS);
    String remark = "fires at the whole second, up to 1 s earlier than there";
    if (!second.equals(time) && !origin.remarks.contains(remark)) {
      origin.remarks.add(remark);
    }
    return second;
  }

  private ForeignSchedule.Known known(@Nullable List<Instant> fires) {
    if (fires == null) {
      return ForeignSchedule.Known.NOTHING;
    }
    return fires.size() < reading.count() ? ForeignSchedule.Known.ALL : ForeignSchedule.Known.NEXT;
  }

  private void add(
      ScheduleSpec.Builder spec, Origin origin, String original, @Nullable List<Instant> fires) {
    reading.add(
        new ForeignSchedule(
            origin.place,
            original,
            spec.build(),
            fires == null ? List.of() : fires,
            known(fires),
            origin.paused,
            origin.remarks));
  }
}
