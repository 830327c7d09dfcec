package io.kairos.postgres.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.Idempotency;
import io.kairos.domain.task.Idempotency.Window;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.Arrival;
import io.kairos.postgres.sql.Batch;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;

/**
 * The idempotency keys of a transaction that stores tasks, locked until it ends. A key that nobody
 * has is taken at once, for the task that is about to be stored; whether another task has it is
 * known only under the lock.
 */
final class IdempotencyKeys {
  private static final Sql CLAIM = Sql.load(IdempotencyKeys.class, "request_claim.sql");
  private static final Sql LOCK = Sql.load(IdempotencyKeys.class, "request_lock.sql");
  private static final Sql LIVE = Sql.load(IdempotencyKeys.class, "request_live.sql");
  private static final Sql TAKE = Sql.load(IdempotencyKeys.class, "request_take.sql");
  private static final Sql DROP = Sql.load(IdempotencyKeys.class, "request_drop.sql");

  private final Map<TaskId, Former> formers = new HashMap<>();
  private final Map<TaskId, Live> live = new HashMap<>();

  private IdempotencyKeys() {}

  /** The task that was stored with the key before. */
  private record Former(TaskId id, boolean whileUnfinished, boolean isOpen) {}

  /** An unfinished task. */
  private record Live(TaskState state, boolean hasOrderingKey) {
    boolean isReplaceable() {
      return state != TaskState.PROCESSING;
    }
  }

  /** What stands in the way of a task. */
  enum Finding {
    /** Nothing: its key is free. */
    FREE,
    /** A task that waits. */
    WAITS,
    /** A task that waits and has an ordering key. */
    ORDERED,
    /** A task that is being performed or has ended. */
    BEYOND
  }

  /**
   * @param arrivals those with an idempotency key, none twice
   */
  static IdempotencyKeys lock(Connection connection, List<Arrival> arrivals) throws SQLException {
    IdempotencyKeys keys = new IdempotencyKeys();
    if (arrivals.isEmpty()) {
      return keys;
    }
    try (Call call = bindWindows(bindKeys(CLAIM.on(connection), arrivals), arrivals)) {
      call.update();
    }
    try (Call call = bindKeys(LOCK.on(connection), arrivals);
        ResultSet rows = call.query()) {
      while (rows.next()) {
        TaskId asking = new TaskId(Columns.uuid(rows, 1));
        TaskId having = new TaskId(Columns.uuid(rows, 2));
        if (!asking.equals(having)) {
          keys.formers.put(asking, new Former(having, rows.getBoolean(3), rows.getBoolean(4)));
        }
      }
    }
    keys.look(connection, arrivals);
    return keys;
  }

  /** Which of those that are in the way live, where that matters. */
  private void look(Connection connection, List<Arrival> arrivals) throws SQLException {
    SortedSet<TaskId> ids = new TreeSet<>();
    SortedSet<TaskId> replaced = new TreeSet<>();
    for (Arrival arrival : arrivals) {
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
    try (Call call = LIVE.on(connection).with("ids", uuids(ids)).with("replaced", uuids(replaced));
        ResultSet rows = call.query()) {
      while (rows.next()) {
        live.put(
            new TaskId(Columns.uuid(rows, 1)),
            new Live(States.of(Columns.text(rows, 2)), rows.getBoolean(3)));
      }
    }
  }

  private static BinaryArray uuids(SortedSet<TaskId> ids) {
    return BinaryArray.uuids(ids.stream().map(TaskId::value).toArray(UUID[]::new));
  }

  private static boolean replaces(Arrival arrival) {
    return idempotency(arrival).onConflict() == Idempotency.OnConflict.REPLACE;
  }

  /** What stands in the way of this task, which has a key. */
  Finding inTheWayOf(Arrival arrival) {
    Former former = formers.get(arrival.task().id());
    if (former == null
        || (former.whileUnfinished ? !live.containsKey(former.id) : !former.isOpen)) {
      return Finding.FREE;
    }
    Live task = live.get(former.id);
    if (task == null || !task.isReplaceable()) {
      return Finding.BEYOND;
    }
    return task.hasOrderingKey ? Finding.ORDERED : Finding.WAITS;
  }

  /** The task that stands in the way. */
  TaskId former(Arrival arrival) {
    return requireNonNull(formers.get(arrival.task().id()), "nothing is in its way").id;
  }

  /**
   * Notes for which tasks the keys stand from now on.
   *
   * @param stored arrivals with a key that was free
   * @param refused arrivals with a key that are not stored, for whatever reason
   */
  void settle(Connection connection, List<Arrival> stored, Collection<Arrival> refused)
      throws SQLException {
    List<Arrival> takeOver =
        stored.stream().filter(arrival -> formers.containsKey(arrival.task().id())).toList();
    if (!takeOver.isEmpty()) {
      try (Call call = bindWindows(bindKeys(TAKE.on(connection), takeOver), takeOver)) {
        call.update();
      }
    }
    UUID[] dropped =
        refused.stream()
            .map(arrival -> arrival.task().id())
            .filter(id -> !formers.containsKey(id))
            .map(TaskId::value)
            .toArray(UUID[]::new);
    if (dropped.length > 0) {
      try (Call call = DROP.on(connection).with("ids", BinaryArray.uuids(dropped))) {
        call.update();
      }
    }
  }

  private static Idempotency idempotency(Arrival arrival) {
    return requireNonNull(arrival.idempotency(), "only tasks with a key come here");
  }

  private static Call bindKeys(Call call, List<Arrival> arrivals) throws SQLException {
    return call.with(
            "queue_ids",
            BinaryArray.ints(
                arrivals.stream().mapToInt(arrival -> arrival.task().queue().value()).toArray()))
        .with("keys", Batch.texts(arrivals, arrival -> idempotency(arrival).key()))
        .with(
            "ids",
            BinaryArray.uuids(
                arrivals.stream()
                    .map(arrival -> arrival.task().id().value())
                    .toArray(UUID[]::new)));
  }

  private static Call bindWindows(Call call, List<Arrival> arrivals) throws SQLException {
    long[] micros = new long[arrivals.size()];
    boolean[] none = new boolean[micros.length];
    for (int i = 0; i < micros.length; i++) {
      if (idempotency(arrivals.get(i)).window() instanceof Window.For(var length)) {
        micros[i] = EpochMicros.lengthOf(length);
      } else {
        none[i] = true;
      }
    }
    return call.with("modes", Batch.texts(arrivals, arrival -> mode(idempotency(arrival).window())))
        .with("windows", BinaryArray.longs(micros, none));
  }

  private static String mode(Window window) {
    return switch (window) {
      case Window.WhileUnfinished() -> "U";
      case Window.For(_) -> "T";
      case Window.Forever() -> "E";
    };
  }
}
