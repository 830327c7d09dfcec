package io.kairos.postgres;

import static io.kairos.domain.check.ArgumentCheck.require;

import java.time.Duration;
import javax.sql.DataSource;

/**
 * The database of an application, in which Kairos has a schema.
 *
 * @param source the application's own; its connections are of the Postgres driver, or wrap such
 * @param connections most connections that are taken from it, and kept
 */
public record ApplicationDatabase(
    DataSource source,
    int connections,
    SchemaConfig schema,
    Duration statementTimeout,
    Duration connectTimeout,
    boolean allowUnsafeDurability) {
  /** One for liveness, one that listens, one for everything else. */
  public static final int LEAST_CONNECTIONS = 3;

  public ApplicationDatabase {
    requireConnections(connections);
  }

  /** Throws {@link IllegalArgumentException} for a number of connections that is out of bounds. */
  public static void requireConnections(int connections) {
    require(
        connections >= LEAST_CONNECTIONS && connections <= 100,
        "connections must be 3 to 100: one for liveness, one that listens, the others for work");
  }

  /** Those of the connections for work that callers may have at a time. */
  int forCallers() {
    return Math.max(1, working() - 2);
  }

  /** The connections for work. */
  int working() {
    return connections - LEAST_CONNECTIONS + 1;
  }
}
