package io.kairos.bench.rig;

import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.embedded.PostgresOptions;
import io.kairos.postgres.PostgresConfig;
import io.kairos.postgres.PostgresStores;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** A Postgres with the delay queue's schema and nothing else. */
public final class StoreRig implements AutoCloseable {
  private final EmbeddedPostgres postgres;

  private StoreRig(EmbeddedPostgres postgres) {
    this.postgres = postgres;
  }

  public static StoreRig start(Workplace workplace) {
    EmbeddedPostgres postgres =
        EmbeddedPostgres.start(PostgresOptions.in(workplace.resolve("postgres")));
    boolean complete = false;
    try {
      migrate(postgres);
      complete = true;
      return new StoreRig(postgres);
    } finally {
      if (!complete) {
        postgres.close();
      }
    }
  }

  /** Brings the schema into a running Postgres, as a node's start would. */
  static void migrate(EmbeddedPostgres postgres) {
    PostgresStores.open(PostgresConfig.of(postgres.jdbcUrl(), postgres.user(), postgres.password()))
        .close();
  }

  public Connection connect() throws SQLException {
    return DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
  }

  public long pid() {
    return postgres.pid();
  }

  @Override
  public void close() {
    postgres.close();
  }
}
