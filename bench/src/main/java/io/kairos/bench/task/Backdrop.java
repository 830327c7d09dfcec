package io.kairos.bench.task;

import io.kairos.bench.delay.Progress;
import io.kairos.bench.report.Shown;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A store that has been in use for long: tasks of the same handler that wait far in the future, and
 * a history. Written into the tables directly, as ten million ends would take ten minutes.
 */
final class Backdrop {
  private static final long CHUNK = 500_000;

  private static final String QUEUE =
      """
      insert into task_queue (handler, priority) values (?, 50) on conflict do nothing
      """;

  private static final String WAITING =
      """
      insert into task (id, next_trigger, due_at, created_at, fence, queue_id, attempt, state, payload)
      select uuidv7(), due.micros, due.micros, due.micros, 0, q.id, 0, 'N', ?
      from task_queue q
      cross join generate_series(1, ?) n
      cross join lateral (
        select (extract(epoch from now() + interval '1 day') * 1000000)::bigint + n * 1000 as micros) due
      where q.handler = ?
      """;

  private static final String FINISHED =
      """
      insert into finished_task (id, finished_at, due_at, created_at, queue_id, attempt, state)
      select uuidv7(interval '-1 hour'), past.micros, past.micros, past.micros, q.id, 1, 'S'
      from task_queue q
      cross join generate_series(1, ?) n
      cross join lateral (
        select (extract(epoch from now() - interval '1 hour') * 1000000)::bigint + n as micros) past
      where q.handler = ?
      """;

  private Backdrop() {}

  /** Returns when all of it is stored, vacuumed and analyzed. */
  static void paint(
      Connection connection, long waiting, long finished, int payloadBytes, Progress progress)
      throws SQLException {
    if (waiting == 0 && finished == 0) {
      return;
    }
    try (PreparedStatement queue = connection.prepareStatement(QUEUE);
        PreparedStatement waits = connection.prepareStatement(WAITING);
        PreparedStatement past = connection.prepareStatement(FINISHED);
        Statement statement = connection.createStatement()) {
      queue.setString(1, TaskWorkerMain.HANDLER);
      queue.executeUpdate();
      waits.setBytes(1, new byte[payloadBytes]);
      waits.setString(3, TaskWorkerMain.HANDLER);
      past.setString(2, TaskWorkerMain.HANDLER);
      for (long left = waiting; left > 0; left -= CHUNK) {
        waits.setLong(2, Math.min(CHUNK, left));
        waits.executeUpdate();
      }
      for (long left = finished; left > 0; left -= CHUNK) {
        past.setLong(1, Math.min(CHUNK, left));
        past.executeUpdate();
      }
      statement.execute("vacuum (analyze) task");
      statement.execute("vacuum (analyze) finished_task");
      statement.execute("checkpoint");
    }
    progress.say(
        "%s tasks wait for tomorrow, %s have ended before"
            .formatted(Shown.count(waiting), Shown.count(finished)));
  }
}
