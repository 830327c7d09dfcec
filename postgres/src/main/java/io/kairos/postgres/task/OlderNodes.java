package io.kairos.postgres.task;

import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;

/**
 * Keeps data out of the store that older nodes, those of earlier versions, would not understand.
 * While there are such data, a trigger refuses these nodes; before the first, this counts them.
 */
public final class OlderNodes {
  private static final SqlStatement ENROL_HOLD = SqlStatement.load("node/enrol_hold.sql");
  private static final SqlStatement RETIRE_OLDER = SqlStatement.load("node/retire_older.sql");
  private static final SqlStatement OLDER = SqlStatement.load("node/older.sql");

  private OlderNodes() {}

  /**
   * The number of nodes that do not know a migration; none while there are data that need it.
   * Nobody enrols until the transaction ends if there are none.
   *
   * @param any finds such data
   */
  public static int count(Connection connection, SqlStatement any, int since) {
    if (any.on(connection).any()) {
      return 0;
    }
    ENROL_HOLD.on(connection).execute();
    RETIRE_OLDER.on(connection).with("version", since).update();
    return OLDER.on(connection).with("version", since).one(row -> row.getInt(1));
  }
}
