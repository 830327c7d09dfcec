package io.kairos.postgres.task;

import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * How long a transaction of this node waits for those of others. An application may keep its own
 * open for as long as it likes, and what it has made until then nobody can make; others are not to
 * wait for that.
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

  /** For each of so many alone, after they have waited together: all of them wait as long again. */
  static Duration alone(int of) {
    Duration part = LONGEST.dividedBy(of);
    return part.compareTo(SHORTEST) < 0 ? SHORTEST : part;
  }
}
