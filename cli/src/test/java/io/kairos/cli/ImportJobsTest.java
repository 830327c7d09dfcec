package io.kairos.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.BatchScheduleTasksRequest;
import io.kairos.api.v1.BatchScheduleTasksResponse;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.ScheduleTaskResponse;
import io.kairos.cli.ScriptedNode.Said;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kairos import} of jobs, from a Postgres with the tables of others. */
final class ImportJobsTest {
  private static final ScriptedNode NODE = new ScriptedNode();
  private static final String SOME_ID = "019b76da-a800-7000-8000-000000000004";

  @TempDir Path folder;

  @AfterAll
  static void stop() {
    NODE.close();
  }

  @AfterEach
  void forget() {
    NODE.forget();
  }

  private static ScheduleTaskResponse scheduled(boolean before) {
    return ScheduleTaskResponse.newBuilder().setId(SOME_ID).setDuplicate(before).build();
  }

  private static BatchScheduleTasksResponse scheduled(int tasks, boolean before) {
    BatchScheduleTasksResponse.Builder answer = BatchScheduleTasksResponse.newBuilder();
    for (int i = 0; i < tasks; i++) {
      answer.addTasks(scheduled(before));
    }
    return answer.build();
  }

  private static List<ScheduleTaskRequest> sent() {
    return NODE.request(BatchScheduleTasksRequest.class).getTasksList();
  }

  private static OriginDatabase river(String rows) throws Exception {
    return OriginDatabase.of(OriginDatabase.tables("river"), rows);
  }

