package io.kairos.postgres;

import io.kairos.postgres.sql.FailureText;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlFailure;
import io.kairos.postgres.sql.SqlStatement;
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
 *   <li>Its tasks were too many for a migration to build the index of fairness keys.
 * </ul>
 */
final class SchemaWarnings {
  private static final Logger LOG = LoggerFactory.getLogger(SchemaWarnings.class);
  private static final SqlStatement DOUBTS = SqlStatement.load("schema_doubts.sql");
  private static final String OPEN =
      "every role of the database may create functions in the schema of Kairos, which would act with"
          + " the rights of Kairos: revoke create on the schema from public, or give Kairos a schema"
          + " of its own";
  private static final String NOT_FAIR =
      "fairness keys do not take turns yet, because the table task was too large for the migration to"
          + " build their index: as the owner of the schema, run \"create index concurrently task_fair"
          + " on task (queue_id, fairness_key, next_trigger) where fairness_key is not null and state"
          + " in ('N', 'R')\"; drop the index first if a build was cut off";

  private SchemaWarnings() {}

  /**
   * Logs the warnings.
   *
   * @throws io.kairos.engine.node.StoreUnavailable when the database does not answer
   */
  static void log(ConnectionSource source) {
    try (Connection connection = source.getConnection()) {
      Doubts doubts = of(connection);
      doubts
          .warnings()
          .forEach(text -> LOG.atWarn().addKeyValue("schema", doubts.schema()).log(text));
    } catch (SQLException e) {
      throw FailureText.unavailable("opening the store", e);
    } catch (SqlFailure e) {
      throw FailureText.unavailable("opening the store", e.failure());
    }
  }

  static Doubts of(Connection connection) {
    return DOUBTS
        .on(connection)
        .one(row -> new Doubts(NonNullColumns.text(row, 1), row.getBoolean(2), row.getBoolean(3)));
  }

  /**
   * What may be wrong with a schema.
   *
   * @param isOpen whether every role may create in it
   * @param lacksFairIndex whether the index of fairness keys is missing or was not built to its end
   */
  record Doubts(String schema, boolean isOpen, boolean lacksFairIndex) {
    List<String> warnings() {
      List<String> warnings = new ArrayList<>();
      if (isOpen) {
        warnings.add(OPEN);
      }
      if (lacksFairIndex) {
        warnings.add(NOT_FAIR);
      }
      return warnings;
    }
  }
}
