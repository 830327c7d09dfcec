package io.kairos.postgres;

import io.kairos.postgres.sql.FailureText;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlFailure;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of a schema in which every role may create functions and operators, as in {@code public} of
 * a database that was made before Postgres 15: statements of nodes, and the functions that
 * applications call, would take these instead of the built-in ones. Used once, at opening.
 */
final class SchemaRights {
  private static final Logger LOG = LoggerFactory.getLogger(SchemaRights.class);
  private static final SqlStatement OPEN = SqlStatement.load("schema_open.sql");

  private SchemaRights() {}

  /**
   * Warns if every role may create in the schema.
   *
   * @throws io.kairos.engine.node.StoreUnavailable when the database does not answer
   */
  static void check(ConnectionSource source) {
    try (Connection connection = source.getConnection()) {
      openToAll(connection)
          .ifPresent(schema ->
              LOG.atWarn()
                  .addKeyValue("schema", schema)
                  .log(
                      "every role of the database may create functions in the schema of Kairos,"
                          + " which would act with the rights of Kairos: revoke create on the schema"
                          + " from public, or give Kairos a schema of its own"));
    } catch (SQLException e) {
      throw FailureText.unavailable("opening the store", e);
    } catch (SqlFailure e) {
      throw FailureText.unavailable("opening the store", e.failure());
    }
  }

  /** The schema, if every role may create in it. */
  static Optional<String> openToAll(Connection connection) {
    return OPEN.on(connection).optional(row -> NonNullColumns.text(row, 1));
  }
}
