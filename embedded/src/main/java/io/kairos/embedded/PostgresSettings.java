package io.kairos.embedded;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The server parameters of an embedded Postgres. */
final class PostgresSettings {
  /**
   * Settings without which an acknowledged message may be lost. They are read back from a session,
   * because a role or a database can override them.
   */
  static final List<String> DURABILITY = List.of("fsync", "synchronous_commit", "full_page_writes");

  private PostgresSettings() {}

  /**
   * The parameters as {@code -c name=value} arguments, which override every configuration file in
   * the data directory.
   */
  static List<String> arguments(int port, Map<String, String> chosen) {
    Map<String, String> all = OptionChecks.defaults("postgres-defaults.properties");
    all.putAll(chosen);
    all.put("port", Integer.toString(port));
    all.put("listen_addresses", "127.0.0.1");
    all.put("unix_socket_directories", "");
    List<String> arguments = new ArrayList<>();
    all.forEach((name, value) -> {
      arguments.add("-c");
      arguments.add(name + "=" + value);
    });
    return arguments;
  }
}