  @Test
  void jobs_of_river_that_wait_become_tasks() throws Exception {
    OriginDatabase origin =
        river(
            """
            insert into river_job (kind, args, state, attempt, max_attempts, priority, queue, scheduled_at, created_at,
                finalized_at, tags, metadata, unique_key) values
              ('email:send', '{"to": "a"}', 'scheduled', 0, 25, 1, 'default', '2100-01-01 00:00:00.123456Z',
                '2026-01-01 00:00:00Z', null, '{}', '{}', null),
              ('sort', '[1]', 'retryable', 3, 5, 4, 'slow', '2020-01-01 00:00Z', '2026-01-01 00:00Z', null, '{a}', '{"b": 1}', 'x'),
              ('sort', '{}', 'available', 0, 1, 2, 'default', '2020-01-01 00:00Z', '2026-01-01 00:00Z', null, '{}', '{}', null),
              ('sort', '{}', 'completed', 1, 1, 2, 'default', '2020-01-01 00:00Z', '2026-01-01 00:00Z', now(), '{}', '{}', null),
              ('sort', '{}', 'running', 1, 1, 2, 'default', '2020-01-01 00:00Z', '2026-01-01 00:00Z', null, '{}', '{}', null),
              ('sort', '{}', 'pending', 0, 1, 2, 'default', '2020-01-01 00:00Z', '2026-01-01 00:00Z', null, '{}', '{}', null),
              ('sort', jsonb_build_array(repeat('x', 1000000)), 'available', 0, 1, 2, 'default', '2020-01-01 00:00Z',
                '2026-01-01 00:00Z', null, '{}', '{}', null),
              ('sort', '{}', 'scheduled', 0, 1, 2, 'default', 'infinity', '2026-01-01 00:00Z', null, '{}', '{}', null)
            """);
    NODE.answers(scheduled(3, false));

    Said said = origin.imported(NODE, folder, "river");

    assertThat(said.err()).isEmpty();
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.out())
        .contains("river_job 5: not imported: is being performed there")
        .contains("river_job 6: not imported: is pending")
        .contains("river_job 7: not imported: has 1,000,004 bytes")
        .contains("river_job 8: not imported: ", "infinity")
        .containsPattern("email:send +1 +0\n")
        .containsPattern("sort +2 +2\n")
        .contains("note: metadata is not taken over (1)", "note: tags are not taken over (1)")
        .contains("note: unique key is not taken over")
        .endsWith("3 imported, 0 imported before, 4 not");
    List<ScheduleTaskRequest> sent = sent();
    ScheduleTaskRequest email = sent.getFirst();
    assertThat(email.getHandler()).isEqualTo("email:send");
    assertThat(email.getPayload().toStringUtf8()).isEqualTo("{\"to\": \"a\"}");
    assertThat(ProtoTime.of(email.getRunAt()))
        .isEqualTo(Instant.parse("2100-01-01T00:00:00.123456Z"));
    assertThat(email.getPriority()).isEqualTo(50);
    assertThat(email.getRetryPolicy().getMaxAttempts()).isEqualTo(25);
    assertThat(email.getCollection()).isEmpty();
    assertThat(email.getIdempotency().getKey()).isEqualTo("river/1@2026-01-01T00:00:00Z");
    assertThat(email.getIdempotency().getDuration().getSeconds()).isEqualTo(365 * 86_400L);
    ScheduleTaskRequest sort = sent.get(1);
    assertThat(sort.getPriority()).isEqualTo(20);
    assertThat(sort.getRetryPolicy().getMaxAttempts()).isEqualTo(2);
    assertThat(sort.getCollection()).isEqualTo("slow");
  }

  @Test
  void a_dry_run_counts_and_calls_no_node() throws Exception {
    OriginDatabase origin =
        river(
            "insert into river_job (kind, args, max_attempts) select 'k', '{}', 1 from generate_series(1, 250)");

    Said said = origin.imported(NODE, folder, "river --dry-run --handler={queue}/{kind}");

    assertThat(said.err()).isEmpty();
    assertThat(said.code()).isZero();
    assertThat(said.out())
        .containsPattern("default/k +250 +250\n")
        .endsWith("250 can be imported, 0 not");
    assertThat(NODE.wasNotAsked()).isTrue();
  }

  @Test
  void an_import_that_was_stopped_is_run_again_and_changes_nothing_there() throws Exception {
    OriginDatabase origin =
        river(
            "insert into river_job (kind, args, max_attempts) select 'k', '{}', 1 from generate_series(1, 250)");
    String digest = "select md5(string_agg(j::text, ',' order by id)) from river_job j";
    String untouched = origin.value(digest);
    NODE.answers(scheduled(100, false));
    NODE.refuses(Status.PERMISSION_DENIED.withDescription("no more"));

    Said stopped = origin.imported(NODE, folder, "river");

    assertThat(stopped.code()).isEqualTo(1);
    assertThat(stopped.out())
        .contains("100 imported, 0 imported before, 0 not")
        .endsWith("run it again, which imports nothing twice");
    assertThat(stopped.err()).contains("no more");
    List<ScheduleTaskRequest> first = sent();
    assertThat(first).hasSize(100);
    NODE.forget();
    NODE.answers(scheduled(100, true), scheduled(100, false), scheduled(50, false));

    Said ended = origin.imported(NODE, folder, "river");

    assertThat(ended.code()).isZero();
    assertThat(ended.out()).endsWith("150 imported, 100 imported before, 0 not");
    assertThat(sent()).isEqualTo(first);
    assertThat(origin.value(digest)).isEqualTo(untouched);
  }

  @Test
  void jobs_are_read_and_sent_by_bounded_sizes() throws Exception {
    OriginDatabase origin =
        river(
            """
            insert into river_job (kind, args, max_attempts)
            select 'k', jsonb_build_array(repeat('x', case when i <= 5 then 400000 else 900000 end)), 1
            from generate_series(1, 15) i
            """);
    NODE.answers(scheduled(2, false), scheduled(2, false));
    for (int i = 5; i <= 15; i++) {
      NODE.answers(scheduled(1, false));
    }

    assertThat(origin.imported(NODE, folder, "river").out())
        .endsWith("15 imported, 0 imported before, 0 not");
  }

  @Test
  void what_a_node_refuses_is_named_and_the_others_are_imported() throws Exception {
    OriginDatabase origin =
        river(
            "insert into river_job (kind, args, max_attempts) select 'k', '{}', 1 from generate_series(1, 3)");
    NODE.refuses(Status.INVALID_ARGUMENT.withDescription("one of them"));
    NODE.answers(scheduled(false));
    NODE.refuses(Status.INVALID_ARGUMENT.withDescription("just this"));
    NODE.answers(scheduled(true));

    Said said = origin.imported(NODE, folder, "river");

    assertThat(said.code()).isEqualTo(1);
    assertThat(said.out())
        .contains("river_job 2: not imported: INVALID_ARGUMENT: just this")
        .endsWith("1 imported, 1 imported before, 1 not");
  }

  @Test
  void jobs_of_pg_boss_become_tasks_of_their_queue() throws Exception {
    OriginDatabase origin =
        OriginDatabase.of(
            OriginDatabase.tables("pgboss"),
            """
            create table pgboss.job_mail partition of pgboss.job for values in ('mail');
            insert into pgboss.job (id, name, data, state, priority, retry_limit, retry_count, retry_delay, retry_backoff,
                retry_delay_max, expire_seconds, singleton_key, policy, start_after, keep_until, dead_letter, group_id, blocked)
              values
              ('00000000-0000-4000-8000-000000000001', 'mail', '{"a": 1}', 'retry', 7, 5, 2, 30, true, 600, 60, null, null,
                '2100-01-01 00:00Z', '2100-02-01 00:00Z', 'dead', 'g', false),
              ('00000000-0000-4000-8000-000000000002', 'mail', null, 'created', 900, 2, 0, 0, false, null, 900, 's',
                'singleton', '2020-01-01 00:00Z', '2100-01-01 00:00Z', null, null, false),
              ('00000000-0000-4000-8000-000000000003', 'fifo', null, 'created', 0, 2, 0, 0, true, null, 900, 's',
                'key_strict_fifo', '2020-01-01 00:00Z', '2100-01-01 00:00Z', null, null, false),
              ('00000000-0000-4000-8000-000000000004', 'mail', null, 'active', 0, 2, 0, 0, false, null, 900, null, null,
                '2020-01-01 00:00Z', '2100-01-01 00:00Z', null, null, false),
              ('00000000-0000-4000-8000-000000000005', 'mail', null, 'created', 0, 2, 0, 0, false, null, 900, null, null,
                '2020-01-01 00:00Z', '2020-01-15 00:00Z', null, null, false),
              ('00000000-0000-4000-8000-000000000006', 'mail', null, 'created', 0, 2, 0, 0, false, null, 900, null, null,
                '2020-01-01 00:00Z', '2100-01-01 00:00Z', null, null, true),
              ('00000000-0000-4000-8000-000000000007', '__pgboss__send-it', null, 'created', 0, 2, 0, 0, false, null, 900,
                null, null, '2020-01-01 00:00Z', '2100-01-01 00:00Z', null, null, false),
              ('00000000-0000-4000-8000-000000000008', 'mail', null, 'completed', 0, 2, 0, 0, false, null, 900, null, null,
                '2020-01-01 00:00Z', '2100-01-01 00:00Z', null, null, false)
            """);
    NODE.answers(scheduled(3, false));

    Said said = origin.imported(NODE, folder, "pgboss-jobs");

    assertThat(said.err()).isEmpty();
    assertThat(said.out())
        .contains("mail 00000000-0000-4000-8000-000000000004: not imported: is being performed")
        .contains("its retention has ended at 2020-01-15T00:00:00Z")
        .contains("is blocked: it waits for other jobs")
        .contains("note: a priority beyond -50 to 50", "note: deadLetter", "note: group")
        .contains("note: singletonKey is not taken over")
        .doesNotContain("__pgboss__")
        .endsWith("3 imported, 0 imported before, 3 not");
    List<ScheduleTaskRequest> sent = sent();
    ScheduleTaskRequest fifo = sent.getFirst();
    assertThat(fifo.getHandler()).isEqualTo("fifo");
    assertThat(fifo.getKey()).isEqualTo("s");
    assertThat(fifo.getRetryPolicy().getInitialBackoff().getSeconds()).isEqualTo(1);
    assertThat(fifo.getRetryPolicy().getMaxBackoff().getSeconds()).isEqualTo(65_536);
    ScheduleTaskRequest mail = sent.get(1);
    assertThat(mail.getPayload().toStringUtf8()).isEqualTo("{\"a\": 1}");
    assertThat(ProtoTime.of(mail.getRunAt())).isEqualTo(Instant.parse("2100-01-01T00:00:00Z"));
    assertThat(mail.getPriority()).isEqualTo(57);
    assertThat(mail.getRetryPolicy().getMaxAttempts()).isEqualTo(4);
    assertThat(mail.getRetryPolicy().getInitialBackoff().getSeconds()).isEqualTo(30);
    assertThat(mail.getRetryPolicy().getMaxBackoff().getSeconds()).isEqualTo(600);
    assertThat(mail.getRetryPolicy().getFactor()).isEqualTo(2);
    assertThat(mail.getExecutionTimeout().getSeconds()).isEqualTo(60);
    assertThat(mail.getIdempotency().getKey())
        .isEqualTo("pgboss/00000000-0000-4000-8000-000000000001");
    assertThat(sent.get(2).getPriority()).isEqualTo(100);
    assertThat(sent.get(2).getPayload().isEmpty()).isTrue();
  }

  @Test
  void extremes_of_pg_boss_stay_extremes() throws Exception {
    OriginDatabase origin =
        OriginDatabase.of(
            OriginDatabase.tables("pgboss"),
            """
            insert into pgboss.job (id, name, priority, retry_limit) values
              ('00000000-0000-4000-8000-000000000001', 'most', 2147483647, 2147483647),
              ('00000000-0000-4000-8000-000000000002', 'least', -2147483648, 0)
            """,
            """
            insert into pgboss.job (id, name, singleton_key)
            values ('00000000-0000-4000-8000-000000000003', 'long', repeat('x', 1000001))
            """);
    NODE.answers(scheduled(2, false));

    Said said = origin.imported(NODE, folder, "pgboss-jobs");

    assertThat(said.out())
        .contains("long 00000000-0000-4000-8000-000000000003: not imported: has 1,000,")
        .endsWith("2 imported, 0 imported before, 1 not");
    List<ScheduleTaskRequest> sent = sent();
    assertThat(sent.getFirst().getHandler()).isEqualTo("least");
    assertThat(sent.getFirst().getPriority()).isZero();
    assertThat(sent.get(1).getPriority()).isEqualTo(100);
    assertThat(sent.get(1).getRetryPolicy().getMaxAttempts()).isEqualTo(1_000_000);
  }

  @Test
  void a_placeholder_that_jobs_do_not_have_is_told_once() throws Exception {
    OriginDatabase origin =
        river(
            "insert into river_job (kind, args, max_attempts) select 'k', '{}', 1 from generate_series(1, 3)");

    Said said = origin.imported(NODE, folder, "river --handler={name}");

    assertThat(said.code()).isEqualTo(1);
    assertThat(said.err()).contains("'{name}': there is no {name} here, only kind, queue");
    assertThat(said.out()).doesNotContain("river_job 1");
    assertThat(NODE.wasNotAsked()).isTrue();
  }

  @Test
  void an_interval_of_pg_boss_9_that_is_not_read_is_refused() throws Exception {
    OriginDatabase origin =
        OriginDatabase.of(
            OriginDatabase.tables("pgboss-9"),
            "insert into pgboss.job (name, expirein) values ('q', interval '1 month')");

    assertThat(origin.imported(NODE, folder, "pgboss-jobs").out())
        .contains("expirein of '1 mon'")
        .endsWith("0 imported, 0 imported before, 1 not");
  }

  @Test
  void jobs_of_pg_boss_9_are_read_by_pages_too() throws Exception {
    OriginDatabase origin =
        OriginDatabase.of(
            OriginDatabase.tables("pgboss-9"),
            """
            insert into pgboss.job (name, data, retrylimit, retrydelay, expirein)
            select 'q' || i % 3, to_jsonb(i), 1, 5, interval '90 seconds' from generate_series(1, 205) i
            """);
    NODE.answers(scheduled(100, false), scheduled(100, false), scheduled(5, false));

    Said said = origin.imported(NODE, folder, "pgboss-jobs");

    assertThat(said.out()).endsWith("205 imported, 0 imported before, 0 not");
    ScheduleTaskRequest first = sent().getFirst();
    assertThat(first.getHandler()).isEqualTo("q0");
    assertThat(first.getRetryPolicy().getMaxAttempts()).isEqualTo(2);
    assertThat(first.getRetryPolicy().getInitialBackoff().getSeconds()).isEqualTo(5);
    assertThat(first.getRetryPolicy().getFactor()).isEqualTo(1);
    assertThat(first.getExecutionTimeout().getSeconds()).isEqualTo(90);
  }

  /** Inserts a job of JobRunr with this history of states. */
  private static String jobrunr(int id, String state, String more, String history) {
    return """
    insert into jobrunr_jobs values ('00000000-0000-4000-8000-%012d', 1, '
      {"version": 1, "jobSignature": "com.acme.Mailer.send(java.lang.Integer)", "jobName": "n", "labels": [],
       "jobDetails": {"className": "com.acme.Mailer", "methodName": "send", "jobParameters":
         [{"className": "java.lang.Integer", "actualClassName": "java.lang.Integer", "object": 5}]},
       "id": "x", "jobHistory": [%s], "metadata": {}%s}', 's', '%s', now(), now())\
    """
        .formatted(id, history, more, state);
  }

  @Test
  void jobs_of_jobrunr_are_tasks_with_class_method_and_parameters() throws Exception {
    String enqueued = "{\"state\": \"ENQUEUED\", \"createdAt\": \"2020-01-01T00:00:00.5Z\"}";
    String scheduled =
        "{\"state\": \"SCHEDULED\", \"createdAt\": \"2020-01-01T00:00:00Z\", \"scheduledAt\": \"2100-01-01T00:00:00Z\"}";
    String ahead = scheduled.replace("}", ", \"recurringJobId\": \"daily\"}");
    String failed = "{\"state\": \"FAILED\", \"createdAt\": \"2020-01-01T00:00:01Z\"}";
    OriginDatabase origin =
        OriginDatabase.of(
            OriginDatabase.tables("jobrunr"),
            jobrunr(1, "ENQUEUED", "", enqueued),
            jobrunr(
                2,
                "SCHEDULED",
                ", \"amountOfRetries\": 3",
                enqueued + "," + failed + "," + scheduled),
            jobrunr(3, "SCHEDULED", "", ahead),
            jobrunr(4, "PROCESSING", "", "{\"state\": \"PROCESSING\"}"),
            jobrunr(5, "AWAITING", "", "{\"state\": \"AWAITING\"}"),
            jobrunr(6, "SUCCEEDED", "", "{\"state\": \"SUCCEEDED\"}"),
            jobrunr(7, "ENQUEUED", "", ""),
            "insert into jobrunr_jobs values ('8', 1, '{', 's', 'ENQUEUED', now(), now())");
    NODE.answers(scheduled(2, false));

    Said said = origin.imported(NODE, folder, "jobrunr-jobs");

    assertThat(said.err()).isEmpty();
    assertThat(said.out())
        .contains("000000000004: not imported: is being performed")
        .contains("000000000005: not imported: is carbon-aware")
        .contains("000000000007: not imported: has no jobHistory")
        .contains("job 8: not imported: is no JSON")
        .contains("left out: made ahead by recurring jobs", "(1)")
        .containsPattern("Mailer\\.send +2 +1\n")
        .endsWith("2 imported, 0 imported before, 4 not");
    List<ScheduleTaskRequest> sent = sent();
    assertThat(sent.getFirst().getPayload().toStringUtf8())
        .startsWith("{\"className\":\"com.acme.Mailer\"")
        .contains("\"object\":5");
    assertThat(sent.getFirst().hasRetryPolicy()).isFalse();
    assertThat(ProtoTime.of(sent.getFirst().getRunAt()))
        .isEqualTo(Instant.parse("2020-01-01T00:00:00.5Z"));
    assertThat(sent.get(1).getRetryPolicy().getMaxAttempts()).isEqualTo(3);
    assertThat(ProtoTime.of(sent.get(1).getRunAt()))
        .isEqualTo(Instant.parse("2100-01-01T00:00:00Z"));
    assertThat(sent.get(1).getIdempotency().getKey())
        .isEqualTo("jobrunr/00000000-0000-4000-8000-000000000002");
  }

  @Test
  void a_database_without_these_tables_is_named_in_a_sentence() throws Exception {
    Said said = OriginDatabase.of().imported(NODE, folder, "river");

    assertThat(said.code()).isEqualTo(1);
    assertThat(said.err()).contains("the database: ", "\"river_job\" does not exist");
  }

  @Test
  void nothing_can_be_written_to_the_origin() throws Exception {
    OriginDatabase origin =
        OriginDatabase.of(
            OriginDatabase.tables("river"),
            """
            create function touched() returns bigint language sql volatile as 'insert into river_job (kind, args, max_attempts)
              values (''k'', ''{}'', 1) returning id';
            create schema watched;
            create view watched.river_job as select j.* from river_job j, touched() where j.id <> touched();
            insert into river_job (kind, args, max_attempts) values ('k', '{}', 1)
            """);

    Said said = origin.imported(NODE, folder, "river --prefix=watched.");

    assertThat(said.code()).isEqualTo(1);
    assertThat(said.err()).contains("read-only transaction");
    assertThat(NODE.wasNotAsked()).isTrue();
  }
}
