package io.kairos.postgres;

import io.kairos.postgres.sql.FailureText;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlFailure;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What operators do with the schema when nodes do not migrate it: read its SQL, and bring it up to
 * date as a user of their choice. Used by commands, on one thread.
 */
public final class OperatedSchema {
  private static final SqlStatement GRANTS = SqlStatement.load("schema_grants.sql");

  private OperatedSchema() {}

  /** The SQL of the migrations with a higher number, in the order in which they run. */
  public static String sql(int after) {
    StringBuilder all = new StringBuilder();
    for (MigrationScript script : MigrationScript.all()) {
      if (script.version() > after) {
        all.append("-- ").append(script.file()).append("\n\n").append(script.sql()).append('\n');
      }
    }
    return all.toString();
  }

  /**
   * Brings the schema up to date as the user of the configuration, and gives a role what nodes need
   * that run as it. Idempotent; repeat it for each version, because new tables need new grants.
   *
   * @param role null for no grants, as when nodes run as the user that migrates
   * @return the version of the schema
   * @throws UnsafeStoreException as {@link PostgresStores#open} does
   * @throws io.kairos.engine.node.StoreUnavailable when the database does not answer, or refuses
   */
  public static int migrate(PostgresConfig config, @Nullable String role) {
    ServerTimelines timelines = new ServerTimelines();
    int version = PostgresStores.migrate(config, timelines, true);
    if (role != null) {
      grant(ConnectionSource.forMigrations(config, timelines), role);
    }
    return version;
  }

  private static void grant(ConnectionSource source, String role) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      List<String> grants =
          GRANTS.on(connection).with("role", role).list(row -> NonNullColumns.text(row, 1));
      for (String grant : grants) {
        statement.execute(grant);
      }
    } catch (SQLException e) {
      throw FailureText.unavailable("granting rights to " + role, e);
    } catch (SqlFailure e) {
      throw FailureText.unavailable("granting rights to " + role, e.failure());
    }
  }
}
