package io.kairos.server.wiring;

import io.kairos.engine.setting.Setting;
import io.kairos.postgres.PostgresConfig;
import java.time.Duration;

/** Settings of the database, which is embedded or external. */
public record DatabaseChoice(
    PostgresConfig config,
    @Setting(
            key = PORT,
            defaultValue = "0",
            min = "0",
            max = "65535",
            description = "Port of the embedded database on 127.0.0.1; 0 takes a free one.")
        int port) {
  static final String PORT = "postgres.port";

  /**
   * Statement timeouts after which a failed call is expected to have no late effect. The server
   * ends the last statement or COMMIT of the call within one; the others allow for a network that
   * delivers the statement after the client has given up. Network delay has no certain bound: the
   * delay queue's backstop finds still later effects.
   */
  private static final int PATIENCE_IN_STATEMENTS = 9;

  private static final Duration MARGIN = Duration.ofSeconds(1);

  /** True when the node starts the database itself. */
  public boolean embedded() {
    return config.jdbcUrl().equals(PostgresConfig.EMBEDDED);
  }

  /** How long a failed call is expected to be able to take effect. */
  Duration unknownOutcomeFor() {
    return config.statementTimeout().multipliedBy(PATIENCE_IN_STATEMENTS).plus(MARGIN);
  }
}
