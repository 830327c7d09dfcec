package io.kairos.bench.site;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.kairos.bench.load.BenchWait;
import io.kairos.bench.measure.BenchSql;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.embedded.LoopbackPort;
import io.kairos.embedded.PostgresOptions;
import io.kairos.embedded.process.RunningProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The Postgres server of one site: a primary, or a standby of another one. The embedded programs
 * have neither pg_basebackup nor pg_rewind, so a standby begins as a copy of the primary's files,
 * taken by the backup functions. Used by one thread.
 */
public final class SitePostgres implements AutoCloseable {
  private static final String CLUSTER = "pg18";

  /** Copies a server that runs; files that vanish meanwhile come with the log. */
  private static final String COPY =
      """
      rm -rf "$2" && mkdir -p "$2" && cp -a "$1"/postgres.password "$2"
      cp -a "$1"/pg18 "$2"
      cd "$2"/pg18 && rm -rf pg_wal/* pg_replslot/* postmaster.pid && touch standby.signal
      """;

  private static final String BACKUP = "select pg_backup_start('copy', fast => true)";
  private static final String LABEL = "select labelfile from pg_backup_stop(false)";
  private static final String RECEIVED =
      "select coalesce(pg_last_wal_receive_lsn(), '0/0') - '0/0'::pg_lsn";
  private static final String STREAMING =
      "select count(*) from pg_stat_replication where state = 'streaming'";
  private static final String PROMOTE = "select pg_promote(true, 60)";
  private static final String CUT =
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'kairos'";

  /** Rows written, and transactions that wait to be acknowledged. */
  private static final String WRITES =
      """
      select (select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0) from pg_stat_user_tables)
        + (select count(*) from pg_stat_activity where wait_event = 'SyncRep')
      """;

  private static final String SESSIONS =
      "select sessions from pg_stat_database where datname = current_database()";

  private final Path folder;
  private final PostgresOptions options;
  private @Nullable EmbeddedPostgres engine;

  /**
   * @param name of the site
   * @param all names of all sites, any one of which must confirm a commit
   */
  SitePostgres(String name, List<String> all, Path folder) {
    this.folder = folder;
    options =
        PostgresOptions.in(folder)
            .withPort(LoopbackPort.choose())
            .withSettings(
                Map.of(
                    "cluster_name", // by which a primary knows this standby
                    name,
                    "synchronous_standby_names",
                    "ANY 1 (" + String.join(", ", all) + ")",
                    "max_connections",
                    "200",
                    "wal_keep_size",
                    "1GB"));
  }

  EmbeddedPostgres engine() {
    return requireNonNull(engine);
  }

  /** {@code host:port}. */
  String address() {
    return "127.0.0.1:" + options.port();
  }

  /** Makes the first primary, which has no standby yet. */
  void found() {
    EmbeddedPostgres.start(PostgresOptions.in(folder).withPort(options.port())).close();
    engine = EmbeddedPostgres.start(options);
  }

  /** Becomes a copy of a primary and follows it from then on, whatever it was before. */
  void copy(SitePostgres primary) throws SQLException {
    if (engine != null) {
      engine.close();
    }
    try (Connection backup = primary.connect()) {
      BenchSql.update(backup, BACKUP);
      new ProcessBuilder("sh", "-c", COPY, "sh", primary.folder.toString(), folder.toString())
          .start()
          .waitFor();
      String label = BenchSql.one(backup, row -> requireNonNull(row.getString(1)), LABEL);
      Files.writeString(folder.resolve(CLUSTER).resolve("backup_label"), label);
      Path settings = folder.resolve(CLUSTER).resolve("postgresql.auto.conf");
      Files.writeString(
          settings,
          Files.readString(settings, UTF_8)
              + "primary_conninfo = '"
              + primary.connectionInfo()
              + "'\n");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot copy " + primary.folder, e);
    } catch (InterruptedException e) {
      throw BenchWait.interrupted("the copy of a database", e);
    }
    engine = EmbeddedPostgres.start(options);
  }

  private String connectionInfo() {
    return "host=127.0.0.1 port=%d user=%s password=%s"
        .formatted(options.port(), engine().user(), engine().password());
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(engine().jdbcUrl(), engine().user(), engine().password());
  }

  private void run(String sql) throws SQLException {
    try (Connection connection = connect()) {
      BenchSql.update(connection, sql);
    }
  }

  private long number(String sql) throws SQLException {
    try (Connection connection = connect()) {
      return BenchSql.number(connection, sql);
    }
  }

  /** Bytes of log that this standby has received. */
  long received() throws SQLException {
    return number(RECEIVED);
  }

  long standbys() throws SQLException {
    return number(STREAMING);
  }

  /** Rows that were written here since it started, and commits that are not acknowledged. */
  public long writes() throws SQLException {
    return number(WRITES);
  }

  /** Connections that were opened here since it started. */
  public long sessions() throws SQLException {
    return number(SESSIONS);
  }

  /** Cuts the connections of all nodes. */
  public void cutNodes() throws SQLException {
    run(CUT);
  }

  void promote() throws SQLException {
    run(PROMOTE);
  }

  /** Lets this standby follow another primary. */
  void follow(SitePostgres primary) throws SQLException {
    run("alter system set primary_conninfo = '" + primary.connectionInfo() + "'");
    run("select pg_reload_conf()");
  }

  /** All its processes. */
  RunningProcess processes() {
    return RunningProcess.find(engine().pid()).orElseThrow();
  }

  @Override
  public void close() {
    if (engine != null) {
      engine.close();
    }
  }
}
