package io.kairos.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.kairos.cli.ScriptedNode.Said;
import io.kairos.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;

/** A database of its own with the tables of another system. */
record OriginDatabase(String url) {
  /** After these statements; one may be several. */
  static OriginDatabase of(String... statements) throws Exception {
    OriginDatabase origin = new OriginDatabase(EmbeddedPostgres.shared().newDatabase());
    origin.execute(statements);
    return origin;
  }

  /** The tables of another system, from a resource. */
  static String tables(String name) throws IOException {
    try (InputStream in = OriginDatabase.class.getResourceAsStream("origins/" + name + ".sql")) {
      return new String(requireNonNull(in, name).readAllBytes(), UTF_8);
    }
  }

  Connection connect() throws Exception {
    EmbeddedPostgres postgres = EmbeddedPostgres.shared();
    return DriverManager.getConnection(url, postgres.user(), postgres.password());
  }

  void execute(String... statements) throws Exception {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String one : statements) {
        statement.execute(one);
      }
    }
  }

  /** The only value of a query. */
  String value(String query) throws Exception {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return requireNonNull(row.getString(1));
    }
  }

  /** What {@code kairos import} says, for the words behind it without the database. */
  Said imported(ScriptedNode node, Path folder, String words) throws Exception {
    EmbeddedPostgres postgres = EmbeddedPostgres.shared();
    Path password = Files.writeString(folder.resolve("password"), postgres.password());
    return node.kairos(
        "import %s %s --user=%s --password-file=%s"
            .formatted(words, url, postgres.user(), password));
  }
}
