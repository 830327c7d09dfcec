package io.kairos.postgres.audit;

import static io.kairos.postgres.sql.NonNullColumns.text;

import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.audit.AuditRecord;
import io.kairos.engine.audit.AuditSearch;
import io.kairos.engine.audit.AuditStore;
import io.kairos.engine.audit.AuditedCall;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlDatabase;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@link AuditStore} on the table {@code audit_entry}. Writes of the node and lists for calls use
 * different connections.
 */
public record PostgresAuditStore(SqlDatabase forNode, SqlDatabase forCalls) implements AuditStore {
  private static final SqlStatement INSERT = SqlStatement.load("audit/insert.sql");
  private static final SqlStatement END = SqlStatement.load("audit/end.sql");
  private static final SqlStatement LIST = SqlStatement.load("audit/list.sql");
  private static final SqlStatement LIST_OF_CALLER = SqlStatement.load("audit/list_of_caller.sql");
  private static final SqlStatement LIST_OF_OBJECT = SqlStatement.load("audit/list_of_object.sql");
  private static final SqlStatement UNDECIDED = SqlStatement.load("audit/undecided.sql");
  private static final SqlStatement PRUNE = SqlStatement.load("audit/prune.sql");

  @Override
  public List<Long> write(List<NewEntry> entries, List<EndedCall> ended) {
    return forNode.transaction(
        "writing the audit log",
        connection -> {
          if (!ended.isEmpty()) {
            end(connection, ended);
          }
          return entries.isEmpty() ? List.of() : insert(connection, entries);
        });
  }

  private static List<Long> insert(Connection connection, List<NewEntry> entries) {
    List<AuditedCall> calls = entries.stream().map(NewEntry::call).toList();
    return INSERT
        .on(connection)
        .with("callers", ColumnBatch.texts(calls, AuditedCall::caller))
        .with("addresses", ColumnBatch.texts(calls, AuditedCall::address))
        .with("actions", ColumnBatch.texts(calls, AuditedCall::action))
        .with("kinds", ColumnBatch.texts(calls, AuditedCall::kind))
        .with("objects", ColumnBatch.texts(calls, AuditedCall::object))
        .with("details", ColumnBatch.texts(calls, AuditedCall::detail))
        .with("outcomes", ColumnBatch.texts(entries, NewEntry::outcome))
        .with("mores", ColumnBatch.longs(entries, NewEntry::more))
        .list(row -> row.getLong(1))
        .stream()
        .sorted()
        .toList();
  }

  private static void end(Connection connection, List<EndedCall> ended) {
    List<EndedCall> sorted =
        ended.stream().sorted(Comparator.comparingLong(EndedCall::number)).toList();
    END.on(connection)
        .with("ids", ColumnBatch.longs(sorted, EndedCall::number))
        .with("outcomes", ColumnBatch.texts(sorted, EndedCall::outcome))
        .update();
  }

  @Override
  public List<AuditRecord> list(AuditSearch query) {
    AuditSearch.Place end = end(query);
    return selected(query)
        .with("action", query.action())
        .with("kind", query.kind())
        .with("outcome", query.outcome())
        .with("from_at", micros(query.from(), Long.MIN_VALUE))
        .with("before_at", micros(end == null ? null : end.at(), Long.MAX_VALUE))
        .with("before_id", end == null ? 0L : end.number())
        .with("max_entries", query.limit())
        .list(PostgresAuditStore::entry);
  }

  private SqlCall selected(AuditSearch query) {
    String what = "listing the audit log";
    if (query.object() != null) {
      return forCalls
          .call(what, LIST_OF_OBJECT)
          .with("object", query.object())
          .with("caller", query.caller());
    }
    return query.caller() != null
        ? forCalls.call(what, LIST_OF_CALLER).with("caller", query.caller())
        : forCalls.call(what, LIST);
  }

  /** The place before which the list begins; the end of the time when that comes first. */
  private static AuditSearch.@Nullable Place end(AuditSearch query) {
    AuditSearch.Place before = query.before();
    Instant to = query.to();
    return to == null || (before != null && before.at().isBefore(to))
        ? before
        : new AuditSearch.Place(to, Long.MIN_VALUE);
  }

  private static long micros(@Nullable Instant instant, long otherwise) {
    return instant == null ? otherwise : EpochMicros.of(instant);
  }

  private static AuditRecord entry(ResultSet row) throws SQLException {
    return new AuditRecord(
        row.getLong(1),
        EpochMicros.toInstant(row.getLong(2)),
        new AuditedCall(
            row.getString(3), text(row, 4), text(row, 5), text(row, 6), text(row, 7), text(row, 8)),
        text(row, 9),
        row.getLong(10));
  }

  @Override
  public int undecided(Duration endedWithin, Duration lookedBack, int limit) {
    return forNode
        .call("counting undecided entries of the audit log", UNDECIDED)
        .with("ended_within_micros", EpochMicros.lengthOf(endedWithin))
        .with("looked_back_micros", EpochMicros.lengthOf(lookedBack))
        .with("max_entries", limit)
        .one(row -> row.getInt(1));
  }

  @Override
  public int prune(Duration retention, int limit) {
    return forNode
        .call("pruning the audit log", PRUNE)
        .with("retention_micros", EpochMicros.lengthOf(retention))
        .with("max_entries", limit)
        .update();
  }
}
