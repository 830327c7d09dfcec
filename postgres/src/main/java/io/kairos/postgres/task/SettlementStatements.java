package io.kairos.postgres.task;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskResult;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.ReportedBy;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.SettlementResult;
import io.kairos.engine.task.port.SettlementResult.Execution;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.EnqueuedRows.Woken;
import io.kairos.postgres.task.row.FencedRows;
import io.kairos.postgres.task.row.TaskStateColumn;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Ends attempts by one statement for each kind of settlement. Nearly every batch consists of
 * successes, which are one kind. Passes over {@link Settlement.Requeue}, which ends no attempt.
 * Used once.
 */
final class SettlementStatements {
  private static final SqlStatement ORDER = SqlStatement.load("task/settle_order.sql");
  private static final SqlStatement FINISH = SqlStatement.load("task/settle_finish.sql");
  private static final SqlStatement FAIL = SqlStatement.load("task/settle_fail.sql");
  private static final SqlStatement RETRY = SqlStatement.load("task/settle_retry.sql");
  private static final SqlStatement NOT_BEGUN = SqlStatement.load("task/settle_not_begun.sql");
  private static final SqlStatement SNOOZE = SqlStatement.load("task/settle_snooze.sql");

  private final List<Settlement> settlements;
  private final SettlementTerms terms;
  private final FailureFingerprints fingerprints;
  private final List<Part> parts = new ArrayList<>();
  private final Set<QueueId> roomIn = new HashSet<>();
  private final List<Execution> executions = new ArrayList<>();
  private final Map<FencedTask, String> traceparents = new HashMap<>();
  private final SortedMap<TaskId, TaskState> ends = new TreeMap<>();
  private final Set<FencedTask> settled = new HashSet<>();
  private boolean needsTransaction;

  /** The tasks that are settled. */
  enum Which {
    /** Those without an ordering key and limits, and for which no others wait. */
    PLAIN,
    /** Those without an ordering key and limits; the caller has {@link #ends} followed, too. */
    FOLLOWED,
    /** All; the caller has locked them, their keys and limits before, and does the same. */
    ALL;

    boolean isKeyed() {
      return this == ALL;
    }

    boolean isFollowed() {
      return this != PLAIN;
    }
  }

  private interface Part {
    Set<FencedTask> settle(Connection connection, Which which);
  }

  /**
   * The end of a task.
   *
   * @param error noted of its last attempt; null for nothing
   * @param errorClass the class of an error that is noted; empty for none
   * @param stack of an error that is noted; empty for none
   * @param fingerprint of an error that is noted; null for none
   * @param result the value of a success
   * @param by who must hold the task
   */
  private record End(
      FencedTask task,
      TaskState state,
      @Nullable String error,
      String errorClass,
      String stack,
      @Nullable String fingerprint,
      TaskResult result,
      ReportedBy by) {
    @Nullable String stateUnlessSucceeded() {
      return state == TaskState.SUCCEEDED ? null : TaskStateColumn.code(state);
    }
  }

  SettlementStatements(
      List<Settlement> settlements, SettlementTerms terms, FailureFingerprints fingerprints) {
    this.settlements = settlements;
    this.terms = terms;
    this.fingerprints = fingerprints;
    List<End> ends = new ArrayList<>();
    List<Settlement.Retry> retries = new ArrayList<>();
    List<Settlement.NotBegun> notBegun = new ArrayList<>();
    List<Settlement.Snooze> snoozes = new ArrayList<>();
    for (Settlement settlement : settlements) {
      switch (settlement) {
        case Settlement.Finish finish -> ends.add(end(finish));
        case Settlement.Retry retry -> retries.add(retry);
        case Settlement.NotBegun back -> notBegun.add(back);
        case Settlement.Snooze snooze -> snoozes.add(snooze);
        case Settlement.Requeue _ -> {
          // settled by another statement, see PostgresTaskStore
        }
      }
    }
    if (!ends.isEmpty()) {
      parts.add((connection, which) -> finish(connection, ends, false, true, which));
    }
    if (!retries.isEmpty()) {
      parts.add((connection, which) -> retry(connection, retries, which));
      needsTransaction = true;
    }
    if (!notBegun.isEmpty()) {
      parts.add((connection, which) -> notBegun(connection, notBegun, which));
      needsTransaction = true;
    }
    if (!snoozes.isEmpty()) {
      parts.add((connection, which) -> snooze(connection, snoozes, which));
      needsTransaction = true;
    }
  }

