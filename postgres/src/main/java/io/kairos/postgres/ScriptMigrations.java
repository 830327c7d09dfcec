package io.kairos.postgres;

import static java.util.Objects.requireNonNull;

import io.kairos.postgres.sql.FailureText;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlFailure;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Brings the schema up to date inside an application, without Flyway and with Flyway's history, so
 * that servers and applications migrate one schema, whoever comes first. Takes turns with them by
 * the same lock. Runs a script and its note in the history in one transaction. Uses one connection.
 */
final class ScriptMigrations {
  private static final SqlStatement LOCK = SqlStatement.load("migration_lock.sql");
  private static final SqlStatement UNLOCK = SqlStatement.load("migration_unlock.sql");
  private static final SqlStatement ELSEWHERE = SqlStatement.load("schema_elsewhere.sql");
  private static final SqlStatement CREATE = SqlStatement.load("schema_create.sql");
  private static final SqlStatement HISTORY = SqlStatement.load("history.sql");
  private static final SqlStatement HISTORY_EXISTS = SqlStatement.load("history_exists.sql");
  private static final SqlStatement HISTORY_CREATE = SqlStatement.load("history_create.sql");
  private static final SqlStatement HISTORY_INDEX = SqlStatement.load("history_index.sql");
  private static final SqlStatement HISTORY_ADD = SqlStatement.load("history_add.sql");

  private static final SqlStatement LOCK_TIMEOUT_SET = SqlStatement.load("lock_timeout.sql");

  /** Of Kairos' own migrations; an application's may have other ones. */
  private static final Pattern VERSION = Pattern.compile("\\d{1,9}");

  /** As for a node: others wait behind a migration that waits for a lock. */
  private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(1);

  /** Half a minute, as a server waits at its start. */
  private static final int MOST_ATTEMPTS = 30;

  private final Connection connection;
  private final SchemaConfig schema;
  private final List<MigrationScript> scripts = MigrationScript.all();

  private ScriptMigrations(Connection connection, SchemaConfig schema) {
    this.connection = connection;
    this.schema = schema;
  }

  /** A row of the history. */
  private record Made(String description, int checksum, boolean success) {}

  /**
   * Migrates, or checks that others have.
   *
   * @return the number of the latest migration that this build knows
   * @throws UnsafeStoreException when the schema may not be migrated or used
   */
  static int bring(ApplicationDatabase application) {
    ApplicationDatabase patient =
        new ApplicationDatabase(
            application.source(),
            application.connections(),
            application.schema(),
            Duration.ZERO,
            application.connectTimeout(),
            application.allowUnsafeDurability());
    HeldConnections one = new HeldConnections(patient, 1, new ServerTimelines());
    try {
      Connection connection = one.borrow(HeldConnections.FIRST_WITHIN);
      try {
        return new ScriptMigrations(connection, application.schema()).run();
      } finally {
        one.giveBack(connection);
      }
    } catch (SQLException e) {
      if (e.getCause() instanceof UnsafeStoreException unsafe) {
        throw unsafe;
      }
      throw failed(application, e);
    } catch (SqlFailure e) {
      throw failed(application, e.failure());
    } finally {
      one.close();
    }
  }

  private static RuntimeException failed(ApplicationDatabase application, SQLException e) {
    if (ServerSession.INSUFFICIENT_PRIVILEGE.equals(e.getSQLState())) {
      return new UnsafeStoreException(
          "the user of the data source may not bring the schema %s up to date (%s): run %s, and start withoutMigration()"
              .formatted(
                  application.schema().name(), FailureText.of(e), command(application.schema())));
    }
    return SchemaContracts.unavailable(e);
  }

  /** Those who read of it have no settings of a node, which would name the database. */
  private static String command(SchemaConfig schema) {
    return "\"kairos schema migrate --set postgres.url=URL --set postgres.user=OWNER --set postgres.schema=%s --grant-to USER\" with the URL of this database, a user who may change it (password in KAIROS_POSTGRES_PASSWORD), and the user of the data source"
        .formatted(schema.name());
  }

  private int run() throws SQLException {
    if (!schema.isMigratedByNodes()) {
      Map<Integer, Made> made = history();
      check(made);
      List<Integer> missing = missing(made);
      if (!missing.isEmpty()) {
        throw new UnsafeStoreException(
            "the schema %s is %s, this version of Kairos needs version %d, and it is not to migrate it: nothing was changed; run %s; or apply what \"kairos schema print\" prints, in a schema that you make and with rights that you grant"
                .formatted(
                    schema.name(),
                    made.isEmpty() ? "empty or missing" : "version " + latest(made),
                    known(),
                    command(schema)));
      }
      return known();
    }
    LOCK.on(connection).execute();
    try {
      return migrate();
    } finally {
      if (!connection.isClosed()) {
        UNLOCK.on(connection).any();
      }
    }
  }

