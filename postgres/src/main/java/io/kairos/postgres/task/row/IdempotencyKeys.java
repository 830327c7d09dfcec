package io.kairos.postgres.task.row;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskIdempotency;
import io.kairos.domain.task.TaskIdempotency.Window;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.InsertResult.Reason;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The idempotency keys of a transaction that stores tasks, locked until it ends. A free key is
 * taken at once for the task that is about to be stored; only the lock tells if another task has
 * the key.
 */
public final class IdempotencyKeys {
  private static final SqlStatement CLAIM = SqlStatement.load("task/row/request_claim.sql");
  private static final SqlStatement LOCK = SqlStatement.load("task/row/request_lock.sql");
  private static final SqlStatement LIVE = SqlStatement.load("task/row/request_live.sql");
  private static final SqlStatement TAKE = SqlStatement.load("task/row/request_take.sql");
  private static final SqlStatement DROP = SqlStatement.load("task/row/request_drop.sql");

  private final Map<TaskId, Former> formers = new HashMap<>();
  private final Map<TaskId, Live> live = new HashMap<>();

  private IdempotencyKeys() {}

  /** The task that was stored with the key before. */
  private record Former(TaskId id, boolean whileUnfinished, boolean isOpen, boolean whileWaiting) {}

  /**
   * An unfinished task.
   *
   * @param ageMicros since it was stored; 0 for one that is not to be replaced
   * @param isDue true for one that a worker may get; false for one that is not to be replaced
   */
  private record Live(TaskState state, boolean hasOrderingKey, long ageMicros, boolean isDue) {
    /** True when the bound of a debounce has passed, so that only a worker is waited for. */
    private boolean hasWaitedFor(@Nullable Duration maxWait) {
      return maxWait != null && isDue && ageMicros >= EpochMicros.lengthOf(maxWait);
    }
  }

  /**
   * The obstacle to a task with an idempotency key.
   *
   * @param former the task that has the key
   * @param toReplacing the reason why that task cannot be replaced; null when it can be
   */
  public record Obstacle(TaskId former, @Nullable Reason toReplacing) {}

  /**
   * Locks the keys, in an order that every transaction keeps.
   *
   * @param arrivals tasks with an idempotency key, no key twice
   */
  public static IdempotencyKeys lock(Connection connection, List<ArrivingTask> arrivals) {
    IdempotencyKeys keys = new IdempotencyKeys();
    if (arrivals.isEmpty()) {
      return keys;
    }
    bindWindows(bindKeys(CLAIM.on(connection), arrivals), arrivals).update();
    bindKeys(LOCK.on(connection), arrivals)
        .each(row -> {
          TaskId asking = new TaskId(NonNullColumns.uuid(row, 1));
          TaskId having = new TaskId(NonNullColumns.uuid(row, 2));
          if (!asking.equals(having)) {
            keys.formers.put(
                asking,
                new Former(having, row.getBoolean(3), row.getBoolean(4), row.getBoolean(5)));
          }
        });
    keys.look(connection, arrivals);
    return keys;
  }

  /** Reads which of the earlier tasks live, where the decision depends on it. */
  private void look(Connection connection, List<ArrivingTask> arrivals) {
    SortedSet<TaskId> ids = new TreeSet<>();
    SortedSet<TaskId> replaced = new TreeSet<>();
    for (ArrivingTask arrival : arrivals) {
      Former former = formers.get(arrival.task().id());
      if (former != null && (former.whileUnfinished || replaces(arrival))) {
        ids.add(former.id);
        if (replaces(arrival)) {
          replaced.add(former.id);
        }
      }
    }
    if (ids.isEmpty()) {
      return;
    }
    LIVE.on(connection)
        .with("ids", ColumnBatch.uuids(ids, TaskId::value))
        .with("replaced", ColumnBatch.uuids(replaced, TaskId::value))
        .each(row ->
            live.put(
                new TaskId(NonNullColumns.uuid(row, 1)),
                new Live(
                    TaskStateColumn.of(NonNullColumns.text(row, 2)),
                    row.getBoolean(3),
                    row.getLong(4),
                    row.getBoolean(5))));
  }

  private static boolean replaces(ArrivingTask arrival) {
    return idempotency(arrival).onConflict() == TaskIdempotency.OnConflict.REPLACE;
  }

  /** Returns the obstacle to this task, which has an idempotency key; null when the key is free. */
  public @Nullable Obstacle obstacle(ArrivingTask arrival) {
    Former former = formers.get(arrival.task().id());
    if (former == null
        || (former.whileUnfinished ? !live.containsKey(former.id) : !former.isOpen)) {
      return null;
    }
    Live task = live.get(former.id);
    if (task != null
        && former.whileWaiting
        && (task.state == TaskState.PROCESSING
            || task.hasWaitedFor(idempotency(arrival).maxWait()))) {
      return null;
    }
    if (task == null || task.state == TaskState.PROCESSING) {
      return new Obstacle(former.id, Reason.NOT_WAITING);
    }
    return new Obstacle(former.id, task.hasOrderingKey ? Reason.ORDERED : null);
  }

  /**
   * Gives the keys to their new tasks.
   *
   * @param stored tasks whose idempotency key was free
   * @param refused tasks with an idempotency key that are not stored
   */
  public void settle(
      Connection connection, List<ArrivingTask> stored, Collection<ArrivingTask> refused) {
    List<ArrivingTask> takeOver =
        stored.stream().filter(arrival -> formers.containsKey(arrival.task().id())).toList();
    if (!takeOver.isEmpty()) {
      bindWindows(bindKeys(TAKE.on(connection), takeOver), takeOver).update();
    }
    List<TaskId> dropped =
        refused.stream()
            .map(arrival -> arrival.task().id())
            .filter(id -> !formers.containsKey(id))
            .toList();
    if (!dropped.isEmpty()) {
      DROP.on(connection).with("ids", ColumnBatch.uuids(dropped, TaskId::value)).update();
    }
  }

  private static TaskIdempotency idempotency(ArrivingTask arrival) {
    return requireNonNull(arrival.idempotency(), "only tasks with a key come here");
  }

  private static SqlCall bindKeys(SqlCall call, List<ArrivingTask> arrivals) {
    return call.with(
            "queue_ids", ColumnBatch.ints(arrivals, arrival -> arrival.task().queue().value()))
        .with("keys", ColumnBatch.texts(arrivals, arrival -> idempotency(arrival).storedKey()))
        .with("ids", ColumnBatch.uuids(arrivals, arrival -> arrival.task().id().value()));
  }

  private static SqlCall bindWindows(SqlCall call, List<ArrivingTask> arrivals) {
    return call.with(
            "modes", ColumnBatch.texts(arrivals, arrival -> mode(idempotency(arrival).window())))
        .with(
            "windows",
            ColumnBatch.longsOrNulls(arrivals, arrival -> micros(idempotency(arrival).window())))
        .with(
            "untils",
            ColumnBatch.longsOrNulls(
                arrivals, arrival -> untilMicros(idempotency(arrival).window())));
  }

  private static @Nullable Long micros(Window window) {
    return window instanceof Window.For(var length) ? (Long) EpochMicros.lengthOf(length) : null;
  }

  private static @Nullable Long untilMicros(Window window) {
    return window instanceof Window.Period period ? (Long) period.untilMicros() : null;
  }

  private static String mode(Window window) {
    return switch (window) {
      case Window.WhileUnfinished() -> "U";
      case Window.WhileWaiting() -> "W";
      case Window.For(_), Window.Period _ -> "T";
      case Window.Forever() -> "E";
    };
  }
}
