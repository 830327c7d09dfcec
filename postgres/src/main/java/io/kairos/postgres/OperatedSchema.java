package io.kairos.postgres;

import static java.util.Objects.requireNonNull;

import io.kairos.postgres.sql.FailureText;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlFailure;
import io.kairos.postgres.sql.SqlStatement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What operators do with the schema when nodes do not migrate it: read its SQL, and bring it up to
 * date as a user of their choice. Used by commands, on one thread.
 */
public final class OperatedSchema {
  private static final SqlStatement GRANTS = SqlStatement.load("schema_grants.sql");

  private OperatedSchema() {}

  /** The SQL of the migrations with a higher number, in the order in which they run. */
  public static String sql(int after) {
    try {
      URI folder = requireNonNull(OperatedSchema.class.getResource("migration")).toURI();
      if (!"jar".equals(folder.getScheme())) {
        return sql(Path.of(folder), after);
      }
      try (FileSystem _ = FileSystems.newFileSystem(folder, Map.of())) {
        return sql(Path.of(folder), after);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the migrations", e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String sql(Path folder, int after) throws IOException {
    TreeMap<Integer, Path> files = new TreeMap<>();
    try (DirectoryStream<Path> migrations = Files.newDirectoryStream(folder, "V*.sql")) {
      for (Path file : migrations) {
        String name = name(file);
        files.put(Integer.parseInt(name.substring(1, name.indexOf("__"))), file);
      }
    }
    StringBuilder all = new StringBuilder();
    for (Path file : files.tailMap(after, false).values()) {
      all.append("-- ").append(name(file)).append("\n\n");
      all.append(Files.readString(file)).append('\n');
    }
    return all.toString();
  }

  private static String name(Path file) {
    return requireNonNull(file.getFileName()).toString();
  }

  /**
   * Brings the schema up to date as the user of the configuration, and gives a role what nodes need
   * that run as it. Idempotent; repeat it for each version, because new tables need new grants.
   *
   * @param role null for no grants, as when nodes run as the user that migrates
   * @return the version of the schema
   * @throws UnsafeStoreException as {@link PostgresStores#open} does
   * @throws io.kairos.engine.node.StoreUnavailable when the database does not answer, or refuses
   */
  public static int migrate(PostgresConfig config, @Nullable String role) {
    ServerTimelines timelines = new ServerTimelines();
    int version = PostgresStores.migrate(config, timelines);
    if (role != null) {
      grant(ConnectionSource.forMigrations(config, timelines), role);
    }
    return version;
  }

  private static void grant(ConnectionSource source, String role) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      List<String> grants =
          GRANTS.on(connection).with("role", role).list(row -> NonNullColumns.text(row, 1));
      for (String grant : grants) {
        statement.execute(grant);
      }
    } catch (SQLException e) {
      throw FailureText.unavailable("granting rights to " + role, e);
    } catch (SqlFailure e) {
      throw FailureText.unavailable("granting rights to " + role, e.failure());
    }
  }
}
