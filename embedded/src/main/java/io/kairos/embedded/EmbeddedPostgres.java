package io.kairos.embedded;

import io.kairos.embedded.EmbeddedStartException.Problem;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Postgres 18 server as a child process of this JVM, on 127.0.0.1 only, with a random password,
 * durable settings that are read back after each start, and data that is kept. The first start
 * unpacks the programs and creates the data (about three seconds), a later one takes a fraction of
 * a second. Works as root too. However this JVM ends, the server shuts down (Linux) or is stopped
 * by the next start.
 *
 * <p>The server's life is driven by one thread at a time (the methods are synchronized); the
 * accessors may be called from any. After {@link #kill()} or a crash of the server nothing restarts
 * it but {@link #restart()}.
 */
public final class EmbeddedPostgres implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedPostgres.class);
  private static final String NAME = "Postgres";
  private static final String DATABASE = "kairos";
  private static final String DATABASE_OF_INITDB = "postgres";

  private final PostgresOptions options;
  private final PostgresData data;
  private final Isolation isolation;
  private final PostgresBinaries binaries;
  private final String password;
  private final DirectoryLock lock;
  private final LogFile log;

  /** 0 until one was chosen; then kept, so that clients find a restarted server again. */
  private int fixedPort;

  private volatile int port;
  private volatile @Nullable Child server;

  private EmbeddedPostgres(
      PostgresOptions options,
      PostgresData data,
      DirectoryLock lock,
      LogFile log,
      Deadline deadline)
      throws IOException, InterruptedException {
    this.options = options;
    this.fixedPort = options.port();
    this.data = data;
    this.lock = lock;
    new Postmaster(data.cluster()).clearLeftovers(deadline);
    this.isolation = Isolation.forDataIn(data.cluster());
    this.binaries = PostgresBinaries.installed(cache(isolation));
    isolation.requireReach(binaries.program("postgres"));
    this.log = log;
    data.createIfMissing(binaries, isolation, log);
    this.password = data.password();
  }

  /**
   * Starts a server on the directory, which is created on first use.
   *
   * @throws EmbeddedStartException with one sentence that says what is wrong and what to do
   */
  public static EmbeddedPostgres start(PostgresOptions options) {
    Require.unix(NAME);
    Deadline deadline = Deadline.in(options.startTimeout());
    PostgresData data = PostgresData.in(options.dataDirectory());
    DirectoryLock lock = data.lock();
    LogFile log = new LogFile(data.log());
    boolean started = false;
    try {
      log.open();
      EmbeddedPostgres postgres = new EmbeddedPostgres(options, data, lock, log, deadline);
      postgres.launch(deadline);
      started = true;
      return postgres;
    } catch (IOException e) {
      throw new EmbeddedStartException(
          Problem.DIRECTORY_UNUSABLE,
          "Cannot start Postgres in " + options.dataDirectory() + ": " + e,
          e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    } finally {
      if (!started) {
        log.close();
        lock.close();
      }
    }
  }

  /**
   * One server for all tests of this JVM, in a temporary directory, stopped and deleted when the
   * JVM ends.
   */
  public static EmbeddedPostgres shared() {
    return Shared.POSTGRES;
  }

  /** Of a database that is there from the start and empty at first; user and password are apart. */
  public String jdbcUrl() {
    return jdbcUrl(DATABASE);
  }

  public String user() {
    return PostgresData.USER;
  }

  public String password() {
    return password;
  }

  public int port() {
    return port;
  }

  /** Of the postmaster. */
  public long pid() {
    return server().pid();
  }

  /** False after a kill or a crash. */
  public boolean isRunning() {
    Child child = server;
    return child != null && child.isRunning();
  }

  /**
   * Creates an empty database with a random name, for one test class, and returns its URL. Takes
   * some tens of milliseconds.
   */
  public String newDatabase() {
    String name = "t_" + UUID.randomUUID().toString().replace("-", "");
    try (Connection connection = connect(DATABASE);
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + name);
      return jdbcUrl(name);
    } catch (SQLException e) {
      throw new IllegalStateException("cannot create a database in the embedded Postgres", e);
    }
  }

  /**
   * Kills the postmaster without a warning (SIGKILL), as a fault does; its other processes notice
   * and leave.
   */
  public synchronized void kill() {
    try {
      server().running().kill();
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Brings the server back on the same port and data; one that still runs is shut down first. */
  public synchronized void restart() {
    Deadline deadline = Deadline.in(options.startTimeout());
    try {
      server().running().leave(Postmaster.SHUTDOWN);
      new Postmaster(data.cluster()).clearLeftovers(deadline);
      launch(deadline);
    } catch (IOException e) {
      throw new EmbeddedStartException(
          Problem.DIRECTORY_UNUSABLE,
          "Cannot restart Postgres in " + options.dataDirectory() + ": " + e,
          e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /**
   * Stops all processes of the server in their tracks (SIGSTOP): connections stay open and get no
   * answer.
   */
  public synchronized void pause() {
    server().running().pause();
  }

  /** Undoes {@link #pause()}. */
  public synchronized void resume() {
    server().running().resume();
  }

  /**
   * Fast shutdown; after five seconds immediate shutdown, after two more SIGKILL. Harmless when
   * called again.
   */
  @Override
  public synchronized void close() {
    try {
      server().running().leave(Postmaster.SHUTDOWN);
    } catch (InterruptedException e) {
      Signal.KILL.send(server().pid());
      Thread.currentThread().interrupt();
    } finally {
      log.close();
      lock.close();
    }
  }

  private void launch(Deadline deadline) throws IOException, InterruptedException {
    boolean usable = false;
    try {
      Child child = spawn();
      while (!awaitReady(child, deadline)) {
        child = spawn();
      }
      createDatabase();
      requireDurability();
      usable = true;
      fixedPort = port;
      LOG.info("embedded Postgres listens on 127.0.0.1:{}, process {}", port, child.pid());
    } finally {
      if (!usable) {
        abandon();
      }
    }
  }

  private Child spawn() throws IOException, InterruptedException {
    int chosen = choosePort();
    Child child =
        Child.start(isolation, Signal.INT, command(chosen), PostgresData.ENVIRONMENT, log);
    server = child;
    port = chosen;
    return child;
  }

  /** Nobody gets to see this server, so nobody would stop it. */
  private void abandon() {
    Child child = server;
    if (child == null) {
      return;
    }
    try {
      child.running().leave(Postmaster.IMMEDIATE_SHUTDOWN);
    } catch (InterruptedException e) {
      Signal.KILL.send(child.pid());
      Thread.currentThread().interrupt();
    }
  }

  private static Path cache(Isolation isolation) {
    return isolation == Isolation.NOBODY ? UserCache.directoryForAll() : UserCache.directory();
  }

  private int choosePort() {
    if (fixedPort == 0) {
      return LoopbackPort.choose();
    }
    LoopbackPort.requireFree(fixedPort, NAME);
    return fixedPort;
  }

  private List<String> command(int chosenPort) {
    List<String> command =
        new ArrayList<>(
            List.of(binaries.program("postgres").toString(), "-D", data.cluster().toString()));
    command.addAll(PostgresSettings.arguments(chosenPort, options.settings()));
    return command;
  }

  /** False: not ready, but worth another try. */
  private boolean awaitReady(Child child, Deadline deadline) throws InterruptedException {
    Postmaster postmaster = new Postmaster(data.cluster());
    deadline.await(() -> !child.isRunning() || postmaster.isReady(child.pid()));
    if (postmaster.isReady(child.pid()) && child.isRunning()) {
      return true;
    }
    if (child.isRunning()) {
      throw new EmbeddedStartException(
          Problem.TOO_SLOW,
          "Postgres was not ready within "
              + options.startTimeout().toSeconds()
              + " s; it may still be recovering from a crash, see "
              + log.path()
              + ".");
    }
    String reason = log.reason(line -> line.contains("FATAL:") || line.contains("PANIC:"));
    if (deadline.hasPassed() || !mayPass(reason)) {
      throw new EmbeddedStartException(
          Problem.ENDED_EARLY, "Postgres ended while it was starting: " + reason);
    }
    deadline.pause();
    return false;
  }

  /**
   * The remains of a killed server are still leaving, or a freely chosen port was taken in between.
   */
  private boolean mayPass(String reason) {
    return reason.contains("postmaster.pid")
        || reason.contains("shared memory")
        || (fixedPort == 0 && reason.contains("listen sockets"));
  }

  /**
   * Asks a session as the users' are: a role or a database can override what the server was started
   * with.
   */
  private void requireDurability() {
    try (Connection connection = connect(DATABASE);
        Statement statement = connection.createStatement()) {
      for (String setting : PostgresSettings.DURABILITY) {
        try (ResultSet row = statement.executeQuery("show " + setting)) {
          row.next();
          String value = row.getString(1);
          if (!"on".equals(value)) {
            throw new EmbeddedStartException(
                Problem.NOT_DURABLE,
                "Postgres runs with "
                    + setting
                    + "="
                    + value
                    + ", with which committed messages can be lost: it must be on.");
          }
        }
      }
    } catch (SQLException e) {
      throw new EmbeddedStartException(
          Problem.ENDED_EARLY, "Cannot connect to the embedded Postgres: " + e.getMessage(), e);
    }
  }

  private void createDatabase() {
    try (Connection connection = connect(DATABASE_OF_INITDB);
        Statement statement = connection.createStatement()) {
      boolean there;
      try (ResultSet row =
          statement.executeQuery("select 1 from pg_database where datname = '" + DATABASE + "'")) {
        there = row.next();
      }
      if (!there) {
        statement.execute("create database " + DATABASE);
      }
    } catch (SQLException e) {
      throw new EmbeddedStartException(
          Problem.ENDED_EARLY,
          "Cannot create the database " + DATABASE + " in the embedded Postgres: " + e.getMessage(),
          e);
    }
  }

  private Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(jdbcUrl(database), user(), password);
  }

  private String jdbcUrl(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
  }

  private Child server() {
    Child child = server;
    if (child == null) {
      throw new IllegalStateException("the embedded Postgres was never started");
    }
    return child;
  }

  private static EmbeddedStartException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new EmbeddedStartException(
        Problem.INTERRUPTED, "Interrupted while waiting for Postgres.", e);
  }

  /**
   * Holds the instance for tests; in a class of its own so that nothing starts before it is asked
   * for.
   */
  private static final class Shared {
    static final EmbeddedPostgres POSTGRES =
        SharedDirectory.keep(
            "postgres",
            directory -> EmbeddedPostgres.start(PostgresOptions.in(directory)),
            EmbeddedPostgres::close);
  }
}
