package io.kairos.postgres.task.row;

import io.kairos.engine.node.StoreUnavailable;
import io.kairos.postgres.sql.FailureText;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Bounds how long a transaction of this node waits for locks of others. An application may keep its
 * transaction open for long, and with it the locks of the keys and queues that it creates; other
 * requests must not wait for that. When a batch has waited in vain, each half of it is tried by
 * itself for half as long, and so on: finding the one that is blocked takes as long again, and a
 * handful of transactions. All waits together take at most twice the longest wait; after that each
 * attempt waits for a millisecond. One object for each call of the store; one thread.
 */
public final class LockWaits {
  public static final Duration LONGEST = Duration.ofMillis(250);

  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final SqlStatement LOCK_TIMEOUT = SqlStatement.load("task/row/lock_timeout.sql");

  private Duration left = LONGEST.multipliedBy(2);

  /** Bounds the lock waits of each further statement of the transaction; zero for no bound. */
  public static void bound(Connection connection, Duration longest) {
    LOCK_TIMEOUT.on(connection).with("lock_timeout_millis", longest.toMillis()).execute();
  }

  /** Work on some elements of a batch, which bounds its waits by {@link #bound}. */
  @FunctionalInterface
  public interface Attempt<T> {
    void make(List<T> some, Duration longestWait);
  }

  /**
   * Tries the work for all elements together, and finds those that are blocked by halves.
   *
   * @param obstructed told of each element that is blocked
   */
  public <T> void together(List<T> all, Attempt<T> attempt, Consumer<T> obstructed) {
    together(all, LONGEST, attempt, obstructed);
  }

  private <T> void together(
      List<T> some, Duration longestWait, Attempt<T> attempt, Consumer<T> obstructed) {
    Duration wait = longestOf(SHORTEST, longestWait.compareTo(left) < 0 ? longestWait : left);
    try {
      attempt.make(some, wait);
    } catch (StoreUnavailable e) {
      if (!FailureText.isLockTimeout(e)) {
        throw e;
      }
      left = left.minus(wait);
      int size = some.size();
      if (size == 1) {
        obstructed.accept(some.getFirst());
        return;
      }
      Duration half = wait.dividedBy(2);
      together(some.subList(0, size / 2), half, attempt, obstructed);
      together(some.subList(size / 2, size), half, attempt, obstructed);
    }
  }

  private static Duration longestOf(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? other : one;
  }
}
