package io.kairos.cli;

import io.kairos.cli.imports.Reading;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.Properties;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which database to read, and as whom. */
final class JdbcOptions {
  @Parameters(paramLabel = "JDBC-URL", description = "Such as jdbc:postgresql://host/database.")
  String url = "";

  @Option(names = "--user", description = "Of the database.")
  @Nullable String user;

  @Option(
      names = "--password-file",
      description = "File with its password (default: the password in JDBC_PASSWORD).")
  @Nullable Path passwordFile;

  @Option(names = "--driver", description = "Jar with the JDBC driver; that of Postgres is there.")
  @Nullable Path driver;

  /** Reads schedules from a connection. */
  interface Source {
    Reading read(Connection connection) throws SQLException;
  }

  /** Connects for reading only. */
  Reading read(Source source) throws IOException, SQLException {
    URL[] jars = driver == null ? new URL[0] : new URL[] {driver.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(jars, JdbcOptions.class.getClassLoader())) {
      for (Driver one : ServiceLoader.load(Driver.class, loader)) {
        if (one.acceptsURL(url)) {
          try (Connection connection = one.connect(url, login())) {
            connection.setReadOnly(true);
            return source.read(connection);
          }
        }
      }
    }
    throw new IllegalArgumentException(
        "no driver for " + url.replaceAll("[?;].*", "") + ": name its jar by --driver");
  }

  private Properties login() throws IOException {
    Properties login = new Properties();
    if (user != null) {
      login.setProperty("user", user);
    }
    String password =
        passwordFile == null
            ? System.getenv("JDBC_PASSWORD")
            : Files.readString(passwordFile).strip();
    if (password != null && !password.isEmpty()) {
      login.setProperty("password", password);
    }
    return login;
  }
}
