package io.kairos.postgres;

import io.kairos.postgres.sql.FailureText;
import io.kairos.postgres.sql.SqlFailure;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.exception.FlywayValidateException;

/**
 * Brings the schema up to date at opening. Nodes that start together take turns by an advisory lock
 * of the database: the first one migrates, and the others find the schema up to date.
 */
final class SchemaMigrations {
  private static final SqlStatement LOCK = SqlStatement.load("migration_lock.sql");
  private static final String FOLDER = "classpath:io/kairos/postgres/migration";

  private SchemaMigrations() {}

  static void run(DataSource dataSource) {
    try (Connection turn = dataSource.getConnection()) {
      // Held until the connection closes, also when the node dies.
      LOCK.on(turn).execute();
      migrate(dataSource);
    } catch (SQLException e) {
      throw FailureText.unavailable("migrating the schema", e);
    } catch (SqlFailure e) {
      throw FailureText.unavailable("migrating the schema", e.failure());
    }
  }

  private static void migrate(DataSource dataSource) throws SQLException {
    Flyway flyway =
        Flyway.configure(SchemaMigrations.class.getClassLoader())
            .dataSource(dataSource)
            .locations(FOLDER)
            .load();
    try {
      flyway.migrate();
    } catch (FlywayValidateException e) {
      MigrationInfo there = latest(flyway, MigrationState::isApplied);
      MigrationInfo known = latest(flyway, MigrationState::isResolved);
      throw new UnsafeStoreException(
          "the database has the schema of another build of Kairos, version %s (%s), and this build knows its own versions up to %s: nothing was changed; go on with that build, or give this one an empty database (postgres.url, or node.data-dir for the embedded one)"
              .formatted(there.getVersion(), there.getDescription(), known.getVersion()));
    } catch (FlywayException e) {
      if (e.getCause() instanceof SQLException cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** Returns the latest migration that the database or this build has. */
  private static MigrationInfo latest(Flyway flyway, Predicate<MigrationState> side) {
    return Arrays.stream(flyway.info().all())
        .filter(migration -> side.test(migration.getState()))
        .max(Comparator.comparing(MigrationInfo::getVersion))
        .orElseThrow();
  }
}
