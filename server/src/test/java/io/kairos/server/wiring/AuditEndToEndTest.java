package io.kairos.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kairos.cli.CliMain;
import io.kairos.client.KairosClient;
import io.kairos.client.PoolDefinition;
import io.kairos.client.Redrive;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.Task;
import io.kairos.client.TaskQuery;
import io.kairos.client.TaskRequest;
import io.kairos.client.audit.AuditEntry;
import io.kairos.client.audit.AuditQuery;
import io.kairos.client.error.AccessDeniedException;
import io.kairos.client.queue.HandlerPause;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskState;
import io.kairos.client.worker.Worker;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.server.observe.AuditLines;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/**
 * Operators of a whole node with callers: who has done what to which object, with which outcome, is
 * in the table, the API, the command line and the log, and none of their payloads and secrets.
 */
class AuditEndToEndTest {
  private static final String ANA = "token-of-ana-hush";
  private static final String BEN = "token-of-ben-hush";
  private static final String FARM = "token-of-farm-hush";
  private static final String HUSH = "hush";

  private static final ListAppender<ILoggingEvent> LINES = new ListAppender<>();
  private static final Logger AUDIT = (Logger) LoggerFactory.getLogger(AuditLines.LOGGER);
  private static final String DATABASE = EmbeddedPostgres.shared().newDatabase();

  @SuppressWarnings("NullAway.Init") // before all tests
  private static RunningNode node;

  @TempDir private static Path folder;

  @BeforeAll
  static void start() throws Exception {
    LINES.start();
    AUDIT.addAppender(LINES);
    AUDIT.setLevel(Level.INFO);
    node =
        Configured.startedOn(
            DATABASE,
            "http.callers.ana.token-sha256=" + Configured.sha256(ANA),
            "http.callers.ana.roles=admin",
            "http.callers.ben.token-sha256=" + Configured.sha256(BEN),
            "http.callers.ben.roles=submit,read",
            "http.callers.farm.token-sha256=" + Configured.sha256(FARM),
            "http.callers.farm.roles=worker");
  }

  @AfterAll
  static void stop() {
    node.close();
    AUDIT.detachAppender(LINES);
    AUDIT.setLevel(null);
  }

  private static KairosClient client(String token) {
    return KairosClient.builder(Configured.address(node)).token(token).attempts(1).build();
  }

  private static TaskRequest.Builder task() {
    return TaskRequest.to("billing").payload("payload " + HUSH);
  }

  @Test
  void every_change_and_refusal_is_in_table_api_command_line_and_log_without_what_it_carried()
      throws Exception {
    TaskId cancelled;
    try (KairosClient ben = client(BEN)) {
      cancelled = ben.schedule(task().delay(Duration.ofHours(1)).build());
      ben.cancel(cancelled);
      assertThatThrownBy(() -> ben.handlers().setPause(HandlerPause.pause("billing")))
          .isInstanceOf(AccessDeniedException.class);
    }
    List<String> secrets = new ArrayList<>(List.of(HUSH));
    try (KairosClient ana = client(ANA)) {
      ana.handlers().setPause(HandlerPause.pause("billing").of("eu").because("note " + HUSH));
      ana.handlers().endPause("billing", "eu");
      ana.handlers().redrive(Redrive.all().handler("billing"));
      ana.schedules()
          .create(
              ScheduleSpec.named("nightly")
                  .cron("0 3 * * *")
                  .handler("billing")
                  .payload("payload " + HUSH)
                  .build());
      ana.schedules().pause("nightly", "note " + HUSH);
      secrets.addAll(
          ana.pools()
              .create(PoolDefinition.of("push").listed("http://127.0.0.1:9999/" + HUSH))
              .secrets());
      secrets.addAll(ana.pools().rotateKey("push", Duration.ofHours(1)).secrets());
      assertThatThrownBy(() -> ana.schedules().delete("nightlly")).isNotNull();
    }
    kairos(ANA, "handler", "limits", "billing", "--max-running", "3");
    kairos("guessed-" + HUSH, "handler", "list");

    List<AuditEntry> entries;
    try (KairosClient ana = client(ANA)) {
      entries = ended(ana);
      assertThat(ana.audit(AuditQuery.all().caller("ben").outcome("PERMISSION_DENIED")))
          .singleElement()
          .extracting(AuditEntry::action)
          .isEqualTo("SetPause");
      assertThat(ana.audit(AuditQuery.all().kind("pool").object("push").limit(1)))
          .singleElement()
          .extracting(AuditEntry::action)
          .isEqualTo("RotateKey");
    }
    String shown = entries.stream().map(AuditEndToEndTest::line).toList().toString();
    assertThat(entries.stream().map(AuditEndToEndTest::line))
        .containsExactlyInAnyOrder(
            "ben CancelTask task " + cancelled + " : OK",
            "ben SetPause   : PERMISSION_DENIED",
            "ana SetPause handler billing collection=eu: OK",
            "ana EndPause handler billing collection=eu: OK",
            "ana Redrive handler billing : OK",
            "ana CreateSchedule schedule nightly : OK",
            "ana PauseSchedule schedule nightly : OK",
            "ana CreatePool pool push : OK",
            "ana RotateKey pool push : OK",
            "ana DeleteSchedule schedule nightlly : NOT_FOUND",
            "ana UpdateQueue handler billing priority=50: OK",
            " ListHandlers   : UNAUTHENTICATED");
    String table = table();
    String listed = kairos(ANA, "audit", "list", "--limit", "100");
    String json = kairos(ANA, "audit", "list", "--caller", "ana", "--object", "push", "-o", "json");
    String logged = LINES.list.stream().map(AuditEndToEndTest::line).toList().toString();
    for (String where : List.of(table, listed, logged)) {
      assertThat(where)
          .contains("ana", "ben", "SetPause", "billing", "collection=eu", "PERMISSION_DENIED")
          .contains("RotateKey", "push", "UpdateQueue", "priority=50", "UNAUTHENTICATED")
          .contains("CancelTask", cancelled.toString(), "127.0.0.1");
    }
    assertThat(json).contains("\"CreatePool\"", "\"RotateKey\"").doesNotContain("SetPause");
    for (String secret : secrets) {
      assertThat(List.of(shown, table, listed, json, logged))
          .as(secret)
          .noneMatch(where -> where.contains(secret));
    }
  }

