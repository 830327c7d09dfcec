package io.kairos.server.wiring;

import io.kairos.engine.setting.Setting;
import io.kairos.postgres.PostgresConfig;
import java.time.Duration;

/** The database: one of our own or somebody else's. */
record DatabaseChoice(
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
   * Only what the server was asked last can take effect unseen, a statement on its own or a COMMIT,
   * and it ends that within one statement timeout. The others are patience with a network that
   * delivers the question late, when the client has given up. No bound is certain there: the
   * backstop finds what comes later still.
   */
  private static final int PATIENCE_IN_STATEMENTS = 9;

  private static final Duration MARGIN = Duration.ofSeconds(1);

  /** True when the node starts the database itself. */
  boolean embedded() {
    return config.jdbcUrl().equals(PostgresConfig.EMBEDDED);
  }

  /** How long after a call has failed it is expected that it may still take effect. */
  Duration unknownOutcomeFor() {
    return config.statementTimeout().multipliedBy(PATIENCE_IN_STATEMENTS).plus(MARGIN);
  }
}
