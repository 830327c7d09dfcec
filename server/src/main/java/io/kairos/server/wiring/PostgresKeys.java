package io.kairos.server.wiring;

import io.kairos.postgres.PostgresConfig;
import io.kairos.server.config.DelayKeys;
import io.kairos.server.config.Kind;
import io.kairos.server.config.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The database: one of our own or somebody else's.
 *
 * @param embedded whether the node starts the database itself
 * @param port of the embedded database
 * @param config with place-holders for what an embedded database decides itself, see {@link #at}
 */
record PostgresKeys(boolean embedded, int port, PostgresConfig config) {
  static final String EMBEDDED = "embedded";
  static final String URL = "postgres.url";
  static final String PORT = "postgres.port";
  static final String USER = "postgres.user";
  static final String PASSWORD = "postgres.password";

  /**
   * Only what the server was asked last can take effect unseen, a statement on its own or a COMMIT,
   * and it ends that within one statement timeout. The others are patience with a network that
   * delivers the question late, when the client has given up. No bound is certain there: the
   * backstop finds what comes later still.
   */
  private static final int PATIENCE_IN_STATEMENTS = 9;

  private static final Duration MARGIN = Duration.ofSeconds(1);

  /** The settings for a database at this address. */
  PostgresConfig at(String url, String user, String password) {
    return new PostgresConfig(
        url,
        user,
        password,
        config.poolSize(),
        config.statementTimeout(),
        config.connectTimeout(),
        config.allowUnsafeDurability());
  }

  /** How long after a call has failed it is expected that it may still take effect. */
  Duration unknownOutcomeFor() {
    return config.statementTimeout().multipliedBy(PATIENCE_IN_STATEMENTS).plus(MARGIN);
  }

  static Optional<PostgresKeys> read(Settings settings) {
    String url =
        settings.value(
            URL,
            Kind.TEXT,
            EMBEDDED,
            "jdbc:postgresql://host:port/database without user and password, or embedded for a database that the node starts itself, with its data kept.");
    int port =
        settings.value(
            PORT,
            Kind.number(0, 65_535),
            0,
            "Port of the embedded database on 127.0.0.1; 0 takes a free one.");
    String user = settings.value(USER, Kind.TEXT, "kairos", "User of an external database.");
    String password =
        settings.value(
            PASSWORD,
            Kind.TEXT,
            "",
            "Password of that user; never shown. KAIROS_POSTGRES_PASSWORD_FILE names a file that holds it.");
    boolean embedded = url.equals(EMBEDDED);
    for (String key : embedded ? List.of(USER, PASSWORD) : List.of(PORT)) {
      if (settings.isGiven(key)) {
        settings.contradiction(
            embedded
                ? key
                    + " is for an external database, but postgres.url is embedded: set postgres.url or remove "
                    + key
                : key
                    + " is for the embedded database, but postgres.url names another one: remove "
                    + key);
      }
    }
    int poolSize =
        settings.value(
            "postgres.pool-size",
            Kind.number(2, 500),
            PostgresConfig.DEFAULT_POOL_SIZE,
            "Connections for the node's work. Four more look up and"
                + " change tasks for callers, one is for liveness, one listens.");
    Duration statementTimeout =
        settings.value(
            DelayKeys.STATEMENT_TIMEOUT,
            Kind.DURATION,
            PostgresConfig.DEFAULT_STATEMENT_TIMEOUT,
            "How long one statement may run or wait for a lock. Must be shorter than delay.detection.hold-time.");
    Duration connectTimeout =
        settings.value(
            "postgres.connect-timeout",
            Kind.DURATION,
            PostgresConfig.DEFAULT_CONNECT_TIMEOUT,
            "How long to wait for a connection, so how fast calls fail while the database is away.");
    boolean allowUnsafe =
        settings.value(
            "postgres.allow-unsafe-durability",
            Kind.FLAG,
            false,
            "Whether to work on a database that may lose what it has acknowledged (fsync, synchronous_commit or full_page_writes off).");
    return settings.build(() ->
        new PostgresKeys(
            embedded,
            port,
            new PostgresConfig(
                embedded ? "jdbc:postgresql:embedded" : url,
                user,
                password,
                poolSize,
                statementTimeout,
                connectTimeout,
                allowUnsafe)));
  }
}
