package io.kairos.embedded;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.embedded.EmbeddedStartException.Problem;
import io.kairos.embedded.process.ProcessLog;
import io.kairos.embedded.process.ProcessSignal;
import io.kairos.embedded.process.RunningProcess;
import io.kairos.embedded.process.WaitDeadline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A Postgres 18 server in a child process of this JVM, on 127.0.0.1 only, whose data is kept. The
 * password is random, and durable settings are verified after each start. The first start unpacks
 * the programs and creates the data (about three seconds); later ones take a fraction of a second.
 * Works as root too. See {@link EmbeddedEngine} for the life of a server.
 */
public final class EmbeddedPostgres extends EmbeddedEngine {
  private static final String NAME = "Postgres";
  private static final String DATABASE = "kairos";
  private static final String DATABASE_OF_INITDB = "postgres";

  /**
   * Fast shutdown (disconnects clients, makes a last checkpoint), then immediate shutdown (the next
   * start recovers). A server without clients is shut down immediately.
   */
  private static final StopSignals STOP_SIGNALS =
      new StopSignals(
          List.of(
              new RunningProcess.StopSignal(ProcessSignal.INT, Duration.ofSeconds(5)),
              new RunningProcess.StopSignal(ProcessSignal.QUIT, Duration.ofSeconds(2))),
          List.of(new RunningProcess.StopSignal(ProcessSignal.QUIT, Duration.ofSeconds(2))));

  private final PostgresOptions options;
  private final PostgresData data;
  private final ProcessIsolation isolation;
  private final PostgresBinaries binaries;
  private final String password;

  private EmbeddedPostgres(PostgresOptions options, PostgresData data, Home home)
      throws IOException, InterruptedException {
    super(home, STOP_SIGNALS, options.port(), LoopbackPort::choose);
    this.options = options;
    this.data = data;
    this.isolation = ProcessIsolation.forDataIn(data.cluster());
    this.binaries = PostgresBinaries.installed(cache(isolation));
    isolation.requireReach(binaries.program("postgres"));
    data.createIfMissing(binaries, isolation, home.log());
    this.password = data.password();
  }

  /**
   * Starts a server on the directory, which is created on first use.
   *
   * @throws EmbeddedStartException with one sentence that names the fault and the remedy
   */
  public static EmbeddedPostgres start(PostgresOptions options) {
    OptionChecks.unix(NAME);
    PostgresData data = PostgresData.in(options.dataDirectory());
    Home home = new Home(NAME, options.dataDirectory(), data.lock(), new ProcessLog(data.log()));
    return start(
        home,
        _ -> {
          home.log().open();
          return new EmbeddedPostgres(options, data, home);
        });
  }

  /**
   * The server that all tests of this JVM share, in a temporary directory; stopped and deleted when
   * the JVM ends.
   */
  public static EmbeddedPostgres shared() {
    return Shared.POSTGRES;
  }

  /** URL of the initial database, which is empty at first, without user and password. */
  public String jdbcUrl() {
    return jdbcUrl(DATABASE);
  }

  public String user() {
    return PostgresData.USER;
  }

  public String password() {
    return password;
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

  @Override
  StateFile state() {
    return StateFile.ofPostmaster(data.cluster());
  }

  @Override
  String[] marks() {
    return new String[] {"postgres", data.cluster().toString()};
  }

  /**
   * Removes a leftover state file when no process works in the cluster's directory. The process id
   * in it may by now belong to another program (in a container even to a thread of this JVM), and
   * Postgres would refuse to start while that program runs.
   */
  @Override
  void forgetLeftovers(WaitDeadline deadline) throws IOException, InterruptedException {
    if (state().pid().isPresent()
        && Files.isDirectory(Path.of("/proc/self"))
        && deadline.await(() -> !someoneWorksIn(data.cluster()))) {
      Files.deleteIfExists(state().path());
    }
  }

  /**
   * Every process of a Postgres server, orphaned ones too, has the cluster as its working
   * directory.
   */
  private static boolean someoneWorksIn(Path cluster) {
    try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
      return all.anyMatch(process -> cluster.equals(workingDirectory(process.pid())));
    }
  }

  private static Path workingDirectory(long pid) {
    try {
      return Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "cwd"));
    } catch (IOException goneOrNotOurs) {
      return Path.of("/");
    }
  }

  @Override
  ChildProcess spawn(int chosenPort) throws IOException, InterruptedException {
    Map<String, String> environment = new HashMap<>(PostgresData.ENVIRONMENT);
    environment.putAll(options.environment());
    return ChildProcess.start(
        isolation, ProcessSignal.INT, command(chosenPort), environment, home().log());
  }

  @Override
  boolean isReason(String logLine) {
    return logLine.contains("FATAL:") || logLine.contains("PANIC:");
  }

  /**
   * The remains of a killed server are still leaving, or a freely chosen port was taken in between.
   */
  @Override
  @GuardedBy("this")
  boolean mayPass(String reason) {
    return reason.contains("postmaster.pid")
        || reason.contains("shared memory")
        || (choosesPort() && reason.contains("listen sockets"));
  }

  @Override
  void prepare() {
    createDatabase();
    requireDurability();
  }

  private static Path cache(ProcessIsolation isolation) {
    return isolation == ProcessIsolation.NOBODY
        ? UserCache.directoryForAll()
        : UserCache.directory();
  }

  private List<String> command(int chosenPort) {
    List<String> command =
        new ArrayList<>(
            List.of(binaries.program("postgres").toString(), "-D", data.cluster().toString()));
    command.addAll(PostgresSettings.arguments(chosenPort, options.settings()));
    return command;
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
                "Postgres runs with %s=%s, with which committed messages can be lost: it must be on."
                    .formatted(setting, value));
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
          "Cannot create the database %s in the embedded Postgres: %s"
              .formatted(DATABASE, e.getMessage()),
          e);
    }
  }

  private Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(jdbcUrl(database), user(), password);
  }

  private String jdbcUrl(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port() + "/" + database;
  }

  /**
   * Holds the instance for tests; in a class of its own so that nothing starts before it is asked
   * for.
   */
  private static final class Shared {
    /** Classes of tests keep their pools until the JVM ends, and a JVM may get all of them. */
    private static final String SHARED_CONNECTIONS = "500";

    static final EmbeddedPostgres POSTGRES =
        SharedDirectory.keep(
            "postgres",
            directory ->
                EmbeddedPostgres.start(
                    PostgresOptions.in(directory)
                        .withSettings(Map.of("max_connections", SHARED_CONNECTIONS))),
            EmbeddedPostgres::close);
  }
}
