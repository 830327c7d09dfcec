package io.kairos.server.wiring.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kairos.client.TaskOutcome;
import io.kairos.client.TaskType;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.TaskId;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.inprocess.InProcessStartException;
import io.kairos.inprocess.Kairos;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * An application may not change its database. The line of docs/in-process.md and that of the
 * refused start are typed as another user, in a process of its own.
 */
class MigratingAsOwnerPageTest {
  private static final TaskType<String> GREET = TaskType.of("greet", PayloadCodec.utf8());
  private static final Pattern LINE =
      Pattern.compile("(?m)^(KAIROS_POSTGRES_PASSWORD_FILE=.* )?kairos schema migrate .*$");
  private static final Pattern IN_A_MESSAGE = Pattern.compile("\"(kairos schema migrate [^\"]*)\"");

  private final String url = EmbeddedPostgres.shared().newDatabase();

  @TempDir Path folder;

  /** Roles are those of all databases, so they are not named like those of the page. */
  @BeforeEach
  void make_the_roles() throws Exception {
    EmbeddedPostgres postgres = EmbeddedPostgres.shared();
    try (Connection connection =
            DriverManager.getConnection(url, postgres.user(), postgres.password());
        Statement statement = connection.createStatement()) {
      for (String role : List.of("page_owner", "page_app")) {
        statement.execute(
            "do $$ begin create role %s login password 'of %s'; exception when duplicate_object then null; end $$"
                .formatted(role, role));
      }
      statement.execute(
          "grant create on database %s to page_owner".formatted(url.replaceAll(".*/|\\?.*", "")));
    }
  }

  @Test
  void the_line_of_the_page_lets_an_application_without_rights_start() throws Exception {
    assertRefused();

    String page = Files.readString(Path.of("..", "docs", "in-process.md"));
    List<String> lines = LINE.matcher(page).results().map(MatchResult::group).toList();
    assertThat(lines).hasSize(1);
    type(lines.getFirst());

    assertStarts();
  }

  @Test
  void the_line_of_the_refused_start_does() throws Exception {
    type("KAIROS_POSTGRES_PASSWORD_FILE=owner-password " + command(assertRefused()));

    assertStarts();
  }

  private static String command(String message) {
    return IN_A_MESSAGE
        .matcher(message)
        .results()
        .map(found -> requireNonNull(found.group(1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no command in: " + message));
  }

  private Kairos.Builder application() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url);
    source.setUser("page_app");
    source.setPassword("of page_app");
    return Kairos.inProcess(source).withoutMigration().handle(GREET, (name, context) -> {});
  }

  private String assertRefused() {
    String[] message = new String[1];
    assertThatExceptionOfType(InProcessStartException.class)
        .isThrownBy(() -> application().start())
        .satisfies(refused -> message[0] = String.valueOf(refused.getMessage()));
    return requireNonNull(message[0]);
  }

  private void assertStarts() {
    try (Kairos kairos = application().start()) {
      TaskId id = kairos.client().schedule(GREET.task("you").build());

      assertThat(kairos.client().await(id, Duration.ofMinutes(1)))
          .isInstanceOf(TaskOutcome.Succeeded.class);
    }
  }

  private void type(String line) throws Exception {
    Path password = Files.writeString(folder.resolve("owner-password"), "of page_owner");
    Map<String, String> here =
        Map.of(
            "--grant-to app",
            "--grant-to page_app",
            "--grant-to USER",
            "--grant-to page_app",
            "postgres.user=owner",
            "postgres.user=page_owner",
            "postgres.user=OWNER",
            "postgres.user=page_owner",
            "jdbc:postgresql://localhost/shop",
            url,
            "postgres.url=URL",
            "postgres.url=" + url,
            "=owner-password",
            "=" + password);
    String typed = line;
    for (Map.Entry<String, String> each : here.entrySet()) {
      typed = typed.replace(each.getKey(), each.getValue());
    }
    List<String> words = new ArrayList<>(List.of(typed.split(" ")));
    ProcessBuilder program =
        new ProcessBuilder(
            Path.of(requireNonNull(System.getProperty("java.home")), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            requireNonNull(System.getProperty("java.class.path")),
            Main.class.getName());
    while (words.getFirst().contains("=")) {
      String[] variable = words.removeFirst().split("=", 2);
      program.environment().put(variable[0], variable[1]);
    }
    assertThat(words.removeFirst()).isEqualTo("kairos");
    program.command().addAll(words);
    Process process = program.redirectErrorStream(true).start();

    String said = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said).contains("the schema has version");
  }
}
