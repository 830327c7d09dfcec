package io.kairos.postgres.task;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.Settlement;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Ends attempts: one statement for each kind of settlement that is among them. What nearly every
 * batch consists of, successes, is one kind. Passes over what is not an end. Used once.
 */
final class Settling {
  private static final Sql ORDER = Sql.load(Settling.class, "settle_order.sql");
  private static final Sql FINISH = Sql.load(Settling.class, "settle_finish.sql");
  private static final Sql RETRY = Sql.load(Settling.class, "settle_retry.sql");
  private static final Sql NOT_BEGUN = Sql.load(Settling.class, "settle_not_begun.sql");

  private final List<Settlement> settlements;
  private final List<Part> parts = new ArrayList<>();
  private final Set<QueueId> roomIn = new HashSet<>();
  private boolean needsTransaction;

  private interface Part {
    Set<FencedTask> settle(Connection connection, boolean keyed) throws SQLException;
  }

  /** How a task ends, and what is noted of its last attempt; null for nothing. */
  private record End(FencedTask task, TaskState state, @Nullable String note) {}

  Settling(List<Settlement> settlements) {
    this.settlements = settlements;
    for (boolean onlyIfLapsed : new boolean[] {false, true}) {
      List<End> ends = new ArrayList<>();
      List<Settlement.Retry> retries = new ArrayList<>();
      List<FencedTask> notBegun = new ArrayList<>();
      for (Settlement settlement : settlements) {
        if (settlement.onlyIfLapsed() == onlyIfLapsed) {
          switch (settlement) {
            case Settlement.Finish finish -> ends.add(end(finish));
            case Settlement.Retry retry -> retries.add(retry);
            case Settlement.NotBegun back -> notBegun.add(back.task());
            case Settlement.Requeue _ -> {
              // is settled by itself
            }
          }
        }
      }
      if (!ends.isEmpty()) {
        parts.add((connection, keyed) -> finish(connection, ends, onlyIfLapsed, false, keyed));
      }
      if (!retries.isEmpty()) {
        parts.add((connection, keyed) -> retry(connection, retries, onlyIfLapsed, keyed));
        needsTransaction = true;
      }
      if (!notBegun.isEmpty()) {
        parts.add((connection, keyed) -> notBegun(connection, notBegun, keyed));
        needsTransaction = true;
      }
    }
    needsTransaction |= parts.size() > 1;
  }

  boolean needsTransaction() {
    return needsTransaction;
  }

  /**
   * Returns those that were settled.
   *
   * @param keyed also those of tasks with ordering keys; then tasks and keys are locked
   */
  Set<FencedTask> run(Connection connection, boolean keyed) throws SQLException {
    if (needsTransaction) {
      lockInOrder(connection, keyed);
    }
    Set<FencedTask> settled = new HashSet<>();
    for (Part part : parts) {
      settled.addAll(part.settle(connection, keyed));
    }
    return settled;
  }

  /** What more than one statement locks would otherwise be locked in any order. */
  private void lockInOrder(Connection connection, boolean keyed) throws SQLException {
    try (Call call =
        Fenced.of(settlements, Settlement::task).bind(ORDER.on(connection)).with("keyed", keyed)) {
      call.query();
    }
  }

  /** Limited queues in which it has made room. */
  Set<QueueId> roomIn() {
    return roomIn;
  }

  /** Those that the statement settled; notes in which limited queues it made room. */
  private Set<FencedTask> settledBy(Call call) throws SQLException {
    Set<FencedTask> settled = new HashSet<>();
    try (ResultSet rows = call.query()) {
      while (rows.next()) {
        settled.add(Fenced.read(rows));
        int limited = rows.getInt(3);
        if (!rows.wasNull()) {
          roomIn.add(new QueueId(limited));
        }
      }
    }
    return settled;
  }

  private static End end(Settlement.Finish finish) {
    return switch (finish.state()) {
      case FAILED, DEAD -> new End(finish.task(), finish.state(), finish.text());
      case SUCCEEDED ->
          new End(finish.task(), finish.state(), finish.text().isEmpty() ? null : finish.text());
      case CANCELLED, NEW, ENQUEUED, PROCESSING, RETRIABLE_FAILURE, BLOCKED, PAUSED ->
          new End(finish.task(), finish.state(), null);
    };
  }

  private Set<FencedTask> finish(
      Connection connection,
      List<End> ends,
      boolean onlyIfLapsed,
      boolean onlyIfCancelled,
      boolean keyed)
      throws SQLException {
    Fenced<End> fenced = Fenced.of(ends, End::task);
    try (Call call =
        fenced
            .bind(FINISH.on(connection))
            .with("states", fenced.texts(end -> States.code(end.state())))
            .with("notes", fenced.texts(End::note))
            .with("only_if_lapsed", onlyIfLapsed)
            .with("only_if_cancelled", onlyIfCancelled)
            .with("keyed", keyed)) {
      return settledBy(call);
    }
  }

  private Set<FencedTask> retry(
      Connection connection, List<Settlement.Retry> retries, boolean onlyIfLapsed, boolean keyed)
      throws SQLException {
    Fenced<Settlement.Retry> fenced = Fenced.of(retries, Settlement.Retry::task);
    long[] delays =
        fenced.wishes().stream().mapToLong(retry -> EpochMicros.lengthOf(retry.delay())).toArray();
    Set<FencedTask> settled;
    try (Call call =
        fenced
            .bind(RETRY.on(connection))
            .with("delays", BinaryArray.longs(delays))
            .with("errors", fenced.texts(Settlement.Retry::error))
            .with("only_if_lapsed", onlyIfLapsed)
            .with("keyed", keyed)) {
      settled = settledBy(call);
    }
    settled.addAll(
        cancelled(
            connection,
            retries.stream()
                .filter(retry -> !settled.contains(retry.task()))
                .map(retry -> new End(retry.task(), TaskState.CANCELLED, retry.error()))
                .toList(),
            onlyIfLapsed,
            keyed));
    return settled;
  }

  private Set<FencedTask> notBegun(Connection connection, List<FencedTask> tasks, boolean keyed)
      throws SQLException {
    Set<FencedTask> settled;
    try (Call call = Fenced.of(tasks).bind(NOT_BEGUN.on(connection)).with("keyed", keyed)) {
      settled = settledBy(call);
    }
    settled.addAll(
        cancelled(
            connection,
            tasks.stream()
                .filter(task -> !settled.contains(task))
                .map(task -> new End(task, TaskState.CANCELLED, null))
                .toList(),
            false,
            keyed));
    return settled;
  }

  /** Ends those whose cancel was asked for, which is why they were not made to wait again. */
  private Set<FencedTask> cancelled(
      Connection connection, List<End> refused, boolean onlyIfLapsed, boolean keyed)
      throws SQLException {
    return refused.isEmpty() ? Set.of() : finish(connection, refused, onlyIfLapsed, true, keyed);
  }
}
