package io.kairos.postgres.task;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.batch.BatchCounts;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.batch.BatchName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.batch.BatchCancel;
import io.kairos.engine.task.port.batch.BatchCreation;
import io.kairos.engine.task.port.batch.BatchQuery;
import io.kairos.engine.task.port.batch.BatchStore;
import io.kairos.engine.task.port.batch.BatchView;
import io.kairos.engine.task.port.batch.CountedBatches;
import io.kairos.engine.task.port.batch.NewBatch;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.NullableColumns;
import io.kairos.postgres.sql.SqlDatabase;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.row.LockWaits;
import io.kairos.postgres.task.row.TaskStateColumn;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * {@link BatchStore} on {@code task_batch}, {@code task_batch_member} and {@code task_batch_end}.
 * What ends a task notes it in the last of these, and {@link #countBatches} moves the notes into
 * the row of the batch; a look at a batch adds up both. Locks come in this order: tasks, keys,
 * quotas, batches by id; waiting for the end of a batch excludes its end alone.
 *
 * @param database connections for the node's own work
 * @param calls connections for callers
 * @param noted where the counting is
 */
record PostgresBatches(SqlDatabase database, SqlDatabase calls, NotedEnds noted)
    implements BatchStore {
  private static final SqlStatement ANY = SqlStatement.load("task/batch/any.sql");
  private static final SqlStatement INSERT = SqlStatement.load("task/batch/insert.sql");
  private static final SqlStatement FIND = SqlStatement.load("task/batch/find.sql");
  private static final SqlStatement FIND_NAME = SqlStatement.load("task/batch/find_name.sql");
  private static final SqlStatement LIST = SqlStatement.load("task/batch/list.sql");
  private static final SqlStatement CLOSE = SqlStatement.load("task/batch/close.sql");
  private static final SqlStatement CANCEL_FIND = SqlStatement.load("task/batch/cancel_find.sql");
  private static final SqlStatement CANCEL_LOCK = SqlStatement.load("task/batch/cancel_lock.sql");
  private static final SqlStatement COUNT = SqlStatement.load("task/batch/count.sql");
  private static final SqlStatement DUE = SqlStatement.load("task/batch/due.sql");
  private static final SqlStatement LOCK = SqlStatement.load("task/batch/lock.sql");
  private static final SqlStatement END = SqlStatement.load("task/batch/end.sql");
  private static final SqlStatement REOPEN = SqlStatement.load("task/batch/reopen.sql");
  private static final SqlStatement PRUNE_LOCK = SqlStatement.load("task/batch/prune_lock.sql");
  private static final SqlStatement PRUNE_MEMBERS =
      SqlStatement.load("task/batch/prune_members.sql");
  private static final SqlStatement PRUNE_BEGIN = SqlStatement.load("task/batch/prune_begin.sql");
  private static final SqlStatement PRUNE = SqlStatement.load("task/batch/prune.sql");

  /** The migration that brought batches. */
  private static final int SINCE = 18;

  /** The most tasks that one call passes over to find those that it cancels. */
  private static final int MOST_WALKED = TaskViews.MOST_LOOKED;

  @Override
  public BatchCreation createBatch(NewBatch batch) {
    return calls.transaction("creating a batch", connection -> create(connection, batch));
  }

  private static BatchCreation create(Connection connection, NewBatch batch) {
    int older = OlderNodes.count(connection, ANY, SINCE);
    if (older > 0) {
      return new BatchCreation.OlderNodes(older);
    }
    BatchName name = batch.name();
    boolean isNew =
        INSERT
                .on(connection)
                .with("id", batch.id().value())
                .with("handler", batch.handler().wireName())
                .with("name", name, BatchName::value)
                .with("created_by", batch.createdBy())
                .update()
            > 0;
    BatchView stored =
        isNew || name == null
            ? find(connection, batch.id()).orElseThrow()
            : FIND_NAME
                .on(connection)
                .with("handler", batch.handler().wireName())
                .with("name", name.value())
                .one(PostgresBatches::view);
    return new BatchCreation.Stored(stored, isNew);
  }

  @Override
  public Optional<BatchView> findBatch(BatchId id) {
    return calls.single("reading a batch", connection -> find(connection, id));
  }

  private static Optional<BatchView> find(Connection connection, BatchId id) {
    return FIND.on(connection).with("id", id.value()).optional(PostgresBatches::view);
  }

  @Override
  public List<BatchView> listBatches(BatchQuery query) {
    BatchId before = query.before();
    return calls
        .call("listing batches", LIST)
        .with("handler", query.handler(), TaskHandler::wireName)
        .with("before", before == null ? TaskViews.LAST : before.value())
        .with("max_batches", query.limit())
        .list(PostgresBatches::view);
  }

  private static BatchView view(ResultSet row) throws SQLException {
    return new BatchView(
        new BatchId(NonNullColumns.uuid(row, 1)),
        TaskHandler.ofWireName(NonNullColumns.text(row, 2)),
        NullableColumns.text(row, 3, BatchName::new),
        EpochMicros.toInstant(row.getLong(4)),
        row.getString(5),
        new BatchCounts(
            row.getLong(6), row.getLong(7), row.getLong(8), row.getLong(9), row.getLong(10)),
        NullableColumns.number(row, 11, EpochMicros::toInstant),
        NullableColumns.text(row, 12, TaskStateColumn::of),
        NullableColumns.number(row, 13, EpochMicros::toInstant));
  }

  @Override
  public boolean closeBatch(BatchId id) {
    return calls.call("closing a batch", CLOSE).with("id", id.value()).update() > 0;
  }

  @Override
  public BatchCancel cancelBatch(BatchId id, @Nullable TaskId before, int limit) {
    return calls.transaction(
        "cancelling a batch", connection -> cancel(connection, id, before, limit));
  }

  /** Tasks are found without locks, then locked in the order of their ids if they still match. */
  private static BatchCancel cancel(
      Connection connection, BatchId id, @Nullable TaskId before, int limit) {
    List<TaskId> found = new ArrayList<>();
    Optional<TaskId> walkedTo =
        CANCEL_FIND
            .on(connection)
            .with("id", id.value())
            .with("before", before == null ? TaskViews.LAST : before.value())
            .with("max_walked", MOST_WALKED)
            .with("max_tasks", limit)
            .list(row -> {
              TaskId task = NullableColumns.uuid(row, 2, TaskId::new);
              if (task != null) {
                found.add(task);
              }
              return Optional.ofNullable(NullableColumns.uuid(row, 1, TaskId::new));
            })
            .getFirst();
    TaskId next = found.size() == limit ? found.getLast() : walkedTo.orElse(null);
    if (found.isEmpty()) {
      return new BatchCancel(0, next);
    }
    BinaryArray sorted = ColumnBatch.uuids(found.stream().sorted().toList(), TaskId::value);
    return new BatchCancel(
        TaskChanges.cancelLocked(connection, CANCEL_LOCK.on(connection).with("ids", sorted)), next);
  }

  @Override
  public CountedBatches countBatches(int limit) {
    NotedEnds.Page page = moveEnds(limit);
    List<BatchId> due =
        database
            .call("looking for batches that end", DUE)
            .with("max_batches", limit)
            .list(row -> new BatchId(NonNullColumns.uuid(row, 1)));
    AtomicInteger ended = new AtomicInteger();
    LockWaits waits = new LockWaits();
    for (BatchId batch : due) {
      waits.together(
          List.of(batch),
          (_, longestWait) -> {
            if (database.transaction(
                "ending a batch", connection -> end(connection, batch, longestWait))) {
              ended.incrementAndGet();
            }
          },
          _ -> {});
    }
    // those that are due and could not end are looked at in a second
    boolean hasMore = page.found() >= limit || ended.get() >= limit;
    return new CountedBatches(page.moved(), ended.get(), hasMore);
  }

  private NotedEnds.Page moveEnds(int limit) {
    long after = noted.after();
    NotedEnds.Page page = moveEnds(after, limit);
    return page.moved() == 0 && noted.isWithin(after) ? moveEnds(noted.after(), limit) : page;
  }

  private NotedEnds.Page moveEnds(long after, int limit) {
    NotedEnds.Page page =
        database
            .call("counting ends of batches", COUNT)
            .with("after", after)
            .with("max_ends", limit)
            .one(row ->
                new NotedEnds.Page(row.getInt(1), row.getInt(2), row.getLong(3), row.getLong(4)));
    noted.passed(page, limit);
    return page;
  }

  /**
   * Ends a batch unless a task of it is unfinished after all. The counts are read once the batch is
   * locked: a task that is put back after that takes the end from the batch again. Waits for those
   * who begin to wait for the batch: there may always be some.
   */
  private static boolean end(Connection connection, BatchId id, Duration longestWait) {
    LockWaits.bound(connection, longestWait);
    if (!LOCK.on(connection).with("id", id.value()).any()) {
      return false;
    }
    BatchCounts counts = find(connection, id).orElseThrow().counts();
    if (counts.unfinished() != 0) {
      return false;
    }
    END.on(connection)
        .with("id", id.value())
        .with("state", TaskStateColumn.code(counts.end()))
        .update();
    return true;
  }

  /** Takes their ends from the batches of tasks that were just put back. */
  static void reopen(Connection connection, Collection<TaskId> tasks) {
    REOPEN.on(connection).with("ids", ColumnBatch.uuids(tasks, TaskId::value)).update();
  }

  @Override
  public int pruneBatches(TaskState end, Duration retention, int limit) {
    return database.transaction(
        "pruning batches",
        connection -> {
          List<BatchId> old =
              PRUNE_LOCK
                  .on(connection)
                  .with("state", TaskStateColumn.code(end))
                  .with("retention_micros", EpochMicros.lengthOf(retention))
                  .with("max_batches", limit)
                  .list(row -> new BatchId(NonNullColumns.uuid(row, 1)));
          if (old.isEmpty()) {
            return 0;
          }
          BinaryArray ids = ColumnBatch.uuids(old, BatchId::value);
          int members =
              PRUNE_MEMBERS.on(connection).with("ids", ids).with("max_tasks", limit).update();
          int removed = PRUNE.on(connection).with("ids", ids).update();
          if (removed < old.size()) {
            PRUNE_BEGIN.on(connection).with("ids", ids).update();
          }
          return members + removed;
        });
  }
}
