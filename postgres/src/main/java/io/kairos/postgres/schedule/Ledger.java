package io.kairos.postgres.schedule;

import io.kairos.domain.schedule.fire.Decision;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.Reason;
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
import java.util.EnumSet;
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
  private static final Sql LIST_SKIPPED = Sql.load(Ledger.class, "fire_list_skipped.sql");
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
    boolean fired = query.decisions().isEmpty() || query.decisions().contains(Decision.FIRED);
    boolean skipped = query.decisions().isEmpty() || query.decisions().contains(Decision.SKIPPED);
    if (!skipped && !query.reasons().isEmpty()) {
      return List.of();
    }
    // What has fired has no reason.
    return fired && query.reasons().isEmpty()
        ? entries(LIST.on(connection).with("decisions", names(query.decisions())), query)
        : entries(LIST_SKIPPED.on(connection).with("reasons", names(reasons(query))), query);
  }

  private static Set<Reason> reasons(LedgerQuery query) {
    return query.reasons().isEmpty() ? EnumSet.allOf(Reason.class) : query.reasons();
  }

  private static List<LedgerEntry> entries(Call list, LedgerQuery query) throws SQLException {
    LedgerQuery.Place end = end(query);
    try (Call call =
            list.with("schedule_id", query.schedule().value())
                .with("from_at", micros(query.from(), Long.MIN_VALUE))
                .with("before_at", micros(end == null ? null : end.fireAt(), Long.MAX_VALUE))
                .with("before_request", end == null ? "" : end.request())
                .with("max_fires", query.limit());
        ResultSet rows = call.query()) {
      return Rows.entries(rows);
    }
  }

  /** Before which the list begins; null for the latest of all. */
  private static LedgerQuery.@Nullable Place end(LedgerQuery query) {
    LedgerQuery.Place before = query.before();
    Instant to = query.to();
    return to == null || (before != null && !before.fireAt().isAfter(to))
        ? before
        : new LedgerQuery.Place(to.plusNanos(1_000), "");
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
