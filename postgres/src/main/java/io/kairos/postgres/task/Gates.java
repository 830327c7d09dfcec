package io.kairos.postgres.task;

import io.kairos.domain.task.CollectionName;
import io.kairos.domain.task.TaskHandler;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.Gate;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Database;
import io.kairos.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gates before handlers and collections, and what they leave to do: each gate in a transaction of
 * its own, which holds the gate while it looks.
 */
final class Gates {
  private static final Sql LOCK = Sql.load(Gates.class, "gate_lock.sql");
  private static final Sql SET = Sql.load(Gates.class, "gate_set.sql");
  private static final Sql LIFT = Sql.load(Gates.class, "gate_lift.sql");
  private static final Sql LIST = Sql.load(Gates.class, "gate_list.sql");
  private static final Sql CHECK = Sql.load(Gates.class, "gate_check.sql");
  private static final Sql WAIT = Sql.load(Gates.class, "gate_wait.sql");
  private static final Sql WAKE = Sql.load(Gates.class, "gate_wake.sql");
  private static final Sql REMOVE = Sql.load(Gates.class, "gate_remove.sql");
  private static final Sql DROP_LOCK = Sql.load(Gates.class, "gate_drop_lock.sql");

  private static final String WHOLE_HANDLER = "";

  private Gates() {}

  /** Needs a transaction. */
  static int set(Connection connection, Gate gate) throws SQLException {
    try (Call call = LOCK.on(connection)) {
      call.update();
    }
    Instant until = gate.until();
    try (Call call =
        named(SET.on(connection), gate.handler(), gate.collection())
            .with("mode", code(gate.mode()))
            .withOptional("until", until == null ? null : EpochMicros.of(until))
            .with("note", gate.note())) {
      return call.update();
    }
  }

  static boolean lift(
      Connection connection, TaskHandler handler, @Nullable CollectionName collection)
      throws SQLException {
    try (Call call = named(LIFT.on(connection), handler, collection)) {
      return call.update() > 0;
    }
  }

  static List<Gate.Closed> list(Connection connection, boolean toTend) throws SQLException {
    List<Gate.Closed> gates = new ArrayList<>();
    try (Call call = LIST.on(connection).with("to_tend", toTend);
        ResultSet rows = call.query()) {
      while (rows.next()) {
        long until = rows.getLong(4);
        boolean hasEnd = !rows.wasNull();
        String collection = Columns.text(rows, 2);
        gates.add(
            new Gate.Closed(
                new Gate(
                    TaskHandler.ofWireName(Columns.text(rows, 1)),
                    collection.equals(WHOLE_HANDLER) ? null : new CollectionName(collection),
                    mode(Columns.text(rows, 3)),
                    hasEnd ? EpochMicros.toInstant(until) : null,
                    Columns.text(rows, 5)),
                EpochMicros.toInstant(rows.getLong(6))));
      }
    }
    return gates;
  }

  /** See {@link io.kairos.engine.task.port.QueueStore#tendGates}. */
  static int tend(Database database, int limit) {
    int changed = 0;
    List<Gate.Closed> gates =
        database.single("reading gates", connection -> list(connection, true));
    for (Gate.Closed closed : gates) {
      changed +=
          database.transaction(
              "tending a gate", connection -> tend(connection, closed.gate(), limit));
    }
    return changed;
  }

  private static int tend(Connection connection, Gate gate, int limit) throws SQLException {
    boolean isOpen;
    String error;
    try (Call call = named(CHECK.on(connection), gate.handler(), gate.collection());
        ResultSet row = call.query()) {
      if (!row.next()) {
        return 0;
      }
      isOpen = row.getBoolean(1);
      if (!isOpen && mode(Columns.text(row, 2)) != Gate.Mode.DROP) {
        return 0;
      }
      error = "dropped: " + Columns.text(row, 3);
    }
    return isOpen ? open(connection, gate, limit) : drop(connection, gate, error, limit);
  }

  private static int open(Connection connection, Gate gate, int limit) throws SQLException {
    int woken;
    try (Call call =
        named(WAKE.on(connection), gate.handler(), gate.collection()).with("max_tasks", limit)) {
      woken = call.update();
    }
    if (woken == 0) {
      try (Call call = named(WAIT.on(connection), gate.handler(), gate.collection())) {
        call.query();
      }
      try (Call call = named(REMOVE.on(connection), gate.handler(), gate.collection())) {
        call.update();
      }
    }
    return woken;
  }

  private static int drop(Connection connection, Gate gate, String error, int limit)
      throws SQLException {
    try (Call lock =
        named(DROP_LOCK.on(connection), gate.handler(), gate.collection())
            .with("max_tasks", limit)) {
      return Ending.lockAndEnd(connection, lock, TaskState.CANCELLED, error);
    }
  }

  private static Call named(Call call, TaskHandler handler, @Nullable CollectionName collection)
      throws SQLException {
    return call.with("handler", handler.wireName())
        .with("collection", collection == null ? WHOLE_HANDLER : collection.value());
  }

  private static String code(Gate.Mode mode) {
    return switch (mode) {
      case PAUSE -> "P";
      case DROP -> "D";
    };
  }

  private static Gate.Mode mode(String code) {
    return switch (code) {
      case "P" -> Gate.Mode.PAUSE;
      case "D" -> Gate.Mode.DROP;
      default -> throw new IllegalStateException("the schema allows no gate " + code);
    };
  }
}
