package io.kairos.bench.graph;

import io.kairos.bench.measure.BenchSql;
import io.kairos.client.KairosClient;
import io.kairos.client.queue.KeyLimit;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Limits by key under a load: looks twenty times a second, each time in one snapshot, whether more
 * tasks of a name hold a lease than its limit allows, or than are counted.
 */
public final class LimitWatch implements AutoCloseable {
  /** The names that some tasks of a {@link GraphLoad} carry. */
  static final int NAMES = 3;

  private static final String NAME = "graph:";
  private static final int MOST = 1;
  private static final long EVERY_NANOS = 50_000_000;

  private static final String LOOK =
      """
      with performed as (
        select m.name, count(*) as tasks
        from task t
        cross join unnest(string_to_array(t.limits, ',')) m (name)
        where t.state = 'P' and t.limits is not null
        group by m.name
      )
      select
        (select count(*) from performed p where p.tasks > ?),
        (select count(*) from key_use u full join performed p on p.name = u.name
          where coalesce(u.running, 0) <> coalesce(p.tasks, 0)),
        (select count(*) from performed p where p.tasks = ?),
        (select count(*) from key_wait)
      """;

  private static final String LEFT =
      "select count(*) from key_wait w join task t on t.id = w.task_id where t.state in ('N', 'R')";

  private final Connection connection;
  private final Thread thread;
  private volatile boolean stopped;
  private volatile @Nullable Throwable failure;
  private long looks;
  private long exceeded;
  private long miscounted;
  private long full;
  private long mostWaiting;

  private LimitWatch(Connection connection) {
    this.connection = connection;
    this.thread =
        Thread.ofPlatform()
            .name("bench-limits")
            .daemon()
            .uncaughtExceptionHandler((_, e) -> failure = e)
            .unstarted(this::run);
  }

  /** Sets the limits and begins to look. */
  public static LimitWatch start(KairosClient client, Connection connection) {
    client.limits().set(KeyLimit.of(NAME + "*", MOST, null, null));
    LimitWatch watch = new LimitWatch(connection);
    watch.thread.start();
    return watch;
  }

  /** The name of a limit. */
  static String name(int number) {
    return NAME + number;
  }

  private void run() {
    while (!stopped) {
      try {
        BenchSql.each(
            connection,
            row -> {
              looks++;
              exceeded += row.getLong(1);
              miscounted += row.getLong(2);
              full += row.getLong(3);
              mostWaiting = Math.max(mostWaiting, row.getLong(4));
            },
            LOOK,
            MOST,
            MOST);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
      LockSupport.parkNanos(EVERY_NANOS);
    }
  }

  /**
   * What was seen.
   *
   * @param looks how often it was looked
   * @param exceeded names with more tasks than allowed, over all looks
   * @param miscounted names with another count than tasks, over all looks
   * @param full names with as many tasks as allowed, over all looks
   * @param mostWaiting tasks that stood in line at one time
   * @param left tasks that stand in line when all is over
   */
  public record Seen(
      long looks, long exceeded, long miscounted, long full, long mostWaiting, long left) {}

  /** Ends the looks; called when all tasks have ended that can. */
  public Seen stop() throws SQLException, InterruptedException {
    stopped = true;
    thread.join();
    if (failure != null) {
      throw new IllegalStateException("the limits could not be looked at", failure);
    }
    return new Seen(
        looks, exceeded, miscounted, full, mostWaiting, BenchSql.number(connection, LEFT));
  }

  @Override
  public void close() {
    stopped = true;
  }
}
