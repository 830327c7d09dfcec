package io.kairos.postgres.delay;

import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Deletes fired messages. Nearly always every message of the batch is there, with its fence and
 * without amendments, and a statement that returns a count deletes the batch. Otherwise the
 * transaction is rolled back, and another statement deletes the batch and returns each row.
 */
final class MessageDeletion {
  private static final SqlStatement ALL = SqlStatement.load("delay/delete_fired.sql");
  private static final SqlStatement EACH = SqlStatement.load("delay/delete_fired_each.sql");
  private static final SqlStatement DECIDE_REST = SqlStatement.load("delay/decide_rest.sql");

  private MessageDeletion() {}

  /**
   * Returns the messages that were not there with their fence. Must come first in its transaction.
   */
  static List<ClaimedMessage> run(Connection connection, List<FencePairs<ClaimedMessage>> fired)
      throws SQLException {
    if (deleteAll(connection, fired)) {
      return List.of();
    }
    connection.rollback();
    List<ClaimedMessage> missing = new ArrayList<>();
    for (FencePairs<ClaimedMessage> pairs : fired) {
      missing.addAll(deleteEach(connection, pairs));
    }
    return missing;
  }

  private static boolean deleteAll(Connection connection, List<FencePairs<ClaimedMessage>> fired) {
    for (FencePairs<ClaimedMessage> pairs : fired) {
      if (pairs.bind(ALL.on(connection)).update() < pairs.members().size()) {
        return false;
      }
    }
    return true;
  }

  private static List<ClaimedMessage> deleteEach(
      Connection connection, FencePairs<ClaimedMessage> pairs) {
    Set<String> gone = new HashSet<>();
    List<String> amended = new ArrayList<>();
    pairs
        .bind(EACH.on(connection))
        .each(row -> {
          String id = NonNullColumns.text(row, 1);
          gone.add(id);
          if (row.getBoolean(2)) {
            amended.add(id);
          }
        });
    if (!amended.isEmpty()) {
      decideRest(connection, pairs, amended);
    }
    return pairs.without(gone);
  }

  /** Gives the amendments of fired messages the outcome {@code TOO_LATE}. */
  private static void decideRest(
      Connection connection, FencePairs<ClaimedMessage> pairs, List<String> amended) {
    DECIDE_REST
        .on(connection)
        .with("outcome", AmendmentOutcome.TOO_LATE.name())
        .with("decided_by", pairs.holder().value())
        .with("route", pairs.route().value())
        .with("ids", ColumnBatch.texts(amended, id -> id))
        .update();
  }
}
