package io.kairos.postgres;

import java.time.Duration;

/**
 * How to reach the database. Messages name the property as the node's configuration spells it.
 *
 * @param jdbcUrl {@code jdbc:postgresql://host[:port]/database[?options]}, without user and
 *     password
 * @param poolSize connections for what the node does; six more are for callers' reading and
 *     changing of tasks, for liveness and for listening
 * @param statementTimeout how long one statement may run, or wait for a lock; the hold time must be
 *     longer
 * @param connectTimeout how long to wait for a connection, new or from the pool: how fast calls
 *     fail while the database is away
 * @param allowUnsafeDurability take a database that may lose what it has acknowledged
 */
public record PostgresConfig(
    String jdbcUrl,
    String user,
    String password,
    int poolSize,
    Duration statementTimeout,
    Duration connectTimeout,
    boolean allowUnsafeDurability) {
  public static final int DEFAULT_POOL_SIZE = 8;
  public static final Duration DEFAULT_STATEMENT_TIMEOUT = Duration.ofSeconds(3);
  public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofMillis(1_500);

  private static final String URL_PREFIX = "jdbc:postgresql:";
  private static final int MAX_POOL_SIZE = 500;
  private static final Duration SHORTEST_CONNECT_TIMEOUT = Duration.ofMillis(250);
  private static final Duration SHORTEST_STATEMENT_TIMEOUT = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofMinutes(10);

  public PostgresConfig {
    require(
        jdbcUrl.startsWith(URL_PREFIX),
        "postgres.url must start with " + URL_PREFIX + ", like jdbc:postgresql://127.0.0.1/kairos");
    require(
        !namesSecret(jdbcUrl),
        "postgres.url must not hold user or password, or they would be shown: use postgres.user"
            + " and postgres.password");
    require(!user.isBlank(), "postgres.user must not be empty");
    require(
        poolSize >= 2 && poolSize <= MAX_POOL_SIZE,
        "postgres.pool-size must be in [2, " + MAX_POOL_SIZE + "], not " + poolSize);
    require(
        within(statementTimeout, SHORTEST_STATEMENT_TIMEOUT),
        "postgres.statement-timeout must be in [100 ms, 10 min], or a statement that hangs would"
            + " not be noticed");
    require(
        within(connectTimeout, SHORTEST_CONNECT_TIMEOUT),
        "postgres.connect-timeout must be in [250 ms, 10 min], or an outage would not be noticed");
  }

  /** Defaults for all but the place and the credentials. */
  public static PostgresConfig of(String jdbcUrl, String user, String password) {
    return new PostgresConfig(
        jdbcUrl,
        user,
        password,
        DEFAULT_POOL_SIZE,
        DEFAULT_STATEMENT_TIMEOUT,
        DEFAULT_CONNECT_TIMEOUT,
        false);
  }

  private static boolean within(Duration duration, Duration shortest) {
    return duration.compareTo(shortest) >= 0 && duration.compareTo(LONGEST) <= 0;
  }

  private static boolean namesSecret(String url) {
    return url.matches("(?i).*[?&](user|password|sslpassword)=.*") || url.matches(".*//[^/]*@.*");
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }

  @Override
  public String toString() {
    return "PostgresConfig[jdbcUrl="
        + jdbcUrl
        + ", user="
        + user
        + ", password=***, poolSize="
        + poolSize
        + ", statementTimeout="
        + statementTimeout
        + ", connectTimeout="
        + connectTimeout
        + ", allowUnsafeDurability="
        + allowUnsafeDurability
        + "]";
  }
}
