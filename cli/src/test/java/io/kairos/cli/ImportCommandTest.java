package io.kairos.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import io.grpc.Status;
import io.kairos.api.v1.ApplyScheduleRequest;
import io.kairos.api.v1.ApplyScheduleResponse;
import io.kairos.api.v1.PauseScheduleRequest;
import io.kairos.api.v1.PlannedFire;
import io.kairos.api.v1.PreviewScheduleRequest;
import io.kairos.api.v1.PreviewScheduleResponse;
import io.kairos.api.v1.Schedule;
import io.kairos.cli.ScriptedNode.Said;
import io.kairos.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kairos import ...}: from files and from a Postgres with the tables of others. */
final class ImportCommandTest {
  private static final ScriptedNode NODE = new ScriptedNode();

  @TempDir Path folder;

  @AfterAll
  static void stop() {
    NODE.close();
  }

  @AfterEach
  void forget() {
    NODE.forget();
  }

  /** A node that would fire at the same times as the original tells: at none that is compared. */
  private static final PreviewScheduleResponse SAME =
      PreviewScheduleResponse.newBuilder().setDescription("in English").build();

  private static final List<String> QUARTZ =
      List.of(
          """
          create table qrtz_job_details (sched_name text, job_name text, job_group text, job_class_name text,
            is_nonconcurrent boolean)\
          """,
          """
          create table qrtz_triggers (sched_name text, trigger_name text, trigger_group text, job_name text,
            job_group text, next_fire_time bigint, trigger_state text, trigger_type text, start_time bigint,
            end_time bigint, calendar_name text, misfire_instr smallint)\
          """,
          """
          create table qrtz_cron_triggers (sched_name text, trigger_name text, trigger_group text,
            cron_expression text, time_zone_id text)\
          """,
          """
          create table qrtz_simple_triggers (sched_name text, trigger_name text, trigger_group text,
            repeat_count bigint, repeat_interval bigint, times_triggered bigint)\
          """,
          "insert into qrtz_job_details values ('s', 'j', 'g', 'com.acme.ReportJob', true)");

  private static final ApplyScheduleResponse CREATED =
      ApplyScheduleResponse.newBuilder()
          .setOutcome(ApplyScheduleResponse.Outcome.CREATED)
          .setSchedule(Schedule.newBuilder().setName("n"))
          .build();

  @Test
  void what_differs_is_shown_side_by_side_and_not_stored() throws Exception {
    Path file = Files.writeString(folder.resolve("tab"), "0 3 * * * backup\n@reboot x\n");
    NODE.answers(SAME);

    Said said = NODE.kairos("import crontab " + file + " --zone=UTC --count=1");

    assertThat(said.code()).isEqualTo(1);
    assertThat(said.out())
        .contains("0 3 * * * UTC  -> crontab/backup", "in English", "THERE", "differs")
        .contains("--accept-differences")
        .contains("when the machine starts")
        .endsWith("0 imported, 2 not");
    assertThat(NODE.request(PreviewScheduleRequest.class).getSchedule().getCron().getExpression())
        .isEqualTo("0 3 * * *");
    assertThat(NODE.wasNotAsked()).isTrue();
  }

  @Test
  void differences_can_be_accepted_and_a_refusal_does_not_stop_the_others() throws Exception {
    Path file = Files.writeString(folder.resolve("tab"), "0 3 * * * a\n0 4 * * * b\n");
    NODE.refuses(Status.INVALID_ARGUMENT.withDescription("no").asRuntimeException());
    NODE.answers(SAME, CREATED);

    Said said =
        NODE.kairos("import crontab " + file + " --zone=UTC --accept-differences --dry-run");

    assertThat(said.code()).isEqualTo(1);
    assertThat(said.out())
        .contains("not imported: ", ": would be created")
        .endsWith("1 can be imported, 1 not");
    NODE.request(PreviewScheduleRequest.class);
    NODE.request(PreviewScheduleRequest.class);
    assertThat(NODE.request(ApplyScheduleRequest.class).getDryRun()).isTrue();
  }

  private static String database(String... statements) throws Exception {
    EmbeddedPostgres postgres = EmbeddedPostgres.shared();
    String url = postgres.newDatabase();
    try (Connection connection =
            DriverManager.getConnection(url, postgres.user(), postgres.password());
        Statement statement = connection.createStatement()) {
      for (String one : statements) {
        statement.execute(one);
      }
    }
    return url;
  }

  /** With the tables of Quartz, and one job. */
  private static String quartz(String... statements) throws Exception {
    List<String> all = new ArrayList<>(QUARTZ);
    all.addAll(List.of(statements));
    return database(all.toArray(String[]::new));
  }

