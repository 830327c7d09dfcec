package io.kairos.postgres.task;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.Claim;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Hands enqueued tasks to workers. */
final class Claiming {
  private static final Sql CLAIM = Sql.load(Claiming.class, "claim.sql");

  private Claiming() {}

  /**
   * @param keyed whether the tasks have keys, which are locked and let them begin
   */
  static Set<FencedTask> run(
      Connection connection, List<Claim> claims, Duration lease, boolean keyed)
      throws SQLException {
    if (claims.isEmpty()) {
      return Set.of();
    }
    Fenced<Claim> fenced = Fenced.of(claims, Claim::enqueued);
    try (Call call =
        fenced
            .bind(CLAIM.on(connection))
            .with("workers", fenced.texts(Claim::worker))
            .with("lease_micros", EpochMicros.lengthOf(lease))
            .with("keyed", keyed)) {
      return Fenced.returnedBy(call);
    }
  }
}
