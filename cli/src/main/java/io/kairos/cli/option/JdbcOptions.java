package io.kairos.cli.option;

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

/** The database to read, with user and password. */
public final class JdbcOptions {
  @Parameters(paramLabel = "JDBC-URL", description = "Such as jdbc:postgresql://host/database.")
  String url = "";

  @Option(names = "--user", description = "User of the database.")
  @Nullable String user;

  @Option(
      names = "--password-file",
      description = "File with the user's password (default: the password in JDBC_PASSWORD).")
  @Nullable Path passwordFile;

  @Option(
      names = "--driver",
      description = "Jar with the JDBC driver; the driver of Postgres is included.")
  @Nullable Path driver;

  /** Reads from a connection. */
  public interface Source {
    void read(Connection connection) throws SQLException;
  }

  /**
   * Connects, and reads in read-only transactions.
   *
   * @param source gets a connection without autocommit; it may end its transaction at any time
   */
  public void read(Source source) throws IOException, SQLException {
    URL[] jars = driver == null ? new URL[0] : new URL[] {driver.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(jars, JdbcOptions.class.getClassLoader())) {
      for (Driver one : ServiceLoader.load(Driver.class, loader)) {
        if (one.acceptsURL(url)) {
          try (Connection connection = one.connect(url, login())) {
            connection.setReadOnly(true);
            connection.setAutoCommit(false); // outside of a transaction, drivers ignore read-only
            source.read(connection);
            connection.rollback();
            return;
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
