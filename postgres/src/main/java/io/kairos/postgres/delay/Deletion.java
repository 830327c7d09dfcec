package io.kairos.postgres.delay;

import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.engine.delay.port.Claimed;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Sql;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Deletes fired messages. Nearly always every message of the batch is there, under its pair and
 * without amendments, and one statement that returns a count does it. Otherwise that is undone and
 * the batch deleted again, by a statement that says for each row what it was.
 */
final class Deletion {
  private static final Sql ALL = Sql.load(Deletion.class, "delete_fired.sql");
  private static final Sql EACH = Sql.load(Deletion.class, "delete_fired_each.sql");
  private static final Sql DECIDE_REST = Sql.load(Deletion.class, "decide_rest.sql");

  private Deletion() {}

  private record Gone(int route, String id, UUID holder, boolean amended) {
    Key key() {
      return new Key(route, id);
    }
  }

  private record Key(int route, String id) {
    static Key of(Claimed claimed) {
      return new Key(claimed.message().route().value(), claimed.message().id().value());
    }
  }

  /** Returns those that were not there under their pair. */
  static List<Claimed> run(Connection connection, Row<Claimed>[] rows) throws SQLException {
    try (Call call = Pairs.bind(ALL.on(connection), rows, Claimed::fence)) {
      if (call.update() == rows.length) {
        return List.of();
      }
    }
    connection.rollback();
    List<Gone> gone = deleteEach(connection, rows);
    decideRest(connection, gone.stream().filter(Gone::amended).toList());
    Set<Key> keys = new HashSet<>();
    gone.forEach(one -> keys.add(one.key()));
    List<Claimed> missing = new ArrayList<>();
    for (Row<Claimed> row : rows) {
      if (!keys.contains(Key.of(row.what()))) {
        missing.add(row.what());
      }
    }
    return missing;
  }

  private static List<Gone> deleteEach(Connection connection, Row<Claimed>[] rows)
      throws SQLException {
    List<Gone> gone = new ArrayList<>();
    try (Call call = Pairs.bind(EACH.on(connection), rows, Claimed::fence);
        ResultSet deleted = call.query()) {
      while (deleted.next()) {
        gone.add(
            new Gone(
                deleted.getInt(1),
                Columns.text(deleted, 2),
                Columns.uuid(deleted, 3),
                deleted.getBoolean(4)));
      }
    }
    return gone;
  }

  /** The messages have fired: whoever still waits with an amendment is too late. */
  private static void decideRest(Connection connection, List<Gone> amended) throws SQLException {
    if (amended.isEmpty()) {
      return;
    }
    try (Call call =
        DECIDE_REST
            .on(connection)
            .with("outcome", AmendmentOutcome.TOO_LATE.name())
            .with("routes", BinaryArray.ints(amended.stream().mapToInt(Gone::route).toArray()))
            .with(
                "ids",
                BinaryArray.texts(
                    amended.stream()
                        .map(one -> one.id().getBytes(StandardCharsets.UTF_8))
                        .toArray(byte[][]::new)))
            .with(
                "deciders",
                BinaryArray.uuids(amended.stream().map(Gone::holder).toArray(UUID[]::new)))) {
      call.update();
    }
  }
}
