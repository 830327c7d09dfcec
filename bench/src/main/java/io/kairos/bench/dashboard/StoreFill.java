package io.kairos.bench.dashboard;

import io.kairos.bench.load.BenchWait;
import io.kairos.bench.load.LoadClock;
import io.kairos.bench.measure.BenchSql;
import io.kairos.bench.report.ProgressLog;
import io.kairos.bench.rig.BenchNodeProcess;
import io.kairos.bench.rig.BenchRig;
import io.kairos.client.KairosClient;
import io.kairos.client.PoolDefinition;
import io.kairos.client.ScheduleSpec;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

/**
 * Fills a store with all that the dashboard shows: tasks, schedules with their ledger, messages,
 * the audit log, an hour of figures, and a pool. A node runs meanwhile for what is stored by calls,
 * and not while rows are written. Then everything is vacuumed and analysed.
 *
 * @param messages that wait in the delay queue
 * @param auditEntries calls of the last 30 days
 */
record StoreFill(TaskFill tasks, long messages, long auditEntries) {
  static final String PREFIX = "dashboard-";
  static final String POOL = "dashboard";
  static final String OPERATOR = "operator-3";
  private static final Duration FIGURES_WITHIN = Duration.ofSeconds(30);

  /** A copy of a schedule has an id that tasks can name before it is there. */
  private static final String COPY =
      """
      insert into schedule
      select copy.*
      from schedule s
      cross join generate_series(?::integer, ?::integer, ?::integer) n
      cross join lateral jsonb_populate_record(
        s, jsonb_build_object('id', md5('dashboard-' || n)::uuid, 'name', 'dashboard-' || n)) copy
      where s.name = ?
      """;

  /** Each run has fired, and of each eleventh fire time before it is said why it did not. */
  private static final String LEDGER =
      """
      insert into schedule_fire (schedule_id, fire_at, until, count, decision, cause, decided_at, run_at, run)
      select r.schedule_id, r.created_at, r.created_at, 1, 'FIRED', 'SCHEDULE', r.created_at, r.due_at, r.id
      from (
        select schedule_id, created_at, due_at, id from task where schedule_id is not null
        union all
        select schedule_id, created_at, due_at, id from finished_task where schedule_id is not null) r
      on conflict do nothing;
      insert into schedule_fire (schedule_id, fire_at, until, count, decision, reason, cause, decided_at)
      select schedule_id, fire_at - 1000000, fire_at - 1000000, 1, 'SKIPPED', 'OVERLAP', 'SCHEDULE', decided_at
      from schedule_fire
      where fire_at / 1000 % 11 = 0
      on conflict do nothing
      """;

  private static final String MESSAGES =
      """
      insert into delayed_message (deadline, route_id, id, message_headers, message_value)
      select
        ?::bigint + 7200000000 + (2592000000000 * ((n * 7919 % 1000003)::double precision / 1000003))::bigint,
        r.id,
        'message-' || n,
        ''::bytea,
        ?::bytea
      from route r
      cross join generate_series(1, ?::bigint) n
      """;

  private static final String AUDIT =
      """
      insert into audit_entry (began_at, caller, address, action, kind, object, detail, outcome)
      select
        ?::bigint - 2592000000000 + 2592000000000 / ?::bigint * n,
        'operator-' || n % 10,
        '10.0.0.' || n % 200,
        (array['CancelTask', 'SetPause', 'SetLimit', 'ApplySchedule'])[1 + n % 4],
        (array['task', 'handler', 'handler', 'schedule'])[1 + n % 4],
        'object-' || n % 1000,
        '',
        'OK'
      from generate_series(1, ?::bigint) n
      """;

  /** The hour before what a node has told. */
  private static final String FIGURES =
      """
      insert into node_figures
      select copy.*
      from node_figures f
      cross join generate_series(1, 719) n
      cross join lateral jsonb_populate_record(f, jsonb_build_object(
        'slot', (f.period - n) % 720, 'period', f.period - n, 'is_last', false,
        'tasks_accepted', 50, 'tasks_begun', 50, 'tasks_ended', 50)) copy
      where f.period = (select max(l.period) from node_figures l)
      on conflict do nothing
      """;

  /** Fills; the rig has no node before, and none after. */
  FilledStore run(BenchRig rig, ProgressLog progress) throws SQLException {
    Connection connection = rig.connect();
    storeByCalls(rig, connection);
    // Nothing of it need survive a crash of the machine.
    BenchSql.update(connection, "set synchronous_commit = off");
    long now = LoadClock.micros();
    tasks.run(connection, now, progress);
    for (int template = 0; template < TaskFill.TEMPLATES; template++) {
      BenchSql.update(
          connection,
          COPY,
          TaskFill.TEMPLATES + template,
          tasks.schedules() - 1,
          TaskFill.TEMPLATES,
          PREFIX + template);
    }
    BenchSql.update(connection, LEDGER);
    BenchSql.update(connection, MESSAGES, now, new byte[tasks.payloadBytes()], messages);
    BenchSql.update(connection, AUDIT, now, Math.max(1, auditEntries), auditEntries);
    BenchSql.update(connection, FIGURES);
    progress.say("vacuuming");
    BenchSql.update(connection, "vacuum (analyze)");
    BenchSql.update(connection, "checkpoint");
    return FilledStore.read(connection);
  }

  /** What is stored as users do it. It makes the schema too, and the row of the route. */
  private static void storeByCalls(BenchRig rig, Connection connection) throws SQLException {
    BenchNodeProcess node = rig.startNode();
    try (KairosClient client = KairosClient.connect(node.address())) {
      client.pools().create(PoolDefinition.of(POOL).listed("http://127.0.0.1:65000/"));
      int hour = Instant.now().atOffset(ZoneOffset.UTC).getHour();
      for (int template = 0; template < TaskFill.TEMPLATES; template++) {
        // At hours of the day that have just been, so that none of them fires during the run.
        int at = Math.floorMod(hour - 1 - template, 24);
        client
            .schedules()
            .create(
                ScheduleSpec.named(PREFIX + template)
                    .cron("0 " + at + " * * *")
                    .handler(TaskFill.FIRST_HANDLER)
                    .overlap(ScheduleSpec.Overlap.ALLOW_ALL)
                    .build());
      }
    }
    BenchWait.until(
        () -> BenchSql.number(connection, "select count(*) from node_figures") > 0,
        FIGURES_WITHIN,
        Duration.ofMillis(100));
    node.stop();
  }
}