  boolean needsTransaction() {
    return needsTransaction;
  }

  /**
   * Returns the tasks that were settled.
   *
   * @param which other tasks are passed over
   */
  Set<FencedTask> run(Connection connection, Which which) {
    if (needsTransaction) {
      lockInOrder(connection, which);
    }
    for (Part part : parts) {
      settled.addAll(part.settle(connection, which));
    }
    return settled;
  }

  /**
   * Locks the rows of all statements in one order, which several statements one after the other
   * would not keep.
   */
  private void lockInOrder(Connection connection, Which which) {
    FencedRows.of(settlements, Settlement::task)
        .bind(ORDER.on(connection))
        .with("keyed", which.isKeyed())
        .with("followed", which.isFollowed())
        .execute();
  }

  /** The tasks that have ended and for which others wait. */
  SortedMap<TaskId, TaskState> ends() {
    return ends;
  }

  /**
   * Has the {@link #ends} followed, in the transaction that has settled the tasks.
   *
   * @param woken tasks that wait no more for ordering keys
   * @param onto the queues on which successors are put that are ready; null for none
   */
  SettlementResult result(Connection connection, Woken woken, @Nullable EnqueueRequest onto) {
    TaskGraphs.Followed followed =
        TaskGraphs.follow(connection, ends, EnqueuedRows.left(onto, woken.enqueued()));
    woken.add(followed.ready());
    woken.queues().addAll(roomIn);
    return new SettlementResult(
        settled, woken.queues(), executions, woken.enqueued(), traceparents, followed.isLeft());
  }

  /**
   * Returns the tasks that the statement settled, and notes the limited queues in which it made
   * room, how long the attempts took, trace contexts, and ends that others wait for.
   *
   * @param begun false for attempts that never began
   */
  private Set<FencedTask> settledBy(SqlCall call, boolean begun) {
    Set<FencedTask> changed = new HashSet<>();
    call.each(row -> {
      FencedTask task = FencedRows.read(row);
      changed.add(task);
      int limited = row.getInt(3);
      if (!row.wasNull()) {
        roomIn.add(new QueueId(limited));
      }
      long micros = row.getLong(5);
      if (begun && !row.wasNull()) {
        executions.add(new Execution(task, new QueueId(row.getInt(4)), micros));
      }
      String traceparent = row.getString(6);
      if (traceparent != null) {
        traceparents.put(task, traceparent);
      }
      String end = row.getString(7);
      if (end != null) {
        ends.put(task.id(), TaskStateColumn.of(end));
      }
    });
    return changed;
  }

  private End end(Settlement.Finish finish) {
    boolean isFailure = finish.state() == TaskState.FAILED || finish.state() == TaskState.DEAD;
    return new End(
        finish.task(),
        finish.state(),
        isFailure ? finish.error() : null,
        finish.errorClass(),
        finish.stack(),
        fingerprints.of(finish.task()),
        finish.result(),
        finish.by());
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }

  private Set<FencedTask> finish(
      Connection connection, List<End> ends, boolean onlyIfCancelled, boolean begun, Which which) {
    FencedRows<End> fenced = FencedRows.of(ends, End::task);
    boolean succeeded = ends.stream().allMatch(end -> end.state() == TaskState.SUCCEEDED);
    return settledBy(
        fenced
            .bind((succeeded ? FINISH : FAIL).on(connection))
            .with("states", fenced.texts(End::stateUnlessSucceeded).emptyIfAllNull())
            .with("errors", fenced.texts(End::error).emptyIfAllNull())
            .with("stacks", fenced.texts(end -> orNull(end.stack())).emptyIfAllNull())
            .with(
                "results",
                ColumnBatch.bytes(
                        fenced.changes(),
                        end -> end.result().isNone() ? null : end.result().value())
                    .emptyIfAllNull())
            .with(
                "result_types",
                fenced.texts(end -> orNull(end.result().contentType())).emptyIfAllNull())
            .with("classes", fenced.texts(end -> orNull(end.errorClass())).emptyIfAllNull())
            .with("fingerprints", fenced.texts(End::fingerprint).emptyIfAllNull())
            .with("workers", fenced.texts(end -> end.by().worker()))
            .with("callers", fenced.texts(end -> end.by().caller()).emptyIfAllNull())
            .with("lapsed_by", terms.lapsedBy())
            .with("believed_micros", terms.believedMicros())
            .with("only_if_cancelled", onlyIfCancelled)
            .with("keyed", which.isKeyed())
            .with("followed", which.isFollowed()),
        begun);
  }

