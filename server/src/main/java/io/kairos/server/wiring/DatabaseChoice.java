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
   * After this many statement timeouts a failed call is expected to have no effect any more. The
   * server ends the call's last statement or COMMIT within one timeout. The other eight allow for a
   * network that delivers the statement after the client has given up. The delay of a network has
   * no upper bound; the backstop of the delay queue finds effects that come later still.
   */
  private static final int STATEMENT_TIMEOUTS = 9;

  private static final Duration MARGIN = Duration.ofSeconds(1);

  /** True when the node starts the database itself. */
  public boolean embedded() {
    return config.jdbcUrl().equals(PostgresConfig.EMBEDDED);
  }

  /** Time during which a failed call may still take effect. */
  Duration unknownOutcomeFor() {
    return config.statementTimeout().multipliedBy(STATEMENT_TIMEOUTS).plus(MARGIN);
  }
}
