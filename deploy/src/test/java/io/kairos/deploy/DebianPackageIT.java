package io.kairos.deploy;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.embedded.LoopbackPort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The Debian package on a fresh Debian, from its installation to its purge. systemd does not run
 * there: the unit is checked by its own tool, and its command is run as its user.
 */
@Timeout(600)
class DebianPackageIT {
  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final Path PACKAGE = TARGET.resolve("kairos_" + Version.current() + "_amd64.deb");
  private static final String UNIT = "/usr/lib/systemd/system/kairos.service";

  /** 128 and the number of the signal. */
  private static final int TERMINATED = 143;

  private static final Pattern DATABASE = Pattern.compile("127\\.0\\.0\\.1:\\d+");

  private static DebianRoot root;

  @BeforeAll
  static void a_fresh_debian() throws Exception {
    root = DebianRoot.make(TARGET.resolve("debian"));
  }

  @Test
  void it_serves_at_once_outlives_an_upgrade_and_leaves_nothing_when_it_is_purged()
      throws Exception {
    long sinceNanos = System.nanoTime();
    install(PACKAGE);
    String default_ = "/etc/default/kairos";
    Files.writeString(
        root.file(default_),
        "KAIROS_HTTP_PORT=%d\nKAIROS_POSTGRES_PORT=%d\n"
            .formatted(LoopbackPort.choose(), LoopbackPort.choose()),
        StandardOpenOption.APPEND);

    String database;
    try (Command node = node()) {
      database = ready(node);
      performATask();
      Figures.note("installed and first task performed after %.1f s", secondsSince(sinceNanos));
      checkWhatIsInstalled();
      laterSchema(database);

      node.terminateChild();
      assertThat(node.awaitEnd()).as(node.printed()).isEqualTo(TERMINATED);
    }

    install(later());
    assertThat(root.file(default_)).content().contains("KAIROS_HTTP_PORT=");
    try (Command refused = node()) {
      assertThat(refused.awaitEnd()).isEqualTo(1);
      assertThat(refused.printed())
          .contains(
              "a later build has migrated the database to version 1000", "nothing was changed");
    }
    takeBackTheSchema(database);
    try (Command node = node()) {
      ready(node);
      assertThat(kairos("task list --handler greet")).contains("greet");
      node.terminateChild();
      assertThat(node.awaitEnd()).isEqualTo(TERMINATED);
    }

    root.run("dpkg", "--remove", "kairos");
    assertThat(root.file("/usr/bin/kairos")).doesNotExist();
    assertThat(root.file("/usr/lib/kairos")).doesNotExist();
    assertThat(root.file("/etc/kairos/kairos.yaml")).exists();
    assertThat(root.file("/var/lib/kairos/postgres")).exists();
    root.run("dpkg", "--purge", "kairos");
    assertThat(root.run("find", "/etc", "/usr", "/var", "/lib", "-name", "*kairos*")).isEmpty();
  }

  private static void install(Path deb) throws Exception {
    Files.deleteIfExists(root.file("/kairos.deb"));
    Files.createLink(root.file("/kairos.deb"), deb);
    assertThat(root.run("dpkg", "--install", "/kairos.deb")).doesNotContain("kairos: ");
    assertThat(root.run("dpkg", "--audit")).isEmpty();
  }

  /** As systemd would start it. */
  private static Command node() throws Exception {
    String unit = Files.readString(root.file(UNIT));
    return root.start(
        value(unit, "User") + ":" + value(unit, "Group"),
        "sh",
        "-c",
        "set -a; . %s; cd %s; exec %s"
            .formatted(
                value(unit, "EnvironmentFile").replaceFirst("^-", ""),
                value(unit, "WorkingDirectory"),
                value(unit, "ExecStart")));
  }

  private static String value(String unit, String key) {
    Matcher line = Pattern.compile("(?m)^" + key + "=(.*)$").matcher(unit);
    assertThat(line.find()).as(key).isTrue();
    return requireNonNull(line.group(1));
  }

  /** Waits until the node is ready, and returns the address of its database. */
  private static String ready(Command node) throws Exception {
    Matcher database = DATABASE.matcher(node.awaitLine(line -> line.startsWith("  postgres ")));
    assertThat(database.find()).as(node.printed()).isTrue();
    assertThat(node.printed()).contains("is ready after");
    return "jdbc:postgresql://" + database.group() + "/kairos";
  }

  private static void performATask() throws Exception {
    root.run("mkfifo", "--mode=666", "/tmp/greeted");
    try (Command worker =
        root.start(
            "nobody:nogroup",
            "sh",
            "-c",
            environment()
                + "exec kairos worker exec --handler greet -- sh -c 'cat >/tmp/greeted'")) {
      assertThat(kairos("task add greet --payload world")).isNotEmpty();
      // Opened by the task: waits for it.
      assertThat(Files.readString(root.file("/tmp/greeted")))
          .as(worker.printed())
          .isEqualTo("world");
    }
  }

