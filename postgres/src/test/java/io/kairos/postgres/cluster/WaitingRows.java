package io.kairos.postgres.cluster;

/** Statements that fill tables with what waits for the times of a set, as SQL has it. */
final class WaitingRows {
  static final String QUEUES =
      "insert into task_queue (handler, priority) select 'handler ' || n, 50 from generate_series(1, 7) n"
          + " on conflict do nothing";
  static final String ROUTE = "insert into route (name) values ('orders') on conflict do nothing";

  private WaitingRows() {}

  static String tasks(String times) {
    return "insert into task (id, next_trigger, due_at, created_at, fence, queue_id, attempt, state, payload)"
        + " select gen_random_uuid(), w.at, w.at, 1, 0,"
        + " (select min(id) from task_queue) + (w.nth % 7)::int, 0, 'N', 'a payload of some bytes'"
        + " from (select a.at, row_number() over () as nth from "
        + times
        + " a (at)) w";
  }

  static String messages(String times) {
    return "insert into delayed_message (route_id, id, deadline, message_headers, message_value)"
        + " select (select min(id) from route), w.nth::text, w.at, '', 'a value of some bytes'"
        + " from (select a.at, row_number() over () as nth from "
        + times
        + " a (at)) w";
  }

  static String schedules(String times) {
    return "insert into schedule (id, name, generation, created_at, updated_at, rule_kind, rule_text, dialect,"
        + " day_match, zone, gap, repeated, spread_micros, queue_id, payload, overlap, catch_up,"
        + " catch_up_window_micros, catch_up_max, pause_on_failure, status, note, since, decided_to, next_at,"
        + " runs, decider)"
        + " select gen_random_uuid(), 'schedule ' || w.nth, 1, 1, 1, 'CRON', '0 * * * *', 'UNIX', 'EITHER', 'UTC',"
        + " 'SKIP', 'FIRST', 0, (select min(id) from task_queue), '', 'SKIP', 'LATEST', 1, 1, false, 'ACTIVE', '',"
        + " 1, 1, w.at, 0, 'NODE'"
        + " from (select a.at, row_number() over () as nth from "
        + times
        + " a (at)) w";
  }
}
