package io.kairos.server.wiring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the pages in docs/moving-in tell to type, typed in its order against the tables of others.
 */
class MovingInPageTest {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```$");
  private static final Path ORIGINS =
      Path.of("..", "cli", "src", "test", "resources", "io", "kairos", "cli", "origins");

  /** The file that a page shows in a block of this language. */
  private static final Map<String, String> FILES =
      Map.of("", "crontab", "yaml", "schedule.yml", "json", "beat.json");

  private static final String JOBRUNR_DETAILS =
      """
      "version": 1, "jobSignature": "com.acme.Mailer.send(java.lang.Integer)", "jobName": "mail",
      "jobDetails": {"className": "com.acme.Mailer", "methodName": "send", "jobParameters":
        [{"className": "java.lang.Integer", "actualClassName": "java.lang.Integer", "object": 5}]},
      """;

  /** What stands in the tables of a system. */
  private static final Map<String, String> ROWS =
      Map.of(
          "quartz",
          """
          insert into qrtz_job_details values
            ('s', 'report', 'g', null, 'com.acme.ReportJob', true, true, false, false, null);
          insert into qrtz_triggers (sched_name, trigger_name, trigger_group, job_name, job_group, next_fire_time,
              trigger_state, trigger_type, start_time, end_time, misfire_instr)
            values ('s', 'nightly', 'DEFAULT', 'report', 'g', 4102444800000, 'WAITING', 'CRON', 0, 0, 2);
          insert into qrtz_cron_triggers values ('s', 'nightly', 'DEFAULT', '0 30 2 * * ?', 'Europe/Berlin');
          """,
          "db-scheduler",
          """
          insert into scheduled_tasks (task_name, task_instance, task_data, execution_time) values
            ('report', 'x', '{"schedule":{"type":"fixedDelay","duration":30.0}}', '2100-01-01 00:00Z'),
            ('once', 'y', null, '2100-01-01 00:00Z');
          """,
          "jobrunr",
          """
          insert into jobrunr_recurring_jobs values ('nightly', 1, '{%s
            "id": "nightly", "scheduleExpression": "30 2 * * *", "zoneId": "Europe/Berlin", "createdAt": "2026-01-01T00:00:00Z"}');
          insert into jobrunr_jobs values ('00000000-0000-4000-8000-000000000001', 1, '{%s "jobHistory":
            [{"state": "SCHEDULED", "createdAt": "2026-01-01T00:00:00Z", "scheduledAt": "2100-01-01T00:00:00Z"}]}',
            's', 'SCHEDULED', now(), now());
          """
              .formatted(JOBRUNR_DETAILS, JOBRUNR_DETAILS),
          "pg-boss",
          """
          insert into pgboss.queue (name) values ('mail');
          insert into pgboss.schedule (name, cron, timezone, data) values ('mail', '30 2 * * *', 'Europe/Berlin', '{"a": 1}');
          insert into pgboss.job (name, data, start_after) values ('mail', '{"b": 2}', now()), ('mail', null, '2100-01-01 00:00Z');
          """,
          "river",
          """
          insert into river_job (kind, args, max_attempts, queue, priority) values ('sort', '{"a": [2, 1]}', 25, 'slow', 3);
          insert into river_job (kind, args, max_attempts, state, scheduled_at)
            select 'email:send', jsonb_build_object('to', i), 25, 'scheduled', '2100-01-01 00:00Z' from generate_series(1, 120) i;
          """);

  @AutoClose private static final RunningNode node = Configured.started();

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "crontab",
        "quartz",
        "db-scheduler",
        "jobrunr",
        "pg-boss",
        "river",
        "sidekiq",
        "celery"
      })
  void the_commands_of_a_page_work_in_their_order(String page) throws Exception {
    String url = ROWS.containsKey(page) ? origin(page) : "";
    Path secret = Files.writeString(folder.resolve("secret"), EmbeddedPostgres.shared().password());
    List<List<String>> imports = new ArrayList<>();

    for (MatchResult block : BLOCK.matcher(page(page)).results().toList()) {
      String text = requireNonNull(block.group(2));
      String file = FILES.get(block.group(1));
      if (file != null) {
        Files.writeString(folder.resolve(file), text);
        continue;
      }
      for (String line : text.lines().filter(MovingInPageTest::isTyped).toList()) {
        List<String> words = words(line, url, secret);
        Said said = kairos(words);
        assertThat(said.err()).as(line).isEmpty();
        assertThat(said.code()).as(line + "\n" + said.out()).isZero();
        if (words.getFirst().equals("import")) {
          imports.add(words);
        }
      }
    }

    assertThat(imports).hasSizeGreaterThan(1);
    for (List<String> words : imports) {
      String again = kairos(words).out();
      assertThat(again).doesNotContain(": created", "differs").contains(", 0 not");
      if (words.get(1).equals("river") || words.get(1).endsWith("-jobs")) {
        assertThat(again)
            .containsPattern("(\n|^)(0 imported, [0-9]+ imported before|[0-9]+ can be)");
      } else {
        assertThat(again).contains("unchanged");
      }
    }
  }

  private static boolean isTyped(String line) {
    return line.startsWith("./kairos ") && !line.startsWith("./kairos worker");
  }

  private static String page(String page) throws IOException {
    return Files.readString(Path.of("..", "docs", "moving-in", page + ".md"));
  }

  private List<String> words(String line, String url, Path secret) {
    List<String> words = new ArrayList<>(Arrays.asList(line.split(" ")));
    words.removeFirst();
    words.replaceAll(word ->
        switch (word) {
          case "jdbc:postgresql://db/app" -> url;
          case "app" -> EmbeddedPostgres.shared().user();
          case "secret" -> secret.toString();
          default ->
              FILES.containsValue(word) && Files.exists(folder.resolve(word))
                  ? folder.resolve(word).toString()
                  : word;
        });
    // The command of a crontab is named like its file.
    words.set(1, line.split(" ", 4)[2]);
    return words;
  }

  private static Said kairos(List<String> typed) {
    List<String> words = new ArrayList<>(typed);
    words.add(1, "--address=" + Configured.address(node));
    return Said.of(words);
  }

  /** A database with the tables of a system, and what stands in them. */
  private static String origin(String page) throws Exception {
    EmbeddedPostgres postgres = EmbeddedPostgres.shared();
    String url = postgres.newDatabase();
    try (Connection connection =
            DriverManager.getConnection(url, postgres.user(), postgres.password());
        Statement statement = connection.createStatement()) {
      statement.execute(
          page.equals("quartz")
              ? tablesOfQuartz()
              : Files.readString(ORIGINS.resolve(page.replace("-", "") + ".sql")));
      statement.execute(requireNonNull(ROWS.get(page)));
    }
    return url;
  }

  /** As Quartz ships them. */
  private static String tablesOfQuartz() throws IOException {
    try (InputStream in =
        MovingInPageTest.class.getResourceAsStream(
            "/org/quartz/impl/jdbcjobstore/tables_postgres.sql")) {
      return new String(requireNonNull(in).readAllBytes(), UTF_8);
    }
  }
}
