package io.kairos.postgres;

import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlFailure;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.CoreErrorCode;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationInfoService;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.jspecify.annotations.Nullable;

/**
 * Brings the schema up to date at opening. Nodes that start together take turns by an advisory lock
 * of the database: the first one migrates, and the others find the schema up to date. A migration
 * that waits too long for a lock is rolled back and fails as unavailable, for the caller to retry:
 * while it waits, everybody else waits behind it.
 *
 * <p>Nodes of an earlier build run on beside newer ones, because a migration only adds. One that
 * takes away is named {@code contract_after_N}, and needs all nodes to know migration N. While one
 * is checked and applied, nodes that have been opened and not yet enrolled may not enrol.
 */
final class SchemaMigrations {
  static final String FOLDER = "classpath:io/kairos/postgres/migration";

  private static final SqlStatement LOCK = SqlStatement.load("migration_lock.sql");
  private static final SqlStatement ELSEWHERE = SqlStatement.load("schema_elsewhere.sql");
  private static final SqlStatement CREATE = SqlStatement.load("schema_create.sql");

  private SchemaMigrations() {}

  /**
   * Migrates.
   *
   * @param turns makes the connection that waits for this node's turn
   * @param migrations makes those that migrate
   * @param second whether the database may have a second installation, in another schema
   * @return the number of the latest migration that this build knows
   * @throws UnsafeStoreException when the schema may not be migrated
   */
  static int run(DataSource turns, DataSource migrations, boolean second, String... folders) {
    try (Connection turn = turns.getConnection()) {
      // Held until the connection closes, also when the node dies.
      LOCK.on(turn).execute();
      if (!second) {
        refuseSecond(turn);
      }
      CREATE.on(turn).execute();
      if (turn.getSchema() == null) {
        throw new UnsafeStoreException(
            "the search path of the user names no schema that exists: nothing was changed; set postgres.schema");
      }
      return migrate(migrations, turn, folders);
    } catch (SQLException e) {
      throw SchemaContracts.unavailable(e);
    } catch (SqlFailure e) {
      throw SchemaContracts.unavailable(e.failure());
    }
  }

  /** A mistyped name of the schema would leave all work behind, silently. */
  private static void refuseSecond(Connection turn) {
    for (String elsewhere : ELSEWHERE.on(turn).list(row -> NonNullColumns.text(row, 1))) {
      throw new UnsafeStoreException(
          "this database has Kairos' tables in schema %s, and this node names another schema: nothing was changed; if the nodes of that schema are yours, name it by postgres.schema; for a second installation run \"kairos schema migrate\" once"
              .formatted(elsewhere));
    }
  }

  /**
   * Checks that the schema is as late as this build, without changing anything.
   *
   * @return the number of the latest migration that this build knows
   * @throws UnsafeStoreException when a migration has not been made
   */
  static int require(DataSource connections, String... folders) {
    Flyway flyway = flyway(connections, folders);
    int known = number(latest(flyway, MigrationState::isResolved));
    try (Connection turn = connections.getConnection()) {
      MigrationInfoService info = flyway.info();
      if (info.pending().length > 0) {
        MigrationInfo current = info.current();
        throw new UnsafeStoreException(
            "the schema of the database is %s, this build needs version %d, and postgres.migrate is off: nothing was changed; run \"kairos schema migrate\" as a user who may change the schema, with --grant-to and the user of the nodes"
                .formatted(current == null ? "empty" : "version " + current.getVersion(), known));
      }
      for (MigrationInfo migration : info.all()) {
        check(migration, known, false, turn);
      }
      flyway.validate();
      return known;
    } catch (SQLException e) {
      throw SchemaContracts.unavailable(e);
    } catch (FlywayValidateException e) {
      throw foreign(flyway, known);
    } catch (FlywayException e) {
      SQLException cause = cause(e);
      throw cause == null ? e : SchemaContracts.unavailable(cause);
    }
  }

  private static Flyway flyway(DataSource connections, String... folders) {
    return Flyway.configure(SchemaMigrations.class.getClassLoader())
        .dataSource(connections)
        .locations(folders)
        .load();
  }

  private static UnsafeStoreException foreign(Flyway flyway, int known) {
    MigrationInfo there = latest(flyway, MigrationState::isApplied);
    return new UnsafeStoreException(
        "the database has the schema of another build of Kairos, version %s (%s), and this build knows its own versions up to %d: nothing was changed; go on with that build, or give this one an empty database (postgres.url, or node.data-dir for the embedded one)"
            .formatted(there.getVersion(), there.getDescription(), known));
  }

  private static int migrate(DataSource migrations, Connection turn, String... folders)
      throws SQLException {
    Flyway flyway = flyway(migrations, folders);
    int known = number(latest(flyway, MigrationState::isResolved));
    try {
      MigrationInfoService info = flyway.info();
      for (MigrationInfo migration : info.all()) {
        check(migration, known, info.current() == null, turn);
      }
      flyway.migrate();
      return known;
    } catch (FlywayValidateException e) {
      throw foreign(flyway, known);
    } catch (FlywayException e) {
      if (e.getErrorCode() == CoreErrorCode.NON_EMPTY_SCHEMA_WITHOUT_SCHEMA_HISTORY_TABLE) {
        throw new UnsafeStoreException(
            "the schema has objects and none of Kairos' history: nothing was changed; name a schema of its own by postgres.schema");
      }
      SQLException cause = cause(e);
      if (cause != null) {
        throw cause;
      }
      throw e;
    }
  }

  /** Refuses a migration that has taken away, or would take away, what a node still uses. */
  private static void check(MigrationInfo migration, int known, boolean isEmpty, Connection turn)
      throws SQLException {
    if (migration.getState().isApplied()) {
      SchemaContracts.requireKnown(migration.getVersion(), migration.getDescription(), known);
    }
    if (migration.getState() == MigrationState.PENDING && !isEmpty) {
      SchemaContracts.requireNodes(migration.getVersion(), migration.getDescription(), turn);
    }
  }

  private static @Nullable SQLException cause(Throwable e) {
    for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        return sql;
      }
    }
    return null;
  }

  private static int number(MigrationInfo migration) {
    return Integer.parseInt(migration.getVersion().getVersion());
  }

  /** Returns the latest migration that the database or this build has. */
  private static MigrationInfo latest(Flyway flyway, Predicate<MigrationState> side) {
    return Arrays.stream(flyway.info().all())
        .filter(migration -> side.test(migration.getState()))
        .max(Comparator.comparing(MigrationInfo::getVersion))
        .orElseThrow();
  }
}