  private static PreviewScheduleResponse at(String... fireTimes) {
    PreviewScheduleResponse.Builder preview = PreviewScheduleResponse.newBuilder();
    for (String time : fireTimes) {
      preview.addFires(
          PlannedFire.newBuilder()
              .setFireTime(
                  Timestamp.newBuilder().setSeconds(Instant.parse(time).getEpochSecond())));
    }
    return preview.build();
  }

  private Said imported(String url, String words) throws Exception {
    EmbeddedPostgres postgres = EmbeddedPostgres.shared();
    Path password = Files.writeString(folder.resolve("password"), postgres.password());
    return NODE.kairos(
        "import %s %s --user=%s --password-file=%s"
            .formatted(words, url, postgres.user(), password));
  }

  @Test
  void triggers_of_quartz_are_read_from_its_tables() throws Exception {
    String url =
        quartz(
            """
            insert into qrtz_triggers values
              ('s', 'cron', 'DEFAULT', 'j', 'g', 1, 'WAITING', 'CRON', 0, 0, null, 2),
              ('s', 'every', 'grp', 'j', 'g', 4102444800000, 'PAUSED', 'SIMPLE', 4102444800000, 0, null, 0),
              ('s', 'int', 'grp', 'j', 'g', 1, 'WAITING', 'CAL_INT', 0, 0, null, 0),
              ('s', 'past', 'grp', 'j', 'g', -1, 'COMPLETE', 'SIMPLE', 0, 0, null, 0)\
            """,
            "insert into qrtz_cron_triggers values ('s', 'cron', 'DEFAULT', '0 0 9 ? * 2#1',"
                + " 'Europe/Berlin')",
            "insert into qrtz_simple_triggers values ('s', 'every', 'grp', -1, 60000, 0)");
    NODE.answers(SAME, CREATED, SAME, CREATED);

    Said said = imported(url, "quartz --dry-run --accept-differences --count=2");

    assertThat(said.err()).isEmpty();
    assertThat(said.out())
        .contains("0 0 9 ? * 2#1 Europe/Berlin  -> cron")
        .contains("every PT1M  -> grp/every", "2100-01-01T00:00:00Z", "2100-01-01T00:01:00Z")
        .contains("type CAL_INT, which has no counterpart")
        .contains("has ended")
        .contains("would be paused")
        .endsWith("2 can be imported, 2 not");
    Schedule cron = NODE.request(PreviewScheduleRequest.class).getSchedule();
    assertThat(cron.getCron().getDialect()).isEqualTo(Schedule.Cron.Dialect.QUARTZ);
    assertThat(cron.getTarget().getHandler()).isEqualTo("ReportJob");
    assertThat(cron.getPolicies().getOverlap()).isEqualTo(Schedule.Policies.Overlap.BUFFER_ONE);
    assertThat(cron.getPolicies().getCatchUp().getMode()).isEqualTo(Schedule.CatchUp.Mode.NONE);
    NODE.request(ApplyScheduleRequest.class);
    Schedule every = NODE.request(PreviewScheduleRequest.class).getSchedule();
    assertThat(every.getEvery().getSeconds()).isEqualTo(60);
    assertThat(every.getStartAt().getSeconds()).isEqualTo(4_102_444_800L);
  }

  @Test
  void what_quartz_counts_by_milliseconds_is_the_same_at_whole_seconds() throws Exception {
    String url =
        quartz(
            """
            insert into qrtz_triggers values
              ('s', 'every', 'DEFAULT', 'j', 'g', 4102444800123, 'WAITING', 'SIMPLE', 4102444800123, 0, null, 0),
              ('s', 'once', 'DEFAULT', 'j', 'g', 4102444800999, 'WAITING', 'SIMPLE', 4102444800999, 0, null, 0)\
            """,
            "insert into qrtz_simple_triggers values ('s', 'every', 'DEFAULT', -1, 60000, 0),"
                + " ('s', 'once', 'DEFAULT', 0, 0, 0)");
    NODE.answers(
        at("2100-01-01T00:00:00Z", "2100-01-01T00:01:00Z"),
        CREATED,
        at("2100-01-01T00:00:00Z"),
        CREATED);

    Said said = imported(url, "quartz --count=2");

    assertThat(said.out())
        .contains("whole second")
        .doesNotContain("differs")
        .endsWith("2 imported, 0 not");
    Timestamp second = Timestamp.newBuilder().setSeconds(4_102_444_800L).build();
    NODE.request(PreviewScheduleRequest.class);
    assertThat(NODE.request(ApplyScheduleRequest.class).getSchedule().getStartAt())
        .isEqualTo(second);
    NODE.request(PreviewScheduleRequest.class);
    Schedule once = NODE.request(ApplyScheduleRequest.class).getSchedule();
    assertThat(once.getAt()).isEqualTo(second);
    assertThat(once.getStartAt()).isEqualTo(second);
  }

