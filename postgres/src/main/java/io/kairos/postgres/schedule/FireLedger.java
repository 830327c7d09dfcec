package io.kairos.postgres.schedule;

import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.fire.FireDecision;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.SkipCause;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.schedule.port.LedgerQuery;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The ledger of decisions on fire times. */
final class FireLedger {
  private static final SqlStatement INSERT = SqlStatement.load("schedule/fire_insert.sql");
  private static final SqlStatement LIST = SqlStatement.load("schedule/fire_list.sql");
  private static final SqlStatement LIST_SKIPPED =
      SqlStatement.load("schedule/fire_list_skipped.sql");

  private FireLedger() {}

  /** A decision and its schedule. */
  record Line(ScheduleId schedule, LedgerEntry entry) {
    private Identity identity() {
      return new Identity(schedule, EpochMicros.of(entry.fireAt()), entry.request());
    }
  }

  /** The primary key of a decision. */
  private record Identity(ScheduleId schedule, long fireAtMicros, String request) {}

  /**
   * Notes decisions.
   *
   * @return those that were not noted before, in their order
   */
  static List<LedgerEntry> insert(Connection connection, List<Line> lines) {
    if (lines.isEmpty()) {
      return List.of();
    }
    List<LedgerEntry> entries = lines.stream().map(Line::entry).toList();
    Set<Identity> fresh =
        INSERT
            .on(connection)
            .with("schedule_ids", ColumnBatch.uuids(lines, line -> line.schedule.value()))
            .with("fire_ats", ColumnBatch.longs(entries, entry -> EpochMicros.of(entry.fireAt())))
            .with("requests", ColumnBatch.texts(entries, LedgerEntry::request))
            .with("untils", ColumnBatch.longs(entries, entry -> EpochMicros.of(entry.until())))
            .with("counts", ColumnBatch.longsOrNulls(entries, LedgerEntry::count))
            .with("decisions", ColumnBatch.texts(entries, entry -> entry.decision().name()))
            .with("reasons", ColumnBatch.texts(entries, LedgerEntry::reason, SkipCause::name))
            .with("causes", ColumnBatch.texts(entries, entry -> entry.cause().name()))
            .with(
                "decided_ats",
                ColumnBatch.longs(entries, entry -> EpochMicros.of(entry.decidedAt())))
            .with(
                "run_ats",
                ColumnBatch.longsOrNulls(entries, entry -> DefinitionRows.micros(entry.runAt())))
            .with("runs", ColumnBatch.texts(entries, LedgerEntry::run, TaskId::toString))
            .set(row ->
                new Identity(
                    new ScheduleId(NonNullColumns.uuid(row, 1)),
                    row.getLong(2),
                    NonNullColumns.text(row, 3)));
    return lines.stream().filter(line -> fresh.contains(line.identity())).map(Line::entry).toList();
  }

  static List<LedgerEntry> list(Connection connection, LedgerQuery query) {
    boolean fired = query.decisions().isEmpty() || query.decisions().contains(FireDecision.FIRED);
    boolean skipped =
        query.decisions().isEmpty() || query.decisions().contains(FireDecision.SKIPPED);
    if (!skipped && !query.reasons().isEmpty()) {
      return List.of();
    }
    // A fire time that has fired has no reason.
    return fired && query.reasons().isEmpty()
        ? entries(LIST.on(connection).with("decisions", names(query.decisions())), query)
        : entries(LIST_SKIPPED.on(connection).with("reasons", names(reasons(query))), query);
  }

  private static Set<SkipCause> reasons(LedgerQuery query) {
    return query.reasons().isEmpty() ? EnumSet.allOf(SkipCause.class) : query.reasons();
  }

  private static List<LedgerEntry> entries(SqlCall list, LedgerQuery query) {
    LedgerQuery.PageStart end = end(query);
    return list.with("schedule_id", query.schedule().value())
        .with("from_at", micros(query.from(), Long.MIN_VALUE))
        .with("before_at", micros(end == null ? null : end.fireAt(), Long.MAX_VALUE))
        .with("before_request", end == null ? "" : end.request())
        .with("max_fires", query.limit())
        .list(ScheduleRows::entry);
  }

  /** The place before which the list begins; null for the latest entry. */
  private static LedgerQuery.@Nullable PageStart end(LedgerQuery query) {
    LedgerQuery.PageStart before = query.before();
    Instant to = query.to();
    return to == null || (before != null && !before.fireAt().isAfter(to))
        ? before
        : new LedgerQuery.PageStart(to.plusNanos(1_000), "");
  }

  static BinaryArray names(Set<? extends Enum<?>> values) {
    return ColumnBatch.texts(
        values.stream().<String>map(Enum::name).sorted().toList(), name -> name);
  }

  private static long micros(@Nullable Instant instant, long otherwise) {
    return instant == null ? otherwise : EpochMicros.of(instant);
  }
}
