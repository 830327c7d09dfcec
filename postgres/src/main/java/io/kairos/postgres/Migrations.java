package io.kairos.postgres;

import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Failures;
import io.kairos.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/**
 * Brings the schema up to date at opening. Nodes that start together take turns by an advisory lock
 * of the database, so that one migrates and the others find it done.
 */
final class Migrations {
  private static final Sql LOCK = Sql.load(Migrations.class, "migration_lock.sql");
  private static final String FOLDER = "classpath:io/kairos/postgres/migration";

  private Migrations() {}

  static void run(DataSource dataSource) {
    try (Connection turn = dataSource.getConnection()) {
      // Held until the connection closes; a node that dies meanwhile lets go by dying.
      try (Call lock = LOCK.on(turn);
          var _ = lock.query()) {
        migrate(dataSource);
      }
    } catch (SQLException e) {
      throw Failures.unavailable("migrating the schema", e);
    }
  }

  private static void migrate(DataSource dataSource) throws SQLException {
    try {
      Flyway.configure(Migrations.class.getClassLoader())
          .dataSource(dataSource)
          .locations(FOLDER)
          .load()
          .migrate();
    } catch (FlywayException e) {
      if (e.getCause() instanceof SQLException cause) {
        throw cause;
      }
      throw e;
    }
  }
}
