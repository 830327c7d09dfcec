package io.kairos.postgres.schedule;

import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.ScheduleId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.schedule.port.LedgerQuery;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Sql;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The fire ledger. */
final class Ledger {
  private static final Sql INSERT = Sql.load(Ledger.class, "fire_insert.sql");
  private static final Sql LIST = Sql.load(Ledger.class, "fire_list.sql");
  private static final Sql PRUNE = Sql.load(Ledger.class, "fire_prune.sql");

  private Ledger() {}

  /** A decision and whose it is. */
  record Line(ScheduleId schedule, LedgerEntry entry) {
    Identity identity() {
      return new Identity(schedule, EpochMicros.of(entry.fireAt()), entry.request());
    }
  }

  /** Of one decision for ever. */
  record Identity(ScheduleId schedule, long fireAtMicros, String request) {}

  /** Notes decisions; returns those that are new. */
  static Set<Identity> insert(Connection connection, List<Line> lines) throws SQLException {
    if (lines.isEmpty()) {
      return Set.of();
    }
    Set<Identity> fresh = new HashSet<>();
    try (Call call =
            INSERT
                .on(connection)
                .with(
                    "schedule_ids",
                    BinaryArray.uuids(
                        lines.stream().map(line -> line.schedule.value()).toArray(UUID[]::new)))
                .with("fire_ats", longs(lines, entry -> EpochMicros.of(entry.fireAt())))
                .with("requests", texts(lines, LedgerEntry::request))
                .with("untils", longs(lines, entry -> EpochMicros.of(entry.until())))
                .with("counts", longs(lines, LedgerEntry::count))
                .with("decisions", texts(lines, entry -> entry.decision().name()))
                .with("reasons", texts(lines, Ledger::reason))
                .with("causes", texts(lines, entry -> entry.cause().name()))
                .with("decided_ats", longs(lines, entry -> EpochMicros.of(entry.decidedAt())))
                .with("run_ats", longs(lines, entry -> Definitions.micros(entry.runAt())))
                .with("runs", texts(lines, Ledger::run));
        ResultSet rows = call.query()) {
      while (rows.next()) {
        fresh.add(
            new Identity(
                new ScheduleId(Columns.uuid(rows, 1)), rows.getLong(2), Columns.text(rows, 3)));
      }
    }
    return fresh;
  }

  private static @Nullable String reason(LedgerEntry entry) {
    return entry.reason() == null ? null : entry.reason().name();
  }

  private static @Nullable String run(LedgerEntry entry) {
    return entry.run() == null ? null : entry.run().toString();
  }

  private static BinaryArray longs(List<Line> lines, Function<LedgerEntry, @Nullable Long> column) {
    long[] values = new long[lines.size()];
    boolean[] nulls = new boolean[values.length];
    for (int i = 0; i < values.length; i++) {
      Long value = column.apply(lines.get(i).entry);
      nulls[i] = value == null;
      values[i] = value == null ? 0 : value;
    }
    return BinaryArray.longs(values, nulls);
  }

  private static BinaryArray texts(
      List<Line> lines, Function<LedgerEntry, @Nullable String> column) {
    byte[] @Nullable [] utf8 = new byte[lines.size()][];
    for (int i = 0; i < utf8.length; i++) {
      String value = column.apply(lines.get(i).entry);
      utf8[i] = value == null ? null : value.getBytes(StandardCharsets.UTF_8);
    }
    return BinaryArray.texts(utf8);
  }

  static List<LedgerEntry> list(Connection connection, LedgerQuery query) throws SQLException {
    LedgerQuery.Place before = query.before();
    try (Call call =
            LIST.on(connection)
                .with("schedule_id", query.schedule().value())
                .with("from_at", micros(query.from(), Long.MIN_VALUE))
                .with("to_at", micros(query.to(), Long.MAX_VALUE))
                .with("before_at", micros(before == null ? null : before.fireAt(), Long.MAX_VALUE))
                .with("before_request", before == null ? "" : before.request())
                .with("decisions", names(query.decisions()))
                .with("reasons", names(query.reasons()))
                .with("max_fires", query.limit());
        ResultSet rows = call.query()) {
      return Rows.entries(rows);
    }
  }

  static BinaryArray names(Set<? extends Enum<?>> values) {
    return Definitions.texts(values.stream().<String>map(Enum::name).sorted().toList());
  }

  private static long micros(@Nullable Instant instant, long otherwise) {
    return instant == null ? otherwise : EpochMicros.of(instant);
  }

  static int prune(Connection connection, long retentionMicros, int limit) throws SQLException {
    try (Call call =
        PRUNE.on(connection).with("retention_micros", retentionMicros).with("max_fires", limit)) {
      return call.update();
    }
  }
}