  @Test
  void a_cron_trigger_of_quartz_fires_at_its_end_and_a_simple_one_before() throws Exception {
    String url =
        quartz(
            """
            insert into qrtz_triggers values
              ('s', 'cron', 'DEFAULT', 'j', 'g', 1, 'WAITING', 'CRON', 4102444800000, 4102531200500, null, 0),
              ('s', 'every', 'DEFAULT', 'j', 'g', 4102444800123, 'WAITING', 'SIMPLE', 4102444800123, 4102444920123, null, 0)\
            """,
            "insert into qrtz_cron_triggers values ('s', 'cron', 'DEFAULT', '0 0 0 * * ?', 'UTC')",
            "insert into qrtz_simple_triggers values ('s', 'every', 'DEFAULT', -1, 60000, 0)");
    NODE.answers(
        at("2100-01-01T00:00:00Z", "2100-01-02T00:00:00Z"),
        CREATED,
        at("2100-01-01T00:00:00Z", "2100-01-01T00:01:00Z"),
        CREATED);

    Said said = imported(url, "quartz");

    assertThat(said.out()).doesNotContain("differs").endsWith("2 imported, 0 not");
    NODE.request(PreviewScheduleRequest.class);
    assertThat(NODE.request(ApplyScheduleRequest.class).getSchedule().getEndAt())
        .isEqualTo(Timestamp.newBuilder().setSeconds(4_102_531_201L).build());
    NODE.request(PreviewScheduleRequest.class);
    assertThat(NODE.request(ApplyScheduleRequest.class).getSchedule().getEndAt())
        .isEqualTo(Timestamp.newBuilder().setSeconds(4_102_444_920L).build());
  }

  @Test
  void what_fires_here_after_the_original_has_ended_differs() throws Exception {
    String url =
        quartz(
            """
            insert into qrtz_triggers values
              ('s', 'twice', 'DEFAULT', 'j', 'g', 4102444800000, 'WAITING', 'SIMPLE', 4102444740000, 0, null, 0)\
            """,
            "insert into qrtz_simple_triggers values ('s', 'twice', 'DEFAULT', 1, 60000, 1)");
    NODE.answers(at("2100-01-01T00:00:00Z", "2100-01-01T00:01:00Z"));

    Said said = imported(url, "quartz");

    assertThat(said.code()).isEqualTo(1);
    assertThat(said.out())
        .containsPattern("- +2100-01-01T00:01:00Z +differs")
        .endsWith("0 imported, 1 not");
  }

  @Test
  void what_could_not_be_compared_is_stored_only_on_demand() throws Exception {
    String url =
        quartz(
            "insert into qrtz_triggers values ('s', 'cron', 'DEFAULT', 'j', 'g', 1, 'WAITING',"
                + " 'CRON', 0, 0, null, 0)",
            "insert into qrtz_cron_triggers values ('s', 'cron', 'DEFAULT', 'not a rule', 'UTC')");
    Path tab = Files.writeString(folder.resolve("tab"), "0~59 3 * * * by chance\n");
    NODE.answers(at("2100-01-01T00:00:00Z"), at("2100-01-01T00:00:00Z"));
    NODE.answers(at("2100-01-01T00:00:00Z"), CREATED);

    Said quartz = imported(url, "quartz");
    Said crontab = NODE.kairos("import crontab " + tab);
    Said accepted = NODE.kairos("import crontab " + tab + " --accept-differences");

    assertThat(List.of(quartz.code(), crontab.code(), accepted.code())).containsExactly(1, 1, 0);
    assertThat(quartz.out())
        .contains("not compared", "may fire at other times", "--accept-differences")
        .endsWith("0 imported, 1 not");
    assertThat(crontab.out()).contains("not compared").endsWith("0 imported, 1 not");
    assertThat(accepted.out()).contains("not compared").endsWith("1 imported, 0 not");
  }

  @Test
  void what_is_paused_there_and_could_not_be_paused_here_is_no_success() throws Exception {
    String url =
        quartz(
            """
            insert into qrtz_triggers values
              ('s', 'once', 'DEFAULT', 'j', 'g', 4102444800000, 'PAUSED', 'SIMPLE', 4102444800000, 0, null, 0)\
            """,
            "insert into qrtz_simple_triggers values ('s', 'once', 'DEFAULT', 0, 0, 0)");
    NODE.answers(
        at("2100-01-01T00:00:00Z"),
        CREATED.toBuilder()
            .setSchedule(Schedule.newBuilder().setName("once").setState(Schedule.State.ACTIVE))
            .build());
    NODE.refuses(Status.NOT_FOUND.withDescription("gone").asRuntimeException());

    Said said = imported(url, "quartz");

    assertThat(said.code()).isEqualTo(1);
    assertThat(said.out()).contains("stored but NOT paused: ").endsWith("0 imported, 1 not");
    NODE.request(PreviewScheduleRequest.class);
    NODE.request(ApplyScheduleRequest.class);
    assertThat(NODE.request(PauseScheduleRequest.class).getName()).isEqualTo("once");
  }

