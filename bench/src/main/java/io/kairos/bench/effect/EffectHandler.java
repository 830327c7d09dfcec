package io.kairos.bench.effect;

import io.kairos.bench.effect.Effect.Kind;
import io.kairos.bench.load.LoadPayload;
import io.kairos.bench.observe.JsonLines;
import io.kairos.client.handler.Handler;
import io.kairos.client.handler.TaskContext;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Has an effect every few milliseconds for some seconds, counted and not timed: what was stopped in
 * the middle goes on with the rest. A stubborn one does not stop when it is told to.
 *
 * @param jdbcUrl of the database for fenced effects; null for none
 */
record EffectHandler(JsonLines<Effect> log, boolean stubborn, @Nullable String jdbcUrl)
    implements Handler<byte[]> {
  private static final int EFFECTS = 200;
  private static final Duration BETWEEN = Duration.ofMillis(20);
  private static final int FENCED_EVERY = 5;
  private static final long PID = ProcessHandle.current().pid();

  @Override
  public void handle(byte[] payload, TaskContext context)
      throws IOException, SQLException, InterruptedException {
    long sequence = LoadPayload.sequence(payload);
    write(Kind.BEGIN, sequence, context);
    try (@Nullable Connection database = connect()) {
      for (int i = 1; i <= EFFECTS; i++) {
        pause();
        write(Kind.EFFECT, sequence, context);
        if (database != null && i % FENCED_EVERY == 0) {
          FencedTable.write(database, context);
        }
      }
    }
    write(Kind.END, sequence, context);
  }

  private @Nullable Connection connect() throws SQLException {
    if (jdbcUrl == null) {
      return null;
    }
    Connection connection = DriverManager.getConnection(jdbcUrl);
    connection.setAutoCommit(false);
    return connection;
  }

  private void write(Kind kind, long sequence, TaskContext context) throws IOException {
    log.write(
        new Effect(
            kind, context.taskId().value(), context.fence(), sequence, PID, System.nanoTime()));
  }

  private void pause() throws InterruptedException {
    try {
      Thread.sleep(BETWEEN);
    } catch (InterruptedException e) {
      if (!stubborn) {
        throw e;
      }
    }
  }
}
