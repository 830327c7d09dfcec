package io.kairos.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * How to run an embedded Postgres.
 *
 * @param dataDirectory kept between runs; the files of Postgres 18 are in its folder {@code pg18},
 *     beside its log and its password
 * @param port of 127.0.0.1; 0 takes a free one at each start
 * @param settings server parameters on top of (and winning over) the defaults of {@link
 *     EmbeddedPostgres}
 * @param startTimeout for everything, recovery after a crash included; a Postgres that is not ready
 *     by then is stopped again
 */
public record PostgresOptions(
    Path dataDirectory, int port, Map<String, String> settings, Duration startTimeout) {
  /** Recovery replays up to {@code max_wal_size} of log before the first connection is let in. */
  private static final Duration DEFAULT_START_TIMEOUT = Duration.ofMinutes(2);

  /** Parameters that would open the server to others or move it; they are refused. */
  private static final Set<String> OURS =
      Set.of(
          "port",
          "listen_addresses",
          "unix_socket_directories",
          "data_directory",
          "config_file",
          "hba_file",
          "external_pid_file");

  public PostgresOptions {
    dataDirectory = dataDirectory.toAbsolutePath().normalize();
    settings = Map.copyOf(settings);
    OptionChecks.port(port, "port");
    OptionChecks.positive(startTimeout, "startTimeout");
    for (String name : settings.keySet()) {
      if (!name.matches("[a-z][a-z0-9_.]*")) {
        throw new IllegalArgumentException(
            "settings: '" + name + "' is not the name of a Postgres parameter");
      }
      if (OURS.contains(name)) {
        throw new IllegalArgumentException(
            "settings: '"
                + name
                + "' is set by the embedded Postgres itself and cannot be changed");
      }
    }
  }

  /** A free port, the default settings, two minutes. */
  public static PostgresOptions in(Path dataDirectory) {
    return new PostgresOptions(dataDirectory, 0, Map.of(), DEFAULT_START_TIMEOUT);
  }

  public PostgresOptions withPort(int newPort) {
    return new PostgresOptions(dataDirectory, newPort, settings, startTimeout);
  }

  public PostgresOptions withSettings(Map<String, String> newSettings) {
    return new PostgresOptions(dataDirectory, port, newSettings, startTimeout);
  }

  public PostgresOptions withStartTimeout(Duration newStartTimeout) {
    return new PostgresOptions(dataDirectory, port, settings, newStartTimeout);
  }
}
