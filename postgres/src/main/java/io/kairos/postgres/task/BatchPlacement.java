package io.kairos.postgres.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.batch.BatchCounts;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.InsertResult.BatchReason;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.row.LockWaits;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The batches that new tasks of one transaction join. They are locked after quotas and just before
 * the tasks are written, so that calls for one batch wait for each other only that long.
 */
final class BatchPlacement {
  private static final SqlStatement LOCK = SqlStatement.load("task/batch/add_lock.sql");
  private static final SqlStatement ADD = SqlStatement.load("task/batch/add.sql");

  private final Map<BatchId, Open> batches = new HashMap<>();

  /** A batch, with the tasks that have joined and those that are about to. */
  private record Open(boolean isClosed, long total, Set<QueueId> queues) {
    Open joined(long tasks) {
      return new Open(isClosed, total + tasks, queues);
    }
  }

  private BatchPlacement() {}

  /**
   * Locks the batches of tasks that may be stored.
   *
   * @param longestWait for the locks, when there are such batches
   */
  static BatchPlacement lock(
      Connection connection, List<ArrivingTask> arrivals, Duration longestWait) {
    BatchPlacement placement = new BatchPlacement();
    NavigableSet<BatchId> ids = new TreeSet<>();
    for (ArrivingTask arrival : arrivals) {
      BatchId batch = arrival.task().batch();
      if (batch != null) {
        ids.add(batch);
      }
    }
    if (!ids.isEmpty()) {
      LockWaits.bound(connection, longestWait);
      LOCK.on(connection)
          .with("ids", ColumnBatch.uuids(ids, BatchId::value))
          .each(row -> {
            Set<QueueId> queues = new HashSet<>();
            for (Integer queue :
                (Integer[]) requireNonNull(requireNonNull(row.getArray(4)).getArray())) {
              queues.add(new QueueId(queue));
            }
            placement.batches.put(
                new BatchId(NonNullColumns.uuid(row, 1)),
                new Open(row.getBoolean(2), row.getLong(3), queues));
          });
    }
    return placement;
  }

  /**
   * The refusal of a request by a batch; null for none.
   *
   * @param fresh those of its tasks that are not stored yet
   */
  @Nullable InsertResult refusal(InsertRequest request, List<ArrivingTask> fresh) {
    Map<BatchId, Long> joining = new HashMap<>();
    for (ArrivingTask arrival : fresh) {
      BatchId batch = arrival.task().batch();
      if (batch == null) {
        continue;
      }
      long joins = joining.getOrDefault(batch, 0L) + 1;
      joining.put(batch, joins);
      BatchReason reason = refusal(batches.get(batch), arrival.task().queue(), joins);
      if (reason != null) {
        return new InsertResult.NotInBatch(request.arrivals().indexOf(arrival), batch, reason);
      }
    }
    return null;
  }

  private static @Nullable BatchReason refusal(@Nullable Open batch, QueueId queue, long joins) {
    if (batch == null) {
      return BatchReason.UNKNOWN;
    }
    if (!batch.queues.contains(queue)) {
      return BatchReason.OF_OTHER_HANDLER; // first: how it is, is nothing to callers of others
    }
    if (batch.isClosed) {
      return BatchReason.CLOSED;
    }
    return batch.total + joins > BatchCounts.MOST_TASKS ? BatchReason.FULL : null;
  }

  /** Counts tasks that will join, so that later requests of the transaction find less room. */
  void take(List<ArrivingTask> fresh) {
    for (ArrivingTask arrival : fresh) {
      BatchId batch = arrival.task().batch();
      if (batch != null) {
        batches.computeIfPresent(batch, (_, open) -> open.joined(1));
      }
    }
  }

  private record Member(BatchId batch, ArrivingTask task) {}

  /** Has tasks that were just stored join their batches. */
  static void join(Connection connection, List<ArrivingTask> stored) {
    List<Member> members = new ArrayList<>();
    for (ArrivingTask arrival : stored) {
      BatchId batch = arrival.task().batch();
      if (batch != null) {
        members.add(new Member(batch, arrival));
      }
    }
    if (members.isEmpty()) {
      return;
    }
    members.sort(
        Comparator.comparing(Member::batch).thenComparing(member -> member.task().task().id()));
    ADD.on(connection)
        .with("batches", ColumnBatch.uuids(members, member -> member.batch().value()))
        .with("tasks", ColumnBatch.uuids(members, member -> member.task().task().id().value()))
        .update();
  }
}
