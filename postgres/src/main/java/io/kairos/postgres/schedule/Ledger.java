package io.kairos.postgres.schedule;

import io.kairos.domain.schedule.fire.Decision;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.Reason;
import io.kairos.domain.schedule.fire.ScheduleId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.schedule.port.LedgerQuery;
import io.kairos.postgres.sql.Batch;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
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
    List<LedgerEntry> entries = lines.stream().map(Line::entry).toList();
    Set<Identity> fresh = new HashSet<>();
    try (Call call =
            INSERT
                .on(connection)
                .with(
                    "schedule_ids",
                    BinaryArray.uuids(
                        lines.stream().map(line -> line.schedule.value()).toArray(UUID[]::new)))
                .with("fire_ats", Batch.longs(entries, entry -> EpochMicros.of(entry.fireAt())))
                .with("requests", Batch.texts(entries, LedgerEntry::request))
                .with("untils", Batch.longs(entries, entry -> EpochMicros.of(entry.until())))
                .with("counts", Batch.longs(entries, LedgerEntry::count))
                .with("decisions", Batch.texts(entries, entry -> entry.decision().name()))
                .with("reasons", Batch.texts(entries, Ledger::reason))
                .with("causes", Batch.texts(entries, entry -> entry.cause().name()))
                .with(
                    "decided_ats", Batch.longs(entries, entry -> EpochMicros.of(entry.decidedAt())))
                .with("run_ats", Batch.longs(entries, entry -> Definitions.micros(entry.runAt())))
                .with("runs", Batch.texts(entries, Ledger::run));
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
    return Batch.texts(values.stream().<String>map(Enum::name).sorted().toList(), name -> name);
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
