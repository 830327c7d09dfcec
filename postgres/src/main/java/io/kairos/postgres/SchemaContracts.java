package io.kairos.postgres;

import static java.util.Objects.requireNonNull;

import io.kairos.engine.node.StoreUnavailable;
import io.kairos.postgres.sql.FailureText;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What migrations have in common, whoever makes them: those that take away what no build needs any
 * more, named {@code contract_after_N}, need all nodes to know migration N.
 */
final class SchemaContracts {
  private static final SqlStatement CONTRACT_LOCK = SqlStatement.load("contract_lock.sql");
  private static final SqlStatement OLDER = SqlStatement.load("node/older.sql");
  private static final SqlStatement RETIRE_OLDER = SqlStatement.load("node/retire_older.sql");
  private static final Pattern CONTRACT = Pattern.compile("contract after (\\d{1,9})( .*)?");

  private SchemaContracts() {}

  /** The migration that nodes must know; empty for a migration that only adds. */
  private static OptionalInt needed(String description) {
    Matcher contract = CONTRACT.matcher(description);
    return contract.matches()
        ? OptionalInt.of(Integer.parseInt(requireNonNull(contract.group(1))))
        : OptionalInt.empty();
  }

  /** Refuses a migration that was made and has taken away what this build still uses. */
  static void requireKnown(Object version, String description, int known) {
    OptionalInt needed = needed(description);
    if (needed.isPresent() && known < needed.getAsInt()) {
      throw new UnsafeStoreException(
          "a later build has migrated the database to version %s (%s), which needs nodes that know version %d, and this build knows versions up to %d: nothing was changed; start a later build"
              .formatted(version, description, needed.getAsInt(), known));
    }
  }

  /**
   * Refuses a migration that would take away what a node that runs still uses. Keeps nodes that
   * have been opened and not yet enrolled from enrolling, until the connection closes.
   */
  static void requireNodes(Object version, String description, Connection turn)
      throws SQLException {
    OptionalInt needed = needed(description);
    if (needed.isEmpty()) {
      return;
    }
    CONTRACT_LOCK.on(turn).execute();
    int older = retireOlder(turn, needed.getAsInt());
    if (older > 0) {
      throw new UnsafeStoreException(
          "this build would migrate the database to version %s (%s), and nodes that run do not know version %d: %d; nothing was changed; stop them, or replace them by a build in between first"
              .formatted(version, description, needed.getAsInt(), older));
    }
  }

  /**
   * Ends the lives of older nodes that do not run, unless there are others that do. Counts these
   * last: one that was only frozen until then runs again, or never will.
   *
   * @return the number of older nodes that run
   */
  private static int retireOlder(Connection turn, int needed) throws SQLException {
    turn.setAutoCommit(false);
    RETIRE_OLDER.on(turn).with("version", needed).update();
    int older = OLDER.on(turn).with("version", needed).one(row -> row.getInt(1));
    if (older > 0) {
      turn.rollback();
    } else {
      turn.commit();
    }
    turn.setAutoCommit(true);
    return older;
  }

  /** The failure of a migration; one that has waited too long for a lock may be tried again. */
  static StoreUnavailable unavailable(SQLException e) {
    return FailureText.unavailable(
        FailureText.LOCK_TIMEOUT.equals(e.getSQLState())
            ? "migrating the schema, while a transaction that has not ended (pg_stat_activity shows it) holds what a migration changes,"
            : "migrating the schema",
        e);
  }
}