  @Test
  void a_task_says_who_submitted_it_and_whose_worker_performed_it() throws Exception {
    try (KairosClient ben = client(BEN);
        Worker worker =
            Worker.builder(Configured.address(node))
                .token(FARM)
                .build()
                .handle("performed", PayloadCodec.utf8(), (_, _) -> {})) {
      worker.start();
      TaskId id = ben.schedule(TaskRequest.to("performed").build());
      long untilNanos = System.nanoTime() + Configured.READY_WITHIN.toNanos();
      Task task = ben.get(id);
      while (task.state() != TaskState.SUCCEEDED && System.nanoTime() - untilNanos < 0) {
        task = ben.get(id);
      }

      assertThat(task.state()).isEqualTo(TaskState.SUCCEEDED);
      assertThat(task.submittedBy()).isEqualTo("ben");
      assertThat(task.performedBy()).isEqualTo("farm");
      assertThat(kairos(BEN, "task", "get", id.toString()))
          .contains("submitted by ben", "performed by farm");
      assertThat(ben.list(TaskQuery.all().handler("performed")).tasks())
          .singleElement()
          .extracting(Task::performedBy)
          .isEqualTo("farm");
    }
  }

  /** All entries, the oldest first, once the outcome of each is written. */
  private static List<AuditEntry> ended(KairosClient client) {
    long untilNanos = System.nanoTime() + Configured.READY_WITHIN.toNanos();
    while (true) {
      List<AuditEntry> entries = client.audit(AuditQuery.all());
      // Refusals before anybody is known are written beside the calls.
      boolean isRefused =
          entries.stream().anyMatch(entry -> entry.outcome().equals("UNAUTHENTICATED"));
      if ((isRefused && entries.stream().noneMatch(entry -> entry.outcome().equals("BEGUN")))
          || System.nanoTime() - untilNanos >= 0) {
        return entries.reversed();
      }
    }
  }

  private static String line(AuditEntry entry) {
    return "%s %s %s %s %s: %s"
        .formatted(
            entry.caller(),
            entry.action(),
            entry.kind(),
            entry.object(),
            entry.detail(),
            entry.outcome());
  }

  private static String line(ILoggingEvent event) {
    return event.getFormattedMessage() + " " + event.getKeyValuePairs();
  }

  /** All that the table has, as text. */
  private static String table() throws SQLException {
    StringBuilder rows = new StringBuilder();
    try (Connection connection =
            DriverManager.getConnection(
                DATABASE, EmbeddedPostgres.shared().user(), EmbeddedPostgres.shared().password());
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery("select a::text from audit_entry a")) {
      while (found.next()) {
        rows.append(found.getString(1)).append('\n');
      }
    }
    return rows.toString();
  }

  /** What the command line prints. */
  private static String kairos(String token, String... words) throws Exception {
    Path file = Files.writeString(folder.resolve("token"), token);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    List<String> all =
        new ArrayList<>(List.of("--address=" + Configured.address(node), "--token-file=" + file));
    all.addAll(List.of(words));
    StringWriter out = new StringWriter();
    CommandLine line = CliMain.commandLine(words[0]);
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(new StringWriter(), true));
    var _ = line.execute(all.toArray(String[]::new));
    return out.toString();
  }
}
