package io.kairos.postgres;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.postgres.ServerSource.Opened;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One search for the primary: asks all servers at once, each on a virtual thread of its own, which
 * the driver's timeouts bound. Of two primaries the one on the higher timeline is taken, so that an
 * old primary that came back is passed over also by a node that has just started. Used once.
 */
final class PrimarySearch {
  /**
   * Wait for the other servers once a primary has answered, because a server that is lost answers
   * only by a timeout. One that answers later, on a higher timeline, ends the older connections:
   * see {@link ServerTimelines}.
   */
  private static final Duration FOR_OTHERS = Duration.ofMillis(250);

  private final List<ServerSource> servers;
  private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();

  @GuardedBy("this")
  private boolean over;

  private record Answer(@Nullable Opened opened, @Nullable SQLException failure) {}

  PrimarySearch(List<ServerSource> servers) {
    this.servers = servers;
  }

  /**
   * Returns a connection to the primary.
   *
   * @param waitForAll whether the answers of all servers are awaited
   */
  Connection connect(boolean waitForAll) throws SQLException {
    List<Opened> primaries = new ArrayList<>();
    List<SQLException> failures = new ArrayList<>();
    try {
      servers.forEach(
          server -> Thread.ofVirtual().name("kairos-postgres-search").start(() -> ask(server)));
      while (primaries.size() + failures.size() < servers.size()) {
        Answer answer =
            primaries.isEmpty() || waitForAll
                ? answers.take()
                : answers.poll(FOR_OTHERS.toMillis(), TimeUnit.MILLISECONDS);
        if (answer == null) {
          break;
        }
        if (answer.opened != null) {
          primaries.add(answer.opened);
        }
        if (answer.failure != null) {
          failures.add(answer.failure);
        }
      }
      primaries.sort(Comparator.comparingInt(Opened::timeline));
      if (primaries.isEmpty()) {
        throw noPrimary(failures);
      }
      return primaries.removeLast().connection();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException("interrupted while looking for the primary", e);
    } finally {
      end();
      for (Opened rest : primaries) {
        rest.connection().close();
      }
    }
  }

  private void ask(ServerSource server) {
    Answer answer = new Answer(null, new SQLException(server + " could not be asked"));
    try {
      answer = new Answer(server.open(), null);
    } catch (SQLException e) {
      answer = new Answer(null, e);
    } finally {
      deliver(answer);
    }
  }

  private void deliver(Answer answer) {
    synchronized (this) {
      if (!over) {
        answers.add(answer);
        return;
      }
    }
    closeQuietly(answer);
  }

  private void end() {
    synchronized (this) {
      over = true;
    }
    answers.forEach(PrimarySearch::closeQuietly);
  }

  private static void closeQuietly(Answer late) {
    try {
      if (late.opened != null) {
        late.opened.connection().close();
      }
    } catch (SQLException ignored) {
      // nobody uses it
    }
  }

  /** Says why no server will do. An unsafe primary comes first: a node must not start on it. */
  private static SQLException noPrimary(List<SQLException> failures) {
    for (SQLException failure : failures) {
      if (failure.getCause() instanceof UnsafeStoreException) {
        return failure;
      }
    }
    String reasons =
        failures.stream()
            .map(failure -> String.valueOf(failure.getMessage()))
            .distinct()
            .collect(Collectors.joining("; "));
    SQLException none =
        new SQLException(
            "no server of postgres.url is a primary that can be used: " + reasons,
            failures.getFirst().getSQLState());
    failures.forEach(none::addSuppressed);
    return none;
  }
}
