package io.kairos.cli.imports;

import io.kairos.cli.imports.ForeignSchedule.Known;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.ScheduleSpec.CatchUp;
import io.kairos.client.ScheduleSpec.Overlap;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the recurring jobs of JobRunr from its table. The details of a job, with class, method and
 * parameters, become the payload as JobRunr's JSON.
 */
public record JobRunrTable(ImportSource reading) {
  private static final Set<String> FIELDS =
      Set.of(
          "version",
          "jobSignature",
          "jobName",
          "jobDetails",
          "id",
          "scheduleExpression",
          "cronExpression",
          "zoneId",
          "createdAt",
          "createdBy");

  /**
   * Reads all recurring jobs.
   *
   * @param prefix prefix of the tables, such as a schema with a dot; empty by default in JobRunr
   */
  public void read(Connection connection, String prefix) throws SQLException {
    try (PreparedStatement rows =
            connection.prepareStatement(ImportStatement.load("jobrunr_recurring_jobs", prefix));
        ResultSet row = rows.executeQuery()) {
      while (row.next()) {
        // Older versions pad the id with blanks.
        job(ImportStatement.text(row, "id").strip(), ImportStatement.text(row, "jobasjson"));
      }
    }
  }

  private void job(String id, String json) {
    String original = "recurring job";
    try {
      JsonFields job = JsonFields.parse(json);
      String rule =
          job.text(job.has("scheduleExpression") ? "scheduleExpression" : "cronExpression");
      String zone = job.text("zoneId");
      original = rule + " " + zone;
      add(id, rule, zone, job);
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      reading.pass(id, original, String.valueOf(e.getMessage()));
    }
  }

  private void add(String id, String rule, String zone, JsonFields job) {
    JobRunrDetails details = JobRunrDetails.of(job);
    Map<String, String> values = new LinkedHashMap<>();
    values.put("id", id);
    values.putAll(details.values());
    if (rule.contains("[")) {
      throw new IllegalArgumentException(
          "is carbon-aware, which has no counterpart here: give it a plain expression");
    }
    ScheduleSpec.Builder spec =
        reading.spec(values).overlap(Overlap.SKIP).catchUp(CatchUp.NONE).payload(details.payload());
    List<String> remarks = new ArrayList<>();
    remarks.add("job " + job.text("jobSignature") + "; overlap skip, as JobRunr does");
    job.object().keySet().stream()
        .filter(field -> !FIELDS.contains(field) && job.has(field))
        .forEach(field -> remarks.add(field + " is not taken over"));
    CronFires fires;
    if (rule.startsWith("P")) {
      Duration interval = Duration.parse(rule);
      Instant created = job.time("createdAt");
      spec.every(interval).startAt(created.truncatedTo(ChronoUnit.SECONDS));
      remarks.add("fires at the whole second, up to 1 s earlier than there");
      fires = interval(created.truncatedTo(ChronoUnit.SECONDS), interval);
    } else {
      spec.cron(rule).zone(zone);
      fires = CronFires.of(rule, ZoneId.of(zone), false, reading);
    }
    reading.add(
        new ForeignSchedule(
            id, rule + " " + zone, spec.build(), fires.fires(), fires.known(), false, remarks));
  }

  /** JobRunr counts an interval from the creation of the recurring job. */
  private CronFires interval(Instant created, Duration interval) {
    if (interval.toMillis() <= 0) {
      throw new IllegalArgumentException("has the interval " + interval + ": it must be positive");
    }
    long passed = Math.max(0, Duration.between(created, reading.now()).dividedBy(interval));
    List<Instant> fires = new ArrayList<>();
    for (int i = 1; i <= reading.count(); i++) {
      fires.add(created.plus(interval.multipliedBy(passed + i)));
    }
    return new CronFires(fires, Known.NEXT);
  }
}
