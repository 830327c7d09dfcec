package io.kairos.postgres.task;

import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * How long a transaction of this node waits for those of others. An application may keep its own
 * open for as long as it likes, and what it has made until then nobody can make; others are not to
 * wait for that. When many have waited together in vain, each half of them is tried by itself for
 * half as long, and so on: to find the one that is in somebody's way takes as long again, and a
 * handful of transactions.
 */
final class LockWaits {
  static final Duration LONGEST = Duration.ofMillis(250);

  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Sql LOCK_TIMEOUT = Sql.load(LockWaits.class, "lock_timeout.sql");

  private LockWaits() {}

  /** Of each further statement of the transaction; zero for as long as it takes. */
  static void bound(Connection connection, Duration longest) throws SQLException {
    try (Call call = LOCK_TIMEOUT.on(connection).with("lock_timeout_millis", longest.toMillis())) {
      call.query();
    }
  }

  /** For each half of those that have waited together for so long. */
  static Duration half(Duration together) {
    Duration half = together.dividedBy(2);
    return half.compareTo(SHORTEST) < 0 ? SHORTEST : half;
  }
}
