package io.kairos.bench.dashboard;

import io.kairos.bench.measure.BenchSql;
import io.kairos.bench.report.ProgressLog;
import io.kairos.bench.report.ShownNumbers;
import io.kairos.domain.task.ErrorFingerprint;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Fills the empty tables of tasks by SQL with rows as the store writes them: of twenty handlers,
 * the first with the most tasks. Of a thousand that wait about 950 are not due yet, and the others
 * are retried, blocked behind an ordering key whose head is dead, or paused; some hundred are being
 * performed. Of a thousand that have ended 955 have succeeded within 20 hours, and 40 are dead or
 * have failed within 16 days, with 40 kinds of errors. Which row is what follows from its number,
 * so that two fills are alike. To be called before a node runs on the store.
 *
 * @param waiting tasks that have not ended
 * @param ended tasks that have
 * @param schedules of which one in a hundred tasks is a run, half of them of one; fewer than eleven
 *     for none
 * @param payloadBytes of each task
 */
record TaskFill(long waiting, long ended, int schedules, int payloadBytes) {
  /** The handler with the most tasks, some of which are performed, and with a limit. */
  static final String FIRST_HANDLER = "handler-00";

  /** The handler whose tasks wait behind ordering keys. */
  static final String KEYED_HANDLER = "handler-01";

  static final String PAUSED_HANDLER = "handler-02";
  static final String PAUSED_COLLECTION = "winter";
  static final String COLLECTION = "collection-7";
  static final String KEY = "order-1";

  /** These are stored otherwise; runs are those of the schedules after them. */
  static final int TEMPLATES = 10;

  private static final int PART = 500_000;
  private static final long MOST_HELD = 200;
  private static final int HUNDRED = 100;

  /** Per thousand tasks. */
  private static final int A_THOUSAND = 1_000;

  private static final List<String> CLASSES =
      List.of(
          "java.net.SocketTimeoutException",
          "java.net.ConnectException",
          "java.io.EOFException",
          "java.lang.IllegalStateException",
          "java.lang.NullPointerException",
          "java.sql.SQLTransientConnectionException",
          "com.example.PaymentRefusedException",
          "com.example.ShopClosedException");

  /** Each with a number sign for a number that is another one in each error. */
  private static final List<String> TEXTS =
      List.of(
          "no answer within 500 ms for order #",
          "order # was refused by the shop",
          "customer # has no address",
          "the connection was closed after # bytes",
          "version # of the document has been replaced");

  private static final String FUNCTIONS =
      """
      create function pg_temp.bench_id(created bigint, n bigint) returns uuid language sql immutable return
        (lpad(to_hex(created / 1000), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0') || '8' || substr(md5(n::text), 1, 15))::uuid;
      create function pg_temp.bench_share(n bigint) returns double precision language sql immutable return
        (n * 7919 % 1000003)::double precision / 1000003;
      create function pg_temp.bench_handler(n bigint) returns integer language sql immutable return
        floor(20 * ((n * 48271 % 65537)::double precision / 65537) ^ 2)::integer;
      create function pg_temp.bench_schedule(n bigint, schedules integer) returns uuid language sql immutable return
        case
          when schedules > 10 and n % 200 = 77 then md5('dashboard-10')::uuid
          when schedules > 10 and n % 200 = 177 then md5('dashboard-' || 10 + n / 200 % (schedules - 10))::uuid
        end;
      create function pg_temp.bench_failure(
        attempt integer, ended bigint, state text, class text, fingerprint text, error text) returns jsonb
        language sql stable return jsonb_build_object(
          'attempt', attempt, 'begun', ended - 250000, 'at', ended, 'state', state, 'class', class,
          'fingerprint', fingerprint, 'error', error);
      create temporary table bench_error (no integer primary key, class text, text text, fingerprint text);
      create temporary table bench_queue (no integer, priority integer, id integer, primary key (no, priority));
      create temporary table bench_key (no bigint primary key, id bigint)
      """;

  private static final String ERRORS =
      """
      insert into bench_error
      select e.nth - 1, e.class, e.text, e.fingerprint
      from unnest(?::text[], ?::text[], ?::text[]) with ordinality e (class, text, fingerprint, nth)
      """;

  /** A schedule that was stored before has made a queue already. */
  private static final String QUEUES =
      """
      insert into task_queue (handler, priority)
      select 'handler-' || lpad(n::text, 2, '0'), p
      from generate_series(0, 19) n
      cross join unnest(array[50, 90]) p
      on conflict do nothing;
      insert into bench_queue
      select right(handler, 2)::integer, priority, id from task_queue where handler like 'handler-%'
      """;

  private static final String KEYS =
      """
      with made as (
        insert into task_key (handler, key)
        select 'handler-01', 'order-' || n from generate_series(1, ?::bigint) n
        returning id, key
      )
      insert into bench_key
      select substr(key, 7)::bigint, id from made
      """;

