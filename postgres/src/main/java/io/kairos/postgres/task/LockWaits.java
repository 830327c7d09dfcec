package io.kairos.postgres.task;

import io.kairos.engine.node.StoreUnavailable;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Failures;
import io.kairos.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * How long a transaction of this node waits for those of others. An application may keep its own
 * open for as long as it likes, and what it has made until then nobody can make; others are not to
 * wait for that. When many have waited together in vain, each half of them is tried by itself for
 * half as long, and so on: to find the one that is in somebody's way takes as long again, and a
 * handful of transactions. However many there are, no more than twice the longest wait is spent on
 * waits; then each of the others gets a moment. One for each call of the store; one thread.
 */
final class LockWaits {
  static final Duration LONGEST = Duration.ofMillis(250);

  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Sql LOCK_TIMEOUT = Sql.load(LockWaits.class, "lock_timeout.sql");

  private Duration left = LONGEST.multipliedBy(2);

  /** Of each further statement of the transaction; zero for as long as it takes. */
  static void bound(Connection connection, Duration longest) throws SQLException {
    try (Call call = LOCK_TIMEOUT.on(connection).with("lock_timeout_millis", longest.toMillis())) {
      call.query();
    }
  }

  /** Something for some of many; {@link #bound} its waits by this. */
  @FunctionalInterface
  interface Attempt<T> {
    void make(List<T> some, Duration longestWait);
  }

  /** Tries it for all of them together; who is in somebody's way is found by halves. */
  <T> void together(List<T> all, Attempt<T> attempt, Consumer<T> obstructed) {
    together(all, LONGEST, attempt, obstructed);
  }

  private <T> void together(
      List<T> some, Duration longestWait, Attempt<T> attempt, Consumer<T> obstructed) {
    Duration wait = longestOf(SHORTEST, longestWait.compareTo(left) < 0 ? longestWait : left);
    try {
      attempt.make(some, wait);
    } catch (StoreUnavailable e) {
      if (!Failures.isLockTimeout(e)) {
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
