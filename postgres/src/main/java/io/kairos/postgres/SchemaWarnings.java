package io.kairos.postgres;

import io.kairos.postgres.sql.FailureText;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlFailure;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.row.QueueNumberRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of what the owner of a schema should do. Used once, at opening.
 *
 * <ul>
 *   <li>Every role may create functions and operators in it, as in {@code public} of a database
 *       that was made before Postgres 15: statements of nodes, and the functions that applications
 *       call, would take these instead of the built-in ones.
 *   <li>It had too many tasks for a migration to build the index of fairness keys.
 * </ul>
 */
final class SchemaWarnings {
  private static final Logger LOG = LoggerFactory.getLogger(SchemaWarnings.class);
  private static final SqlStatement OPEN = SqlStatement.load("schema_open.sql");

  private SchemaWarnings() {}

  /**
   * Logs the warnings.
   *
   * @throws io.kairos.engine.node.StoreUnavailable when the database does not answer
   */
  static void log(ConnectionSource source) {
    try (Connection connection = source.getConnection()) {
      of(connection).forEach(LOG::warn);
    } catch (SQLException e) {
      throw FailureText.unavailable("opening the store", e);
    } catch (SqlFailure e) {
      throw FailureText.unavailable("opening the store", e.failure());
    }
  }

  static List<String> of(Connection connection) {
    Rights rights =
        OPEN.on(connection).one(row -> new Rights(NonNullColumns.text(row, 1), row.getBoolean(2)));
    List<String> warnings = new ArrayList<>();
    if (rights.isOpen()) {
      warnings.add(
          "every role of the database may create functions in the schema of Kairos, %s, which would"
                  .formatted(rights.schema())
              + " act with the rights of Kairos: revoke create on the schema from public, or give"
              + " Kairos a schema of its own");
    }
    if (!QueueNumberRows.hasFairIndex(connection)) {
      warnings.add(
          """
          fairness keys do not take turns yet, because the table task was too large for the migration to build their index: \
          as the owner of the schema, run "create index concurrently task_fair on %1$s.task \
          (queue_id, fairness_key, next_trigger) where fairness_key is not null and state::text in ('N', 'R')"; \
          if a build was cut off, first "drop index concurrently %1$s.task_fair\"\
          """
              .formatted(rights.schema()));
    }
    return warnings;
  }

  private record Rights(String schema, boolean isOpen) {}
}
