package io.kairos.postgres;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.engine.setting.ConfigRecord;
import io.kairos.engine.setting.Setting;
import java.time.Duration;

/** How to reach the database. Messages name the property as the node's configuration spells it. */
public record PostgresConfig(
    @Setting(
            key = "postgres.url",
            defaultValue = EMBEDDED,
            description =
                "jdbc:postgresql://host:port/database without user and password, or embedded for a database that the node starts itself, with its data kept. Of several hosts, separated by commas, the node works on the primary.")
        String jdbcUrl,
    @Setting(
            key = "postgres.user",
            defaultValue = "kairos",
            description = "User of an external database.")
        String user,
    @Setting(
            key = "postgres.password",
            description =
                "Password of that user; never shown. KAIROS_POSTGRES_PASSWORD_FILE names a file that holds it.")
        String password,
    @Setting(
            key = "postgres.pool-size",
            defaultValue = "8",
            min = "2",
            max = "500",
            description =
                "Connections for the node's work. Four more look up and change tasks for callers, one is for liveness, one listens.")
        int poolSize,
    @Setting(
            key = "postgres.statement-timeout",
            defaultValue = "3s",
            min = "0.1s",
            max = "10m",
            otherwise = "a statement that hangs would not be noticed",
            description =
                "How long one statement may run or wait for a lock. Must be shorter than delay.detection.hold-time.")
        Duration statementTimeout,
    @Setting(
            key = "postgres.connect-timeout",
            defaultValue = "1.5s",
            min = "0.25s",
            max = "10m",
            otherwise = "an outage would not be noticed",
            description =
                "How long to wait for a connection, so how fast calls fail while the database is away.")
        Duration connectTimeout,
    @Setting(
            key = "postgres.allow-unsafe-durability",
            defaultValue = "false",
            description =
                "Whether to work on a database that may lose what it has acknowledged (fsync, synchronous_commit or full_page_writes off, or synchronous_commit local).")
        boolean allowUnsafeDurability,
    SchemaConfig schema) {
  /** Stands in place of a URL: the node starts a database of its own. */
  public static final String EMBEDDED = "embedded";

  private static final String URL_PREFIX = "jdbc:postgresql:";

  public PostgresConfig {
    ConfigRecord.check(
        PostgresConfig.class,
        jdbcUrl,
        user,
        password,
        poolSize,
        statementTimeout,
        connectTimeout,
        allowUnsafeDurability,
        schema);
    require(
        jdbcUrl.startsWith(URL_PREFIX) || jdbcUrl.equals(EMBEDDED),
        "postgres.url must start with " + URL_PREFIX + ", like jdbc:postgresql://127.0.0.1/kairos");
    require(
        !namesSecret(jdbcUrl),
        "postgres.url must not hold user or password, or they would be shown: use postgres.user"
            + " and postgres.password");
    require(!user.isBlank(), "postgres.user must not be empty");
  }

  /** Returns a configuration with defaults for all but the URL and the credentials. */
  public static PostgresConfig of(String jdbcUrl, String user, String password) {
    return ConfigRecord.defaults(PostgresConfig.class).at(jdbcUrl, user, password);
  }

  /** Returns this configuration for another database. */
  public PostgresConfig at(String otherUrl, String otherUser, String otherPassword) {
    return new PostgresConfig(
        otherUrl,
        otherUser,
        otherPassword,
        poolSize,
        statementTimeout,
        connectTimeout,
        allowUnsafeDurability,
        schema);
  }

  private static boolean namesSecret(String url) {
    return url.matches("(?i).*[?&](user|password|sslpassword)=.*") || url.matches(".*//[^/]*@.*");
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
        + ", schema="
        + schema
        + "]";
  }
}