  private Set<FencedTask> retry(
      Connection connection, List<Settlement.Retry> retries, Which which) {
    FencedRows<Settlement.Retry> fenced = FencedRows.of(retries, Settlement.Retry::task);
    Set<FencedTask> changed =
        settledBy(
            fenced
                .bind(RETRY.on(connection))
                .with(
                    "delays",
                    ColumnBatch.longs(
                        fenced.changes(), retry -> EpochMicros.lengthOf(retry.delay())))
                .with("errors", fenced.texts(Settlement.Retry::error))
                .with("classes", fenced.texts(Settlement.Retry::errorClass))
                .with("stacks", fenced.texts(retry -> orNull(retry.stack())).emptyIfAllNull())
                .with("fingerprints", fenced.texts(retry -> fingerprints.of(retry.task())))
                .with("workers", fenced.texts(retry -> retry.by().worker()))
                .with("callers", fenced.texts(retry -> retry.by().caller()).emptyIfAllNull())
                .with("lapsed_by", terms.lapsedBy())
                .with("keyed", which.isKeyed())
                .with("followed", which.isFollowed()),
            true);
    Stream<End> ends =
        retries.stream()
            .map(retry ->
                new End(
                    retry.task(),
                    TaskState.CANCELLED,
                    retry.error(),
                    retry.errorClass(),
                    retry.stack(),
                    fingerprints.of(retry.task()),
                    TaskResult.NONE,
                    retry.by()));
    return withCancelled(connection, changed, ends, true, which);
  }

  private Set<FencedTask> notBegun(
      Connection connection, List<Settlement.NotBegun> backs, Which which) {
    FencedRows<Settlement.NotBegun> fenced = FencedRows.of(backs, Settlement.NotBegun::task);
    Set<FencedTask> changed =
        settledBy(
            fenced
                .bind(NOT_BEGUN.on(connection))
                .with("workers", fenced.texts(back -> back.by().worker()))
                .with("callers", fenced.texts(back -> back.by().caller()).emptyIfAllNull())
                .with("keyed", which.isKeyed())
                .with("followed", which.isFollowed()),
            false);
    Stream<End> ends = backs.stream().map(back -> cancelled(back.task(), back.by()));
    return withCancelled(connection, changed, ends, false, which);
  }

  private Set<FencedTask> snooze(
      Connection connection, List<Settlement.Snooze> snoozes, Which which) {
    FencedRows<Settlement.Snooze> fenced = FencedRows.of(snoozes, Settlement.Snooze::task);
    Set<FencedTask> changed =
        settledBy(
            fenced
                .bind(SNOOZE.on(connection))
                .with(
                    "delays",
                    ColumnBatch.longs(
                        fenced.changes(), snooze -> EpochMicros.lengthOf(snooze.delay())))
                .with("workers", fenced.texts(snooze -> snooze.by().worker()))
                .with("callers", fenced.texts(snooze -> snooze.by().caller()).emptyIfAllNull())
                .with("believed_micros", terms.believedMicros())
                .with("keyed", which.isKeyed())
                .with("followed", which.isFollowed()),
            true);
    Stream<End> ends = snoozes.stream().map(snooze -> cancelled(snooze.task(), snooze.by()));
    return withCancelled(connection, changed, ends, true, which);
  }

  private static End cancelled(FencedTask task, ReportedBy by) {
    return new End(task, TaskState.CANCELLED, null, "", "", null, TaskResult.NONE, by);
  }

  /** Ends the tasks that did not become waiting again because their cancel was requested. */
  private Set<FencedTask> withCancelled(
      Connection connection,
      Set<FencedTask> changed,
      Stream<End> ends,
      boolean begun,
      Which which) {
    List<End> refused = ends.filter(end -> !changed.contains(end.task())).toList();
    if (!refused.isEmpty()) {
      changed.addAll(finish(connection, refused, true, begun, which));
    }
    return changed;
  }
}
