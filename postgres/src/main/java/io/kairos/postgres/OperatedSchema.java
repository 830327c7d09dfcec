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
  private static final SqlStatement HISTORY_CREATE = SqlStatement.load("history_create.sql");
  private static final SqlStatement HISTORY_INDEX = SqlStatement.load("history_index.sql");
  private static final SqlStatement HISTORY_ADD = SqlStatement.load("history_add.sql");

  private OperatedSchema() {}

  /**
   * The SQL of the migrations with a higher number, in the order in which they run, each with its
   * note in the history: to be read, or to be run in a session whose search path names the schema.
   */
  public static String sql(int after) {
    StringBuilder all = new StringBuilder();
    for (MigrationScript script : MigrationScript.all()) {
      if (script.version() > after) {
        all.append("-- ").append(script.file()).append("\n\nbegin;\n\n");
        if (script.version() == 1) {
          all.append(HISTORY_CREATE.text()).append(";\n\n");
          all.append(HISTORY_INDEX.text()).append(";\n\n");
        }
        all.append(script.sql()).append('\n');
        all.append(note(script)).append(";\n\ncommit;\n\n");
      }
    }
    return all.toString();
  }

  private static String note(MigrationScript script) {
    String note = HISTORY_ADD.text();
    for (String parameter : HISTORY_ADD.parameters()) {
      String value =
          switch (parameter) {
            case "version" -> Integer.toString(script.version());
            case "description" -> script.description();
            case "script" -> script.file();
            case "checksum" -> Integer.toString(script.checksum());
            default -> throw new IllegalStateException("no value for " + parameter);
          };
      note = note.replaceFirst("\\?", "'" + value + "'");
    }
    return note;
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