  private static String kairos(String words) throws Exception {
    return root.run("sh", "-c", environment() + "kairos " + words);
  }

  private static String environment() throws Exception {
    Matcher port =
        Pattern.compile("KAIROS_HTTP_PORT=(\\d+)")
            .matcher(Files.readString(root.file("/etc/default/kairos")));
    assertThat(port.find()).isTrue();
    return "export KAIROS_ADDRESS=127.0.0.1:" + port.group(1) + "; ";
  }

  private static void checkWhatIsInstalled() throws Exception {
    // The units of systemd itself, which that Debian lacks.
    Command.run(
        "cp", "-rn", "/usr/lib/systemd/system/.", root.file("/usr/lib/systemd/system").toString());
    assertThat(
            Command.run(
                "systemd-analyze",
                "--man=no",
                "--root=" + root.folder(),
                "verify",
                "kairos.service"))
        .isEmpty();
    assertThat(root.file("/etc/systemd/system/multi-user.target.wants/kairos.service"))
        .isSymbolicLink();
    assertThat(root.run("getent", "passwd", "kairos"))
        .endsWith(":/var/lib/kairos:/usr/sbin/nologin");
    for (String folder : new String[] {"/var/lib/kairos", "/var/log/kairos"}) {
      assertThat(root.run("stat", "--format=%U:%G %a", folder)).isEqualTo("kairos:kairos 750");
    }
    // Everybody who starts Kairos loads these.
    for (String archive : new String[] {"kairos-cli.jsa", "kairos-server.jsa"}) {
      assertThat(root.run("stat", "--format=%U", "/var/cache/kairos/" + archive)).isEqualTo("root");
    }
    assertThat(root.run("find", "/usr/lib/kairos", "/var/cache/kairos", "!", "-user", "root"))
        .isEmpty();
    assertThat(
            root.run(
                "find", "/usr/lib/kairos", "/usr/bin/kairos", "-perm", "/022", "!", "-type", "l"))
        .isEmpty();
    Figures.note(
        "installed size %s", root.run("du", "-sm", "/usr/lib/kairos").replaceFirst("\\s.*", " MB"));
  }

  /** As if a later build had taken something away. */
  private static void laterSchema(String database) throws Exception {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          insert into flyway_schema_history
            (installed_rank, version, description, type, script, checksum, installed_by, execution_time, success)
          values (1000, '1000', 'contract after 999 drop it', 'SQL', 'V1000__contract_after_999_drop_it.sql', 1, 'kairos', 0, true)
          """);
    }
  }

  /**
   * Starts the database by itself, shows that nothing was changed in it, and takes the row away.
   */
  private static void takeBackTheSchema(String database) throws Exception {
    String port = database.replaceFirst(".*:(\\d+)/.*", "$1");
    try (Command postgres =
        root.start(
            "kairos:kairos",
            "sh",
            "-c",
            "exec /var/lib/kairos/.cache/kairos/postgres-*/bin/postgres -D /var/lib/kairos/postgres/pg18 -h 127.0.0.1 -k /tmp -p "
                + port)) {
      postgres.awaitLine(line -> line.contains("ready to accept connections"));
      try (Connection connection = connect(database);
          Statement statement = connection.createStatement()) {
        try (ResultSet latest =
            statement.executeQuery(
                "select version from flyway_schema_history where version is not null order by installed_rank desc limit 2")) {
          assertThat(latest.next()).isTrue();
          assertThat(latest.getString(1)).isEqualTo("1000");
        }
        statement.execute("delete from flyway_schema_history where version = '1000'");
      }
      postgres.terminateChild();
      assertThat(postgres.awaitEnd()).isZero();
    }
  }

  private static Connection connect(String database) throws Exception {
    String password =
        Files.readString(root.file("/var/lib/kairos/postgres/postgres.password")).strip();
    try {
      return DriverManager.getConnection(database, "kairos", password);
    } catch (SQLException e) {
      throw new IllegalStateException(database, e);
    }
  }

  /** The same package as a later version. */
  private static Path later() throws Exception {
    Path parts = TARGET.resolve("later");
    Path later = TARGET.resolve("later.deb");
    Command.run("rm", "-rf", parts.toString());
    Command.run("dpkg-deb", "--raw-extract", PACKAGE.toString(), parts.toString());
    Path control = parts.resolve("DEBIAN/control");
    Files.writeString(
        control, Files.readString(control).replaceFirst("(?m)^Version: .*$", "Version: 999.0.0"));
    assertThat(Files.getPosixFilePermissions(parts.resolve("DEBIAN/postinst")))
        .isEqualTo(PosixFilePermissions.fromString("rwxr-xr-x"));
    Command.run("dpkg-deb", "-Znone", "--build", parts.toString(), later.toString());
    return later;
  }

  private static double secondsSince(long nanos) {
    return (System.nanoTime() - nanos) / 1e9;
  }
}
