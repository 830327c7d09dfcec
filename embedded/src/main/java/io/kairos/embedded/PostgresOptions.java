package io.kairos.embedded;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/**
 * Options of an embedded Postgres.
 *
 * @param dataDirectory kept between runs; the files of Postgres 18 are in its folder {@code pg18},
 *     beside its log and its password
 * @param port on 127.0.0.1; 0 for a free one at each start
 * @param settings server parameters that override the defaults of {@link EmbeddedPostgres}
 * @param environment variables of the server's processes on top of what they need
 */
public record PostgresOptions(
    Path dataDirectory, int port, Map<String, String> settings, Map<String, String> environment) {
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
    OptionChecks.port(port);
    environment = Map.copyOf(environment);
    settings = OptionChecks.settings(settings, OURS, "Postgres");
    for (String name : settings.keySet()) {
      if (!name.matches("[a-z][a-z0-9_.]*")) {
        throw new IllegalArgumentException(
            "settings: '" + name + "' is not the name of a Postgres parameter");
      }
    }
  }

  /** Options of a server on a free port, with the default settings. */
  public static PostgresOptions in(Path dataDirectory) {
    return new PostgresOptions(dataDirectory, 0, Map.of(), Map.of());
  }

  public PostgresOptions withPort(int newPort) {
    return new PostgresOptions(dataDirectory, newPort, settings, environment);
  }

  public PostgresOptions withSettings(Map<String, String> newSettings) {
    return new PostgresOptions(dataDirectory, port, newSettings, environment);
  }

  public PostgresOptions withEnvironment(Map<String, String> variables) {
    return new PostgresOptions(dataDirectory, port, settings, variables);
  }
}
