package io.kairos.embedded;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The server parameters of an embedded Postgres, with the reasons. */
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
    Map<String, String> all = defaults();
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

  private static Map<String, String> defaults() {
    Map<String, String> settings = new LinkedHashMap<>();
    DURABILITY.forEach(name -> settings.put(name, "on"));

    // A queue on two cores: rows live for seconds, nearly all are written once and deleted once.
    settings.put("shared_buffers", "256MB");
    settings.put("wal_buffers", "16MB");
    settings.put("max_wal_size", "2GB");
    settings.put(
        "min_wal_size", "512MB"); // reused segments need no new blocks, also on a full disk
    settings.put("checkpoint_timeout", "5min");
    settings.put("max_connections", "100");
    settings.put("jit", "off"); // statements last milliseconds, compiling one lasts longer
    settings.put("max_parallel_workers_per_gather", "0");

    // Dead rows must be removed as fast as they come, because scans of the index of due messages
    // pass over them.
    settings.put("autovacuum_naptime", "5s");
    settings.put("autovacuum_vacuum_cost_limit", "2000");
    settings.put("autovacuum_vacuum_insert_scale_factor", "0.05");

    settings.put("timezone", "UTC");
    settings.put("log_timezone", "UTC");
    // Messages are opaque: no statement, parameter or row may reach the log. Details of an error
    // quote rows.
    settings.put("log_min_messages", "warning");
    settings.put("log_error_verbosity", "terse");
    settings.put("log_min_error_statement", "panic");
    settings.put("log_parameter_max_length", "0");
    settings.put("log_parameter_max_length_on_error", "0");
    settings.put("log_statement", "none");
    settings.put("log_line_prefix", "%m [%p] ");
    return settings;
  }
}
