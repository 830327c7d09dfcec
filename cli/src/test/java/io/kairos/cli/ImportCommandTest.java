package io.kairos.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
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

  /** The payload of the schedule whose preview was asked for next. */
  private static String payloadAsked() throws Exception {
    return NODE.request(PreviewScheduleRequest.class)
        .getSchedule()
        .getTarget()
        .getPayload()
        .toStringUtf8();
  }

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
        .contains("not imported: ", ": would be created", "would be created: 1\n")
        .endsWith("1 can be imported, 1 not");
    NODE.request(PreviewScheduleRequest.class);
    NODE.request(PreviewScheduleRequest.class);
    assertThat(NODE.request(ApplyScheduleRequest.class).getDryRun()).isTrue();
  }

  /** With the tables of Quartz, and one job. */
  private static OriginDatabase quartz(String... statements) throws Exception {
    List<String> all = new ArrayList<>(QUARTZ);
    all.addAll(List.of(statements));
    return OriginDatabase.of(all.toArray(String[]::new));
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

  private Said imported(OriginDatabase origin, String words) throws Exception {
    return origin.imported(NODE, folder, words);
  }

  @Test
  void triggers_of_quartz_are_read_from_its_tables() throws Exception {
    OriginDatabase origin =
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

    Said said = imported(origin, "quartz --dry-run --accept-differences --count=2");

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
    OriginDatabase origin =
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

    Said said = imported(origin, "quartz --count=2");

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
    OriginDatabase origin =
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

    Said said = imported(origin, "quartz");

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
    OriginDatabase origin =
        quartz(
            """
            insert into qrtz_triggers values
              ('s', 'twice', 'DEFAULT', 'j', 'g', 4102444800000, 'WAITING', 'SIMPLE', 4102444740000, 0, null, 0)\
            """,
            "insert into qrtz_simple_triggers values ('s', 'twice', 'DEFAULT', 1, 60000, 1)");
    NODE.answers(at("2100-01-01T00:00:00Z", "2100-01-01T00:01:00Z"));

    Said said = imported(origin, "quartz");

    assertThat(said.code()).isEqualTo(1);
    assertThat(said.out())
        .containsPattern("- +2100-01-01T00:01:00Z +differs")
        .endsWith("0 imported, 1 not");
  }

  @Test
  void what_could_not_be_compared_is_stored_only_on_demand() throws Exception {
    OriginDatabase origin =
        quartz(
            "insert into qrtz_triggers values ('s', 'cron', 'DEFAULT', 'j', 'g', 1, 'WAITING',"
                + " 'CRON', 0, 0, null, 0)",
            "insert into qrtz_cron_triggers values ('s', 'cron', 'DEFAULT', 'not a rule', 'UTC')");
    Path tab = Files.writeString(folder.resolve("tab"), "0~59 3 * * * by chance\n");
    NODE.answers(at("2100-01-01T00:00:00Z"), at("2100-01-01T00:00:00Z"));
    NODE.answers(at("2100-01-01T00:00:00Z"), CREATED);

    Said quartz = imported(origin, "quartz");
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
    OriginDatabase origin =
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

    Said said = imported(origin, "quartz");

    assertThat(said.code()).isEqualTo(1);
    assertThat(said.out()).contains("stored but NOT paused: ").endsWith("0 imported, 1 not");
    NODE.request(PreviewScheduleRequest.class);
    NODE.request(ApplyScheduleRequest.class);
    assertThat(NODE.request(PauseScheduleRequest.class).getName()).isEqualTo("once");
  }

  @Test
  void a_fixed_delay_of_db_scheduler_begins_when_it_was_due_there() throws Exception {
    OriginDatabase origin =
        OriginDatabase.of(
            OriginDatabase.tables("dbscheduler"),
            """
            insert into scheduled_tasks
            select n, 'x', '{"schedule":{"type":"fixedDelay","duration":30.0}}'::bytea, t
            from (values ('due', '2100-01-01T00:00:00.123Z'::timestamptz), ('overdue', '2020-01-01T00:00:00.5Z')) v (n, t)
            order by n\
            """);
    NODE.answers(at("2100-01-01T00:00:00Z"), CREATED, at("2099-01-01T00:00:00Z"), CREATED);

    Said said = imported(origin, "dbscheduler --count=1");

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
    OriginDatabase origin = OriginDatabase.of(OriginDatabase.tables("dbscheduler"));
    try (Connection connection = origin.connect();
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

    Said said = imported(origin, "dbscheduler --dry-run --accept-differences --count=1");

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
  void schedules_of_pg_boss_are_read_with_their_data_and_what_is_left_is_named() throws Exception {
    OriginDatabase origin =
        OriginDatabase.of(
            "create schema boss",
            """
            create table boss.schedule (name text not null, key text not null default '',
              kind text not null default 'cron', cron text not null, timezone text, data jsonb, options jsonb,
              created_on timestamptz not null default now(), updated_on timestamptz not null default now(),
              color text, primary key (name, key))\
            """,
            """
            insert into boss.schedule (name, key, kind, cron, timezone, data, options, color) values
              ('mail', 'eu', 'cron', '0 0 1 1 *', 'Europe/Berlin', '{"a": 1}', '{"missed": "once", "retryLimit": 3}', 'red'),
              ('n', '', 'cron', 'x', 'Mars/Base', null, null, null),
              ('o', '', 'moon', 'full', 'UTC', null, null, null)\
            """);
    NODE.answers(SAME, CREATED);

    Said said = imported(origin, "pgboss --schema=boss --dry-run --accept-differences --count=1");

    assertThat(said.err()).isEmpty();
    assertThat(said.out())
        .contains("0 0 1 1 * Europe/Berlin  -> mail/eu")
        .containsPattern("20\\d\\d-12-31T23:00:00Z") // New Year in Berlin
        .contains("option retryLimit is not taken over", "column color is not taken over")
        .contains("Mars/Base", "of the kind moon")
        .endsWith("1 can be imported, 2 not");
    Schedule mail = NODE.request(PreviewScheduleRequest.class).getSchedule();
    assertThat(mail.getTarget().getHandler()).isEqualTo("mail");
    assertThat(mail.getTarget().getPayload().toStringUtf8()).isEqualTo("{\"a\": 1}");
    assertThat(mail.getPolicies().getCatchUp().getMode()).isEqualTo(Schedule.CatchUp.Mode.LATEST);
  }

  @Test
  void a_table_of_pg_boss_before_keys_is_read_too() throws Exception {
    OriginDatabase origin =
        OriginDatabase.of(
            "create schema pgboss",
            """
            create table pgboss.schedule (name text primary key, cron text not null, timezone text, data jsonb,
              options jsonb, created_on timestamptz default now(), updated_on timestamptz default now())\
            """,
            "insert into pgboss.schedule (name, cron) values ('n', '0 0 1 1 *')");
    NODE.answers(SAME);

    Said said = imported(origin, "pgboss --count=1");

    assertThat(said.out()).contains("0 0 1 1 * UTC  -> n", "differs").endsWith("0 imported, 1 not");
  }

  @Test
  void recurring_jobs_of_jobrunr_are_read_with_their_details() throws Exception {
    String job =
        """
        {"version":0,"jobSignature":"com.acme.Mailer.send(java.lang.Integer)","jobName":"n","labels":["x"],
         "jobDetails":{"className":"com.acme.Mailer","methodName":"send","jobParameters":
           [{"className":"java.lang.Integer","actualClassName":"java.lang.Integer","object":5}]},
         "id":"i","scheduleExpression":"%s","zoneId":"UTC","createdAt":"2100-01-01T00:00:00.500Z"}\
        """;
    OriginDatabase origin =
        OriginDatabase.of(
            OriginDatabase.tables("jobrunr"),
            "insert into jobrunr_recurring_jobs values ('a', 1, '%s')"
                .formatted(job.formatted("PT10M")),
            "insert into jobrunr_recurring_jobs values ('b', 1, '%s')"
                .formatted(job.formatted("0 0 L * *")),
            "insert into jobrunr_recurring_jobs values ('c', 1, '%s')"
                .formatted(job.formatted("0 0 * * * [PT1H/PT2H]")),
            "insert into jobrunr_recurring_jobs values ('d', 1, '[]')");
    NODE.answers(at("2100-01-01T00:10:00Z"), CREATED, SAME);

    Said said = imported(origin, "jobrunr --count=1");

    assertThat(said.err()).isEmpty();
    assertThat(said.out())
        .contains("PT10M UTC  -> a", "labels is not taken over", "whole second")
        .contains("not compared")
        .contains("carbon-aware", "no JSON object")
        .doesNotContain("differs")
        .endsWith("1 imported, 3 not");
    Schedule every = NODE.request(PreviewScheduleRequest.class).getSchedule();
    assertThat(every.getEvery().getSeconds()).isEqualTo(600);
    assertThat(every.getStartAt().getSeconds()).isEqualTo(4_102_444_800L);
    assertThat(every.getTarget().getHandler()).isEqualTo("Mailer.send");
    assertThat(every.getTarget().getPayload().toStringUtf8())
        .startsWith("{\"className\":\"com.acme.Mailer\"")
        .contains("\"object\":5");
  }

  @Test
  void a_file_of_sidekiq_is_read_with_zones_symbols_and_pauses() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("schedule.yml"),
            """
            :schedule:
              report:
                cron: '0 0 1 1 * America/New_York'
                class: Billing::Report
                queue: low
                args: [1, a]
                status: disabled
              poll:
                every: ['90s', first_in: 5s]
                class: Poll
              words:
                cron: every day at five
                class: Words
              nothing:
                class: Nothing
            """);
    NODE.answers(SAME, CREATED, SAME, CREATED);

    Said said = NODE.kairos("import sidekiq " + file + " --dry-run --accept-differences --count=1");

    assertThat(said.err()).isEmpty();
    assertThat(said.out())
        .contains("0 0 1 1 * America/New_York  -> report", "queue is not taken over")
        .containsPattern("20\\d\\d-01-01T05:00:00Z") // New Year in New York
        .contains("would be paused", "first_in", "natural language", "neither cron nor every")
        .endsWith("2 can be imported, 2 not");
    Schedule report = NODE.request(PreviewScheduleRequest.class).getSchedule();
    assertThat(report.getTarget().getHandler()).isEqualTo("Billing.Report");
    assertThat(report.getTarget().getPayload().toStringUtf8()).isEqualTo("[1,\"a\"]");
    assertThat(report.getTimeZone()).isEqualTo("America/New_York");
    NODE.request(ApplyScheduleRequest.class);
    assertThat(NODE.request(PreviewScheduleRequest.class).getSchedule().getCron().getExpression())
        .isEqualTo("@every 90s");
  }

  @Test
  void a_beat_schedule_of_celery_is_read_and_days_match_both() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("beat.json"),
            """
            {"timezone": "Europe/Berlin", "beat_schedule": {
              "friday": {"task": "proj.tasks.pay", "args": [16], "options": {"queue": "q"}, "schedule":
                {"minute": "0", "hour": "{0}", "day_of_month": "13", "month_of_year": "*", "day_of_week": "fri"}},
              "often": {"task": "proj.tasks.poll", "schedule": 30.0},
              "sun": {"task": "proj.tasks.sun", "schedule": "<solar: sunset>"}}}
            """);
    NODE.answers(SAME, CREATED, SAME, CREATED);

    Said said = NODE.kairos("import celery " + file + " --dry-run --accept-differences --count=1");

    assertThat(said.err()).isEmpty();
    assertThat(said.out())
        .contains("0 0 13 * fri Europe/Berlin  -> friday", "options is not taken over")
        .containsPattern("20\\d\\d-\\d\\d-12T2[23]:00:00Z") // midnight of a 13th in Berlin
        .contains("every 30.0 s  -> often", "neither a number of seconds")
        .endsWith("2 can be imported, 1 not");
    Schedule friday = NODE.request(PreviewScheduleRequest.class).getSchedule();
    assertThat(friday.getCron().getDayMatch()).isEqualTo(Schedule.Cron.DayMatch.BOTH);
    assertThat(friday.getTarget().getPayload().toStringUtf8())
        .isEqualTo("{\"args\":[16],\"kwargs\":{}}");
    NODE.request(ApplyScheduleRequest.class);
    assertThat(NODE.request(PreviewScheduleRequest.class).getSchedule().getEvery().getSeconds())
        .isEqualTo(30);
  }

  @Test
  void a_file_that_is_too_long_or_no_schedule_is_refused() throws Exception {
    Path list = Files.writeString(folder.resolve("list"), "- a\n");
    Path big = Files.writeString(folder.resolve("big"), "#".repeat((3 << 20) + 1));

    assertThat(NODE.kairos("import sidekiq " + list).err()).contains("a schedule per name");
    assertThat(NODE.kairos("import celery " + big).err()).contains("more than 3,145,728 bytes");
  }

  @Test
  void lines_below_a_zone_that_nobody_knows_are_not_imported() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("crontab"),
            "CRON_TZ=Mars\n0 3 * * * lost\nCRON_TZ=UTC\nSHELL=\n0 3 * * * kept % in\n");
    NODE.answers(SAME, CREATED);

    Said said = NODE.kairos("import crontab " + file + " --accept-differences --count=1");

    assertThat(said.out())
        .contains("is no known zone: the lines below are not imported")
        .contains("is below a CRON_TZ that is no known zone")
        .contains("0 3 * * * UTC")
        .endsWith("1 imported, 2 not");
    assertThat(payloadAsked()).startsWith("/bin/sh -c 'kept'");
  }

  @Test
  void a_time_zone_that_nobody_knows_is_refused() throws Exception {
    Path celery =
        Files.writeString(folder.resolve("celery"), "{timezone: Mars, beat_schedule: {}}\n");

    for (String refused :
        List.of("sidekiq x --zone=Mars", "crontab x --zone=Mars", "celery " + celery)) {
      assertThat(NODE.kairos("import " + refused).err())
          .contains("Mars")
          .contains("is no time zone, such as Europe/Berlin")
          .doesNotContain("\tat ");
    }
    assertThat(NODE.wasNotAsked()).isTrue();
  }

  @Test
  void aliases_that_grow_or_go_round_are_refused() throws Exception {
    StringBuilder grows = new StringBuilder("x0: &x0 ['0123456789', '0123456789']\n");
    for (int i = 1; i <= 25; i++) {
      grows.append("x%d: &x%d [*x%d, *x%d]\n".formatted(i, i, i - 1, i - 1));
    }
    grows.append("a: {class: A, cron: '0 0 * * *', args: *x25}\n");
    Path bomb = Files.writeString(folder.resolve("bomb"), grows);
    Path round =
        Files.writeString(
            folder.resolve("round"), "a: {class: A, cron: '0 0 * * *', args: &x [*x]}\n");
    Path roundAtOnce = Files.writeString(folder.resolve("at-once"), "a: {args: &x [*x]}\n");

    assertThat(NODE.kairos("import sidekiq " + bomb).err())
        .contains("aliases for non-scalar nodes exceeds")
        .doesNotContain("\tat ");
    for (String refused : List.of("sidekiq " + round, "celery " + round, "celery " + roundAtOnce)) {
      assertThat(NODE.kairos("import " + refused).err())
          .contains("written out, its aliases have no end")
          .doesNotContain("\tat ");
    }
    assertThat(NODE.wasNotAsked()).isTrue();
  }

  @Test
  void what_json_does_not_have_is_refused_and_the_others_are_imported() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("schedule.yml"),
            """
            date: {class: A, cron: '0 0 1 1 *', args: [2026-01-01]}
            bytes: {class: A, cron: '0 0 1 1 *', args: [!!binary aGk=]}
            fine: {class: A, cron: '0 0 1 1 *', args: ['2026-01-01']}
            """);
    NODE.answers(SAME, CREATED);

    Said said = NODE.kairos("import sidekiq " + file + " --accept-differences --count=1");

    assertThat(said.out()).contains("in quotes").endsWith("1 imported, 2 not");
    assertThat(payloadAsked()).isEqualTo("[\"2026-01-01\"]");
  }

  @Test
  void a_file_in_another_encoding_is_refused_and_not_changed() throws Exception {
    Path file = Files.write(folder.resolve("latin"), "0 0 1 1 * caf\u00e9\n".getBytes(ISO_8859_1));

    for (String command : List.of("crontab ", "sidekiq ", "celery ")) {
      assertThat(NODE.kairos("import " + command + file).err()).contains("latin' is not UTF-8");
    }
    assertThat(NODE.wasNotAsked()).isTrue();
  }

  @Test
  void a_count_that_compares_nothing_or_too_much_is_wrong_usage() throws Exception {
    Path file = Files.writeString(folder.resolve("tab"), "0 3 * * * a\n");

    for (int count : new int[] {-1, 0, 1_001}) {
      Said said = NODE.kairos("import crontab " + file + " --count=" + count);
      assertThat(said.code()).isEqualTo(2);
      assertThat(said.err()).contains("--count: must be 1 to 1,000");
    }
    assertThat(NODE.wasNotAsked()).isTrue();
  }

  @Test
  void a_row_that_cannot_be_computed_does_not_stop_the_others() throws Exception {
    OriginDatabase quartz =
        quartz(
            """
            insert into qrtz_triggers values
              ('s', 'a', 'DEFAULT', 'j', 'g', 4102444800000, 'WAITING', 'SIMPLE', 4102444800000, 0, null, 0),
              ('s', 'b', 'DEFAULT', 'j', 'g', 1, 'WAITING', 'CRON', 0, 0, null, 2)\
            """,
            "insert into qrtz_simple_triggers values ('s', 'a', 'DEFAULT', -1, 9223372036854775807, 0)",
            "insert into qrtz_cron_triggers values ('s', 'b', 'DEFAULT', '0 0 0 1 1 ?', 'UTC')");
    NODE.answers(SAME, CREATED);

    assertThat(imported(quartz, "quartz --accept-differences").out())
        .contains("DEFAULT.a  SIMPLE")
        .endsWith("1 imported, 1 not");

    String job =
        """
        {"jobSignature":"s","jobDetails":{"className":"com.acme.Mailer","methodName":"send","jobParameters":[]},
         "scheduleExpression":"%s","zoneId":"UTC","createdAt":"2100-01-01T00:00:00Z"}\
        """;
    OriginDatabase jobrunr =
        OriginDatabase.of(
            OriginDatabase.tables("jobrunr"),
            "insert into jobrunr_recurring_jobs values ('a', 1, '%s')"
                .formatted(job.formatted("PT2562047788015215H")),
            "insert into jobrunr_recurring_jobs values ('b', 1, '%s')"
                .formatted(job.formatted("0 0 1 1 *")));
    NODE.answers(SAME, CREATED);

    assertThat(imported(jobrunr, "jobrunr --accept-differences").out())
        .contains("a  PT2562047788015215H UTC")
        .endsWith("1 imported, 1 not");
  }

  @Test
  void data_of_db_scheduler_that_cannot_be_read_is_named() throws Exception {
    OriginDatabase origin =
        OriginDatabase.of(
            OriginDatabase.tables("dbscheduler"),
            """
            insert into scheduled_tasks values
              ('a', 'x', '{"schedule": &a {"type": "moon", "x": [*a]}}'::bytea, '2100-01-01T00:00Z'),
              ('b', 'x', '{"schedule":'::bytea, '2100-01-01T00:00Z'),
              ('c', 'x', '{"order": 1}'::bytea, '2100-01-01T00:00Z')\
            """);

    Said said = imported(origin, "dbscheduler --dry-run");

    assertThat(said.err()).isEmpty();
    assertThat(said.out())
        .contains("a/x  next at", "b/x  next at", "its data cannot be read")
        .doesNotContain("c/x")
        .endsWith("0 can be imported, 2 not");
  }

  @Test
  void a_database_without_a_driver_is_named_without_its_password() {
    Said said = NODE.kairos("import quartz jdbc:oracle:thin:@host?password=secret");

    assertThat(said.code()).isEqualTo(1);
    assertThat(said.err()).contains("no driver for jdbc:oracle").doesNotContain("secret");
  }
}
