package io.kairos.postgres.task;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.FairEnqueueRequest;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.task.row.FencedRows;
import io.kairos.postgres.task.row.TaskDetailsColumns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads the rows that statements return which put tasks on queues. */
final class EnqueuedRows {
  private static final int DETAILS = 8;

  /** Enqueues no task, so that its node does not matter. */
  private static final EnqueueRequest NOWHERE =
      new EnqueueRequest(new NodeId(new UUID(0, 0)), Map.of(), 0, Duration.ZERO, Duration.ZERO);

  private EnqueuedRows() {}

  /**
   * Tasks that wait no more for an ordering key or for other tasks.
   *
   * @param queues the queues of the tasks that wait for their turn, without those that were
   *     enqueued
   * @param enqueued the tasks that were enqueued
   */
  record Woken(Set<QueueId> queues, List<EnqueuedTask> enqueued) {
    Woken() {
      this(new HashSet<>(), new ArrayList<>());
    }

    void add(Woken more) {
      queues.addAll(more.queues);
      enqueued.addAll(more.enqueued);
    }
  }

  /**
   * Runs a statement that wakes tasks and puts them on queues, as far as these have room.
   *
   * @param onto the node and its room; null to put none on queues
   */
  static Woken wake(SqlCall call, @Nullable EnqueueRequest onto) {
    Woken woken = new Woken();
    bind(call, onto == null ? NOWHERE : onto)
        .each(row -> {
          EnqueuedTask enqueued = read(row);
          if (enqueued == null) {
            woken.queues.add(queue(row));
          } else {
            woken.enqueued.add(enqueued);
          }
        });
    return woken;
  }

  /** What is left of the room of a node; null for none. */
  static @Nullable EnqueueRequest left(@Nullable EnqueueRequest onto, List<EnqueuedTask> enqueued) {
    return onto == null || enqueued.isEmpty() ? onto : onto.without(enqueued);
  }

  /** Sets the parameters of a statement that puts tasks on queues. */
  static SqlCall bind(SqlCall call, EnqueueRequest request) {
    List<Map.Entry<QueueId, Integer>> limits =
        request.limits().entrySet().stream()
            .filter(entry -> entry.getValue() > 0)
            .sorted(Comparator.comparingInt(entry -> entry.getKey().value()))
            .toList();
    return call.with("queue_ids", ColumnBatch.ints(limits, entry -> entry.getKey().value()))
        .with("limits", ColumnBatch.ints(limits, Map.Entry::getValue))
        .with("node", request.node().toString())
        .with("max_bytes", request.maxBytes())
        .with("ahead_micros", EpochMicros.lengthOf(request.ahead()))
        .with("enqueue_timeout_micros", EpochMicros.lengthOf(request.enqueueTimeout()));
  }

  /** Sets the parameters of the statement for a queue with fairness keys. */
  static SqlCall bind(SqlCall call, FairEnqueueRequest request) {
    return call.with("queue_id", request.queue().value())
        .with("max_tasks", request.limit())
        .with("max_keys", request.maxKeys())
        .with("without", ColumnBatch.texts(request.without(), key -> key))
        .with("after", request.after())
        .with("node", request.node().toString())
        .with("max_bytes", request.maxBytes())
        .with("ahead_micros", EpochMicros.lengthOf(request.ahead()))
        .with("enqueue_timeout_micros", EpochMicros.lengthOf(request.enqueueTimeout()));
  }

  /**
   * A row of the statement for a queue with fairness keys.
   *
   * @param isChanged false when no task was found
   * @param task null for a task that was not put on a queue
   * @param isWhole true when all keys were looked at
   * @param firstKey the first key that was looked at; null for none
   * @param lastKey the last key that may be looked at; null when there are not so many
   * @param beforeCut the key before the first one whose tasks did not fit; null for none
   */
  record FairRow(
      boolean isChanged,
      @Nullable EnqueuedTask task,
      boolean isWhole,
      @Nullable String firstKey,
      @Nullable String lastKey,
      @Nullable String beforeCut) {
    /** The key after which the next search begins; null for where this one has begun. */
    @Nullable String next() {
      if (beforeCut != null) {
        return beforeCut;
      }
      return isWhole ? firstKey : lastKey;
    }

    static FairRow read(ResultSet row) throws SQLException {
      int first = DETAILS + TaskDetailsColumns.COUNT;
      return new FairRow(
          row.getString(1) != null,
          EnqueuedRows.read(row),
          row.getBoolean(first),
          row.getString(first + 1),
          row.getString(first + 2),
          row.getString(first + 3));
    }
  }

  /** Returns null for a task that was not put on a queue; its row has no payload. */
  static @Nullable EnqueuedTask read(ResultSet row) throws SQLException {
    byte[] payload = row.getBytes(DETAILS);
    return payload == null
        ? null
        : new EnqueuedTask(
            FencedRows.read(row),
            queue(row),
            row.getLong(4),
            row.getLong(5),
            row.getInt(6),
            KeyRows.key(row, 7),
            TaskDetailsColumns.read(row, DETAILS, payload));
  }

  static QueueId queue(ResultSet row) throws SQLException {
    return new QueueId(row.getInt(3));
  }
}
