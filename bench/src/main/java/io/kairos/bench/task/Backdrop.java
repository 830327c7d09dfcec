package io.kairos.bench.task;

import io.kairos.bench.delay.Progress;
import io.kairos.bench.report.Shown;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What is in the store before a run: tasks of one handler that wait, and a history. Written into
 * the tables directly, as ten million ends would take ten minutes.
 *
 * @param collection of those that wait; null for none
 * @param dueIn from now; the tasks are due a millisecond after each other from then on
 */
record Backdrop(
    String handler,
    @Nullable String collection,
    long waiting,
    Duration dueIn,
    long finished,
    int payloadBytes) {
  private static final long CHUNK = 500_000;

  private static final String QUEUE =
      """
      insert into task_queue (handler, priority) values (?, 50) on conflict do nothing
      """;

  private static final String WAITING =
      """
      insert into task (
        id, next_trigger, due_at, created_at, fence, queue_id, attempt, state, payload, collection)
      select uuidv7(), due.micros, due.micros, due.micros, 0, q.id, 0, 'N', ?, ?
      from task_queue q
      cross join generate_series(?::bigint, ?) n
      cross join lateral (
        select (extract(epoch from now()) * 1000000)::bigint + ? + n * 1000 as micros) due
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

  /** Of the handler that is measured: one that has been in use for long. */
  static Backdrop longUsed(long waiting, long finished, int payloadBytes) {
    return new Backdrop(
        TaskWorkerMain.HANDLER, null, waiting, Duration.ofDays(1), finished, payloadBytes);
  }

  /** Tasks of another handler that are overdue, as bystanders. */
  static Backdrop overdue(String handler, long waiting, int payloadBytes) {
    return new Backdrop(
        handler, TaskStoreCount.BYSTANDERS, waiting, Duration.ofHours(-1), 0, payloadBytes);
  }

  /** Returns when all of it is stored, vacuumed and analyzed. */
  void paint(Connection connection, Progress progress) throws SQLException {
    if (waiting == 0 && finished == 0) {
      return;
    }
    try (PreparedStatement queue = connection.prepareStatement(QUEUE);
        PreparedStatement waits = connection.prepareStatement(WAITING);
        PreparedStatement past = connection.prepareStatement(FINISHED);
        Statement statement = connection.createStatement()) {
      queue.setString(1, handler);
      queue.executeUpdate();
      waits.setBytes(1, new byte[payloadBytes]);
      waits.setString(2, collection);
      waits.setLong(5, dueIn.toNanos() / 1_000);
      waits.setString(6, handler);
      past.setString(2, handler);
      for (long done = 0; done < waiting; done += CHUNK) {
        waits.setLong(3, done + 1);
        waits.setLong(4, Math.min(done + CHUNK, waiting));
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
        "%s tasks of %s wait from %s on, %s have ended before"
            .formatted(
                Shown.count(waiting),
                handler,
                dueIn.isNegative() ? "now" : "tomorrow",
                Shown.count(finished)));
  }
}
