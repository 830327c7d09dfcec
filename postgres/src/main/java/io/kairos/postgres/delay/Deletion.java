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

/**
 * Deletes fired messages. Nearly always every message of the batch is there, under its pair and
 * without amendments, and a statement that returns a count does it. Otherwise that is undone and
 * the batch deleted again, by a statement that says for each row what it was.
 */
final class Deletion {
  private static final Sql ALL = Sql.load(Deletion.class, "delete_fired.sql");
  private static final Sql EACH = Sql.load(Deletion.class, "delete_fired_each.sql");
  private static final Sql DECIDE_REST = Sql.load(Deletion.class, "decide_rest.sql");

  private Deletion() {}

  /** Returns those that were not there under their pair. Must come first in its transaction. */
  static List<Claimed> run(Connection connection, List<Pairs<Claimed>> fired) throws SQLException {
    if (deleteAll(connection, fired)) {
      return List.of();
    }
    connection.rollback();
    List<Claimed> missing = new ArrayList<>();
    for (Pairs<Claimed> pairs : fired) {
      missing.addAll(deleteEach(connection, pairs));
    }
    return missing;
  }

  private static boolean deleteAll(Connection connection, List<Pairs<Claimed>> fired)
      throws SQLException {
    for (Pairs<Claimed> pairs : fired) {
      try (Call call = pairs.bind(ALL.on(connection))) {
        if (call.update() < pairs.members().size()) {
          return false;
        }
      }
    }
    return true;
  }

  private static List<Claimed> deleteEach(Connection connection, Pairs<Claimed> pairs)
      throws SQLException {
    Set<String> gone = new HashSet<>();
    List<byte[]> amended = new ArrayList<>();
    try (Call call = pairs.bind(EACH.on(connection));
        ResultSet deleted = call.query()) {
      while (deleted.next()) {
        String id = Columns.text(deleted, 1);
        gone.add(id);
        if (deleted.getBoolean(2)) {
          amended.add(id.getBytes(StandardCharsets.UTF_8));
        }
      }
    }
    if (!amended.isEmpty()) {
      decideRest(connection, pairs, amended.toArray(byte[][]::new));
    }
    return pairs.without(gone);
  }

  /** The messages have fired: whoever still waits with an amendment is too late. */
  private static void decideRest(Connection connection, Pairs<Claimed> pairs, byte[][] amended)
      throws SQLException {
    try (Call call =
        DECIDE_REST
            .on(connection)
            .with("outcome", AmendmentOutcome.TOO_LATE.name())
            .with("decided_by", pairs.holder().value())
            .with("route", pairs.route().value())
            .with("ids", BinaryArray.texts(amended))) {
      call.update();
    }
  }
}