  private static final String SETTINGS =
      """
      insert into task_handler (handler, on_dead) values ('handler-01', 'B');
      insert into task_handler (handler, max_unfinished) values ('handler-03', 1000000000);
      insert into task_limit (queue_id, max_running) select q.id, 1000 from bench_queue q where q.no = 0 and q.priority = 50;
      insert into task_pause (handler, collection, mode, note, since)
      select 'handler-02', 'winter', 'P', 'until spring', (extract(epoch from clock_timestamp()) * 1000000)::bigint;
      insert into handler_asked (handler, asked_at)
      select 'handler-' || lpad(n::text, 2, '0'), (extract(epoch from clock_timestamp()) * 1000000)::bigint
      from generate_series(0, 17) n
      """;

  /** The parameters: now, all, held, keys, schedules, payload, from, to. */
  private static final String WAITING =
      """
      insert into task (
        id, next_trigger, due_at, created_at, fence, queue_id, attempt, state, holder, attempt_began, failures, payload,
        collection, key_id, schedule_id, submitted_by)
      select
        pg_temp.bench_id(t.created, t.n),
        case t.state
          when 'P' then t.now + 3600000000
          when 'R' then t.now + (21600000000 * t.share)::bigint
          else t.due
        end,
        t.due,
        t.created,
        case t.state when 'P' then 2 when 'R' then 3 else 0 end,
        q.id,
        case when t.state in ('P', 'R') then 1 else 0 end,
        t.state::"char",
        case when t.state = 'P' then 'worker-' || t.n % 10 end,
        case when t.state = 'P' then t.now end,
        case when t.state = 'R' then jsonb_build_array(pg_temp.bench_failure(
          1, t.created + 1000000, 'R', e.class, e.fingerprint, replace(e.text, '#', t.n::text))) end,
        t.payload,
        case when t.state = 'H' then 'winter' when t.n % 20 = 5 then 'collection-' || t.n / 20 % 100 end,
        k.id,
        t.schedule_id,
        'team-' || t.n % 5
      from (
        select
          s.*,
          case s.state when 'P' then 0 when 'B' then 1 when 'H' then 2 else pg_temp.bench_handler(s.n) end as handler,
          case when s.state <> 'P' and s.n % 10 = 3 then 90 else 50 end as priority,
          case when s.state = 'B' then 1 + s.n / 1000 % s.keys end as key,
          case
            when s.state = 'P' then s.now - 60000000
            when s.state = 'B' then s.now - (86400000000 * s.share)::bigint
            when s.state = 'R' then s.created
            when s.n % 1000 = 999 then s.now - (3600000000 * s.share)::bigint
            else s.now + (2592000000000 * s.share)::bigint
          end as due
        from (
          select
            n, p.now, p.keys, p.payload,
            case
              when n < p.held then 'P'
              when n % 1000 < 20 then 'R'
              when n % 1000 < 30 then 'B'
              when n % 1000 < 40 then 'H'
              else 'N'
            end as state,
            pg_temp.bench_share(n) as share,
            p.now - 604800000000 + 604800000000 / p.all_of_them * n as created,
            pg_temp.bench_schedule(n, p.schedules) as schedule_id
          from (values (?::bigint, ?::bigint, ?::bigint, ?::bigint, ?::integer, ?::bytea))
            p (now, all_of_them, held, keys, schedules, payload)
          cross join generate_series(?::bigint, ?::bigint) n) s) t
      join bench_queue q on q.no = t.handler and q.priority = t.priority
      left join bench_key k on k.no = t.key
      left join bench_error e on e.no = t.n % 40
      order by t.n
      """;