  private int migrate() throws SQLException {
    for (String elsewhere : ELSEWHERE.on(connection).list(row -> NonNullColumns.text(row, 1))) {
      if (elsewhere.equals(schema.name())) {
        throw new UnsafeStoreException(
            "the user of the data source may not use the schema %s: for the rights of a node run %s"
                .formatted(elsewhere, command(schema)));
      }
      throw new UnsafeStoreException(
          "this database has Kairos' tables in schema %s, and this application names %s: nothing was changed; name the schema by schema(\"%s\") to work beside what runs there; for a second installation first run %s"
              .formatted(elsewhere, schema.name(), elsewhere, command(schema)));
    }
    CREATE.on(connection).execute();
    if (connection.getSchema() == null) {
      throw new UnsafeStoreException(
          "the schema " + schema.name() + " does not exist: nothing was changed");
    }
    Map<Integer, Made> made = history();
    check(made);
    List<Integer> missing = missing(made);
    if (missing.isEmpty()) {
      return known();
    }
    if (made.isEmpty()) {
      boolean isUsed =
          HISTORY_EXISTS.on(connection).one(row -> !row.getBoolean(1) && row.getBoolean(2));
      if (isUsed) {
        throw new UnsafeStoreException(
            "the schema %s has objects and none of Kairos' history: nothing was changed; name a schema of its own"
                .formatted(schema.name()));
      }
      HISTORY_CREATE.on(connection).execute();
      HISTORY_INDEX.on(connection).execute();
    }
    LOCK_TIMEOUT_SET.on(connection).with("millis", LOCK_TIMEOUT.toMillis()).any();
    for (MigrationScript script : scripts) {
      if (missing.contains(script.version())) {
        makePatiently(script, made.isEmpty());
      }
    }
    return known();
  }

  /** Others that wait behind have their turn between two attempts. */
  private void makePatiently(MigrationScript script, boolean isEmpty) throws SQLException {
    for (int attempt = 1; ; attempt++) {
      try {
        make(script, isEmpty);
        return;
      } catch (SQLException e) {
        if (!FailureText.LOCK_TIMEOUT.equals(e.getSQLState()) || attempt == MOST_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private void make(MigrationScript script, boolean isEmpty) throws SQLException {
    if (!isEmpty) {
      SchemaContracts.requireNodes(script.version(), script.description(), connection);
    }
    connection.setAutoCommit(false);
    boolean done = false;
    try {
      execute(script.sql());
      HISTORY_ADD
          .on(connection)
          .with("version", Integer.toString(script.version()))
          .with("description", script.description())
          .with("script", script.file())
          .with("checksum", script.checksum())
          .update();
      connection.commit();
      done = true;
    } finally {
      if (!done) {
        connection.rollback();
      }
      connection.setAutoCommit(true);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private Map<Integer, Made> history() {
    Map<Integer, Made> made = new LinkedHashMap<>();
    if (HISTORY_EXISTS.on(connection).one(row -> row.getBoolean(1))) {
      HISTORY
          .on(connection)
          .each(row -> {
            String version = NonNullColumns.text(row, 1);
            String description = NonNullColumns.text(row, 2);
            if (!VERSION.matcher(version).matches()) {
              throw foreign(version, description);
            }
            made.put(
                Integer.parseInt(version), new Made(description, row.getInt(4), row.getBoolean(5)));
          });
    }
    return made;
  }

  /** Refuses the schema of another build, and one that has lost what this build needs. */
  private void check(Map<Integer, Made> made) {
    for (MigrationScript script : scripts) {
      Made there = made.get(script.version());
      if (there != null && (!there.success || there.checksum != script.checksum())) {
        throw foreign(made);
      }
    }
    made.forEach(
        (version, there) -> SchemaContracts.requireKnown(version, there.description, known()));
    int latest = latest(made);
    for (int missing : missing(made)) {
      if (missing < latest) {
        throw foreign(made);
      }
    }
  }

  private UnsafeStoreException foreign(Map<Integer, Made> made) {
    int latest = latest(made);
    return foreign(Integer.toString(latest), requireNonNull(made.get(latest)).description);
  }

  private UnsafeStoreException foreign(String version, String description) {
    return new UnsafeStoreException(
        "the schema %s is that of another build of Kairos, or of another program: its history has version %s (%s), and this build knows its own versions up to %d: nothing was changed; use that build, or name a schema of Kairos' own"
            .formatted(schema.name(), version, description, known()));
  }

  private List<Integer> missing(Map<Integer, Made> made) {
    return scripts.stream()
        .map(MigrationScript::version)
        .filter(version -> !made.containsKey(version))
        .toList();
  }

  private static int latest(Map<Integer, Made> made) {
    return made.keySet().stream().mapToInt(Integer::intValue).max().orElse(0);
  }

  private int known() {
    return scripts.getLast().version();
  }
}
