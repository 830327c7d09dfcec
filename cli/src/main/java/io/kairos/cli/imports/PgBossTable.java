package io.kairos.cli.imports;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.ScheduleSpec.CatchUp;
import io.kairos.client.ScheduleSpec.Overlap;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Reads the schedules of pg-boss from its table {@code schedule}, of versions with and without keys
 * and kinds. The data of a schedule becomes the payload.
 */
public record PgBossTable(ImportSource reading) {
  private static final Set<String> COLUMNS =
      Set.of(
          "name",
          "key",
          "kind",
          "cron",
          "timezone",
          "data",
          "options",
          "created_on",
          "updated_on",
          "last_job_id");

  /**
   * Reads all schedules.
   *
   * @param schema {@code pgboss} by default in pg-boss
   */
  public void read(Connection connection, String schema) throws SQLException {
    try (PreparedStatement rows =
            connection.prepareStatement(ImportStatement.load("pgboss_schedules", schema));
        ResultSet row = rows.executeQuery()) {
      ResultSetMetaData columns = row.getMetaData();
      while (row.next()) {
        Map<String, String> texts = new LinkedHashMap<>();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
          String text = row.getString(i);
          if (text != null) {
            texts.put(columns.getColumnLabel(i).toLowerCase(Locale.ROOT), text);
          }
        }
        schedule(texts);
      }
    }
  }

  private void schedule(Map<String, String> row) {
    String queue = row.getOrDefault("name", "");
    String key = row.getOrDefault("key", "");
    String rule = row.getOrDefault("cron", "");
    String zone = row.getOrDefault("timezone", "UTC");
    String name = key.isEmpty() ? queue : queue + "/" + key;
    Map<String, String> values = new LinkedHashMap<>();
    values.put("name", name);
    values.put("queue", queue);
    values.put("key", key);
    ScheduleSpec.Builder spec =
        reading.spec(values).overlap(Overlap.ALLOW_ALL).catchUp(CatchUp.NONE).zone(zone);
    List<String> remarks = new ArrayList<>();
    row.keySet().stream()
        .filter(column -> !COLUMNS.contains(column))
        .forEach(column -> remarks.add("column " + column + " is not taken over"));
    try {
      String data = row.get("data");
      if (data != null) {
        spec.payload(data);
      }
      options(row.getOrDefault("options", "{}"), spec, remarks);
      CronFires fires =
          switch (row.getOrDefault("kind", "cron")) {
            case "cron" -> {
              spec.cron(rule);
              yield CronFires.of(rule, ZoneId.of(zone), false, reading);
            }
            case "rrule" -> {
              spec.rrule(rule);
              yield CronFires.UNKNOWN;
            }
            default ->
                throw new IllegalArgumentException(
                    "is a schedule of the kind " + row.get("kind") + ", which is not known");
          };
      reading.add(
          new ForeignSchedule(
              name, rule + " " + zone, spec.build(), fires.fires(), fires.known(), false, remarks));
    } catch (IllegalArgumentException
        | DateTimeException
        | ArithmeticException
        | JsonParseException e) {
      reading.pass(name, rule + " " + zone, String.valueOf(e.getMessage()));
    }
  }

  private static void options(String text, ScheduleSpec.Builder spec, List<String> remarks) {
    JsonElement json = JsonParser.parseString(text);
    JsonObject options = json.isJsonObject() ? json.getAsJsonObject() : new JsonObject();
    for (Map.Entry<String, JsonElement> option : options.entrySet()) {
      switch (option.getKey()) {
        case "tz", "key" -> {} // columns of their own
        case "missed" -> spec.catchUp(missed(option.getValue()));
        default -> remarks.add("option " + option.getKey() + " is not taken over");
      }
    }
  }

  private static CatchUp missed(JsonElement policy) {
    return switch (policy.toString()) {
      case "\"all\"" -> CatchUp.ALL;
      case "\"once\"" -> CatchUp.LATEST;
      default -> CatchUp.NONE; // as pg-boss reads an unknown word
    };
  }
}