  /** The same parameters. The errors are noted as the store does it. */
  private static final String ENDED =
      """
      with made as (
        insert into finished_task (
          id, finished_at, due_at, created_at, queue_id, attempt, state, failures, payload, collection, key, fence,
          attempt_began, submitted_by, performed_by, schedule_id)
        select
          pg_temp.bench_id(t.created, t.n),
          t.ended,
          t.created,
          t.created,
          q.id,
          t.attempt,
          t.state::"char",
          case t.state
            when 'D' then jsonb_build_array(
              pg_temp.bench_failure(1, t.ended - 20000000, 'R', t.error_class, t.fingerprint, t.error),
              pg_temp.bench_failure(2, t.ended - 10000000, 'R', t.error_class, t.fingerprint, t.error),
              pg_temp.bench_failure(3, t.ended, 'D', t.error_class, t.fingerprint, t.error))
            when 'F' then jsonb_build_array(
              pg_temp.bench_failure(1, t.ended, 'F', t.error_class, t.fingerprint, t.error))
            when 'S' then
              case when t.n % 10 = 9 then jsonb_build_array(jsonb_build_object(
                'attempt', 1, 'begun', t.ended - 250000, 'at', t.ended, 'state', 'S', 'result', 'sent as ' || t.n)) end
          end,
          case when t.state in ('D', 'F') then t.payload end,
          case when t.n % 20 = 5 then 'collection-' || t.n / 20 % 100 end,
          'order-' || t.key,
          2 * t.attempt,
          case when t.attempt > 0 then t.ended - 250000 end,
          'team-' || t.n % 5,
          case when t.attempt > 0 then 'team-' || t.n % 5 end,
          t.schedule_id
        from (
          select
            s.*,
            s.ended - 60000000 as created,
            case s.state when 'D' then 3 when 'C' then 0 else 1 end as attempt,
            case when s.key is not null then 1 else pg_temp.bench_handler(s.n) end as handler,
            case when s.key is null and s.n % 10 = 3 then 90 else 50 end as priority,
            x.class as error_class,
            x.fingerprint,
            replace(x.text, '#', s.n::text) as error
          from (
            select
              n, p.now, p.payload, k.state,
              case
                when k.state in ('D', 'F') then p.now - 1382400000000 + 1382400000000 / p.all_of_them * n
                else p.now - 72000000000 + 72000000000 / p.all_of_them * n
              end as ended,
              case when k.state = 'D' and n / 1000 * 30 + n % 1000 < p.keys then 1 + n / 1000 * 30 + n % 1000 end as key,
              pg_temp.bench_schedule(n, p.schedules) as schedule_id
            from (values (?::bigint, ?::bigint, ?::bigint, ?::bigint, ?::integer, ?::bytea))
              p (now, all_of_them, held, keys, schedules, payload)
            cross join generate_series(?::bigint, ?::bigint) n
            cross join lateral (select
              case when n % 1000 < 30 then 'D' when n % 1000 < 40 then 'F' when n % 1000 < 45 then 'C' else 'S' end) k (state)) s
          join bench_error x on x.no = (s.n + s.n / 1000) % 40) t
        join bench_queue q on q.no = t.handler and q.priority = t.priority
        order by t.n
        returning id, state, queue_id, finished_at, failures
      )
      insert into task_error (task_id, state, queue_id, ended_at, fingerprint, error_class)
      select m.id, m.state, m.queue_id, m.finished_at, m.failures -> -1 ->> 'fingerprint', m.failures -> -1 ->> 'class'
      from made m
      where m.state in ('D', 'F')
      """;

  private static final String COUNTERS =
      """
      update task_key k
      set blocked_by = f.id
      from finished_task f
      where f.state = 'D' and f.key = k.key and k.handler = 'handler-01';
      update task_limit l
      set running = (select count(*) from task t where t.queue_id = l.queue_id and t.state = 'P');
      update task_handler h
      set unfinished = (
        select count(*) from task t where t.queue_id in (select q.id from task_queue q where q.handler = h.handler))
      where h.max_unfinished is not null
      """;

  /**
   * Fills.
   *
   * @param connection its session keeps temporary tables
   * @param nowMicros the present, microseconds since 1970
   */
  void run(Connection connection, long nowMicros, ProgressLog progress) throws SQLException {
    BenchSql.update(connection, FUNCTIONS);
    BenchSql.update(
        connection,
        ERRORS,
        texts(connection, (errorClass, _) -> errorClass),
        texts(connection, (_, text) -> text),
        texts(
            connection,
            (errorClass, text) -> ErrorFingerprint.of(errorClass, text.replace("#", "1"))));
    BenchSql.update(connection, QUEUES);
    BenchSql.update(connection, KEYS, keys());
    BenchSql.update(connection, SETTINGS);
    parts(connection, WAITING, waiting, nowMicros, "that wait", progress);
    parts(connection, ENDED, ended, nowMicros, "that have ended", progress);
    BenchSql.update(connection, COUNTERS);
  }

  /** Ordering keys: ten of the tasks that wait for a key wait for the same, whose head is dead. */
  private long keys() {
    return Math.max(1, Math.min(waiting / A_THOUSAND, ended / HUNDRED));
  }

  private void parts(
      Connection connection,
      String sql,
      long all,
      long nowMicros,
      String which,
      ProgressLog progress)
      throws SQLException {
    byte[] payload = new byte[payloadBytes];
    for (long from = 0; from < all; from += PART) {
      long to = Math.min(all, from + PART);
      BenchSql.update(
          connection,
          sql,
          nowMicros,
          all,
          Math.min(MOST_HELD, waiting / HUNDRED),
          keys(),
          schedules,
          payload,
          from,
          to - 1);
      progress.say(ShownNumbers.count(to) + " tasks " + which);
    }
  }

  /** The kinds of errors: each class with each text. */
  private static Array texts(Connection connection, ErrorPart part) throws SQLException {
    return connection.createArrayOf(
        "text",
        CLASSES.stream()
            .flatMap(errorClass -> TEXTS.stream().map(text -> part.of(errorClass, text)))
            .toArray());
  }

  @FunctionalInterface
  private interface ErrorPart {
    String of(String errorClass, String text);
  }

  /** A class of errors that many tasks have ended with. */
  static String errorClass() {
    return CLASSES.getFirst();
  }

  /** The fingerprint of one of its kinds. */
  static String fingerprint() {
    return ErrorFingerprint.of(errorClass(), TEXTS.getFirst().replace("#", "1"));
  }
}