  @Test
  void a_fixed_delay_of_db_scheduler_begins_when_it_was_due_there() throws Exception {
    String url =
        database(
            """
            create table scheduled_tasks (task_name text, task_instance text, task_data bytea,
              execution_time timestamp with time zone)\
            """,
            """
            insert into scheduled_tasks
            select n, 'x', '{"schedule":{"type":"fixedDelay","duration":30.0}}'::bytea, t
            from (values ('due', '2100-01-01T00:00:00.123Z'::timestamptz), ('overdue', '2020-01-01T00:00:00.5Z')) v (n, t)
            order by n\
            """);
    NODE.answers(at("2100-01-01T00:00:00Z"), CREATED, at("2099-01-01T00:00:00Z"), CREATED);

    Said said = imported(url, "dbscheduler --count=1");

    assertThat(said.out())
        .contains("is overdue there since 2020-01-01T00:00:00Z")
        .doesNotContain("differs")
        .endsWith("2 imported, 0 not");
    NODE.request(PreviewScheduleRequest.class);
    assertThat(NODE.request(ApplyScheduleRequest.class).getSchedule().getStartAt().getSeconds())
        .isEqualTo(4_102_444_800L);
  }

  @Test
  void recurring_tasks_of_db_scheduler_are_read_as_far_as_the_table_tells() throws Exception {
    String url =
        database(
            """
            create table scheduled_tasks (task_name text, task_instance text, task_data bytea,
              execution_time timestamp with time zone)\
            """);
    EmbeddedPostgres postgres = EmbeddedPostgres.shared();
    try (Connection connection =
            DriverManager.getConnection(url, postgres.user(), postgres.password());
        PreparedStatement insert =
            connection.prepareStatement(
                "insert into scheduled_tasks values (?, ?, ?, '2100-01-01T00:00:00Z')")) {
      Object[][] rows = {
        {
          "cron",
          "a",
          "{\"schedule\":{\"type\":\"cron\",\"pattern\":\"0 0 4 * * MON\",\"zoneId\":\"Europe/Berlin\",\"cronStyle\":\"SPRING53\"},\"data\":1}"
              .getBytes(UTF_8)
        },
        {
          "daily",
          "recurring",
          "{\"schedule\":{\"type\":\"daily\",\"times\":[[8,30],[17,30]],\"zone\":\"UTC\"}}"
              .getBytes(UTF_8)
        },
        {
          "delay", "x", "{\"schedule\":{\"type\":\"fixedDelay\",\"duration\":30.0}}".getBytes(UTF_8)
        },
        {"once", "y", null},
        {"serial", "z", new byte[] {(byte) 0xAC, (byte) 0xED, 0, 5}},
        {"static", "recurring", null}
      };
      for (Object[] row : rows) {
        insert.setString(1, (String) row[0]);
        insert.setString(2, (String) row[1]);
        insert.setBytes(3, (byte[]) row[2]);
        insert.execute();
      }
    }
    NODE.answers(SAME, CREATED, SAME, CREATED, SAME, CREATED);

    Said said = imported(url, "dbscheduler --dry-run --accept-differences --count=1");

    assertThat(said.err()).isEmpty();
    assertThat(said.out())
        .contains("0 0 4 * * MON (spring53) Europe/Berlin  -> cron/a")
        .contains("serialised Java object")
        .contains("its rule stands in the program")
        .doesNotContain("once/y")
        .endsWith("3 can be imported, 2 not");
    Schedule cron = NODE.request(PreviewScheduleRequest.class).getSchedule();
    assertThat(cron.getCron().getDayMatch()).isEqualTo(Schedule.Cron.DayMatch.BOTH);
    NODE.request(ApplyScheduleRequest.class);
    assertThat(NODE.request(PreviewScheduleRequest.class).getSchedule().getCron().getExpression())
        .isEqualTo("0 30 8,17 * * *");
    NODE.request(ApplyScheduleRequest.class);
    assertThat(
            NODE.request(PreviewScheduleRequest.class).getSchedule().getDelayAfter().getSeconds())
        .isEqualTo(30);
  }

  @Test
  void a_database_without_a_driver_is_named_without_its_password() {
    Said said = NODE.kairos("import quartz jdbc:oracle:thin:@host?password=secret");

    assertThat(said.code()).isEqualTo(1);
    assertThat(said.err()).contains("no driver for jdbc:oracle").doesNotContain("secret");
  }
}
