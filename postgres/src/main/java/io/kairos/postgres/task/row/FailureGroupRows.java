package io.kairos.postgres.task.row;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.operator.FailureGroup;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlDatabase;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Groups of failed tasks, of each of which the statement returns a row for each hour. */
public final class FailureGroupRows {
  private static final SqlStatement FAILURES = SqlStatement.load("task/failures.sql");
  private static final SqlStatement FORGET = SqlStatement.load("task/failures_forget.sql");

  /** Tasks that nodes of an earlier version have ended; they end with the upgrade. */
  private static final int MOST_UNNOTED = 2_000;

  /** The most entries of which one call looks for tasks that have failed no more. */
  private static final int MOST_FORGOTTEN = 20_000;

  private FailureGroupRows() {}

  /** The part of a group that ended in one hour. */
  private record Hour(
      TaskHandler handler,
      String fingerprint,
      int ago,
      int tasks,
      long firstEnded,
      long lastEnded,
      List<TaskId> samples,
      boolean hasLatest,
      String errorClass,
      String error) {
    static Hour read(ResultSet row) throws SQLException {
      return new Hour(
          TaskHandler.ofWireName(NonNullColumns.text(row, 1)),
          NonNullColumns.text(row, 2),
          row.getInt(3),
          row.getInt(4),
          row.getLong(5),
          row.getLong(6),
          Arrays.stream((UUID[]) requireNonNull(row.getArray(7)).getArray())
              .map(TaskId::new)
              .toList(),
          row.getBoolean(10),
          text(row, 11),
          text(row, 12));
    }

    private static String text(ResultSet row, int column) throws SQLException {
      return requireNonNullElse(row.getString(column), "");
    }

    boolean isOfGroupOf(Hour other) {
      return handler.equals(other.handler) && fingerprint.equals(other.fingerprint);
    }
  }

  /**
   * The hours of all groups, and whether there may be more tasks than were examined.
   *
   * @param hours those of one group after each other
   */
  private record Found(List<Hour> hours, boolean isCut) {
    static Found of(SqlDatabase database, FailureGroup.Query query) {
      @Nullable Long from = query.endedFromMicros();
      List<Hour> hours = new ArrayList<>();
      boolean[] isCut = {false};
      database
          .call("grouping failures", FAILURES)
          .with("handler", query.handler(), TaskHandler::wireName)
          .with("ended_from", from == null ? Long.MIN_VALUE : from)
          .with("hours", FailureGroup.HOURS)
          .with("max_examined", FailureGroup.MOST_EXAMINED)
          .with("max_unnoted", MOST_UNNOTED)
          .with("max_groups", query.limit() + 1)
          .with("most_samples", FailureGroup.MOST_SAMPLES)
          .each(row -> {
            isCut[0] = row.getInt(8) >= FailureGroup.MOST_EXAMINED || row.getInt(9) >= MOST_UNNOTED;
            if (row.getString(1) != null) {
              hours.add(Hour.read(row));
            }
          });
      return new Found(hours, isCut[0]);
    }

    /** When the latest of a group ended, where that task has not failed any more; null for none. */
    private @Nullable Long staleUntil() {
      Long until = null;
      for (int i = 0; i < hours.size(); i++) {
        Hour hour = hours.get(i);
        boolean isFirst = i == 0 || !hour.isOfGroupOf(hours.get(i - 1));
        if (isFirst && !hour.hasLatest()) {
          until = until == null ? hour.lastEnded() : (Long) Math.max(until, hour.lastEnded());
        }
      }
      return until;
    }
  }

  /** Lists groups. Forgets errors of tasks that have not failed any more when it meets some. */
  public static FailureGroup.Listing list(SqlDatabase database, FailureGroup.Query query) {
    Found found = Found.of(database, query);
    Long staleUntil = found.staleUntil();
    if (staleUntil != null) {
      database
          .call("forgetting failures", FORGET)
          .with("until", staleUntil)
          .with("max_looked", MOST_FORGOTTEN)
          .update();
      found = Found.of(database, query);
    }
    List<Hour> hours = found.hours();
    List<FailureGroup> groups = new ArrayList<>();
    for (int begin = 0, end; begin < hours.size(); begin = end) {
      Hour latest = hours.get(begin);
      end = begin + 1;
      while (end < hours.size() && hours.get(end).isOfGroupOf(latest)) {
        end++;
      }
      groups.add(group(hours.subList(begin, end)));
    }
    boolean isCut = groups.size() > query.limit() || found.isCut();
    return new FailureGroup.Listing(
        groups.subList(0, Math.min(groups.size(), query.limit())), isCut);
  }

  /**
   * Adds up the hours of a group.
   *
   * @param hours the latest first; of a handler with several queues several for one hour
   */
  private static FailureGroup group(List<Hour> hours) {
    Hour latest = hours.getFirst();
    int[] byHour = new int[FailureGroup.HOURS];
    for (Hour hour : hours) {
      if (hour.ago() < FailureGroup.HOURS) {
        byHour[FailureGroup.HOURS - 1 - hour.ago()] += hour.tasks();
      }
    }
    return new FailureGroup(
        latest.handler(),
        latest.fingerprint(),
        latest.errorClass(),
        latest.error(),
        hours.stream().mapToInt(Hour::tasks).sum(),
        EpochMicros.toInstant(hours.stream().mapToLong(Hour::firstEnded).min().orElseThrow()),
        EpochMicros.toInstant(latest.lastEnded()),
        hours.stream()
            .flatMap(hour -> hour.samples().stream())
            .limit(FailureGroup.MOST_SAMPLES)
            .toList(),
        Arrays.stream(byHour).boxed().toList());
  }
}
