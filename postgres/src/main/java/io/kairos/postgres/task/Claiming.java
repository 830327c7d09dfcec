package io.kairos.postgres.task;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.Claim;
import io.kairos.engine.task.port.Claims;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Hands enqueued tasks to workers: one statement, and another one when some were refused. */
final class Claiming {
  private static final Sql CLAIM = Sql.load(Claiming.class, "claim.sql");
  private static final Sql REFUSED = Sql.load(Claiming.class, "claim_refused.sql");

  private Claiming() {}

  /** A claim and its place among those of its queue, from 1. */
  private record Nth(Claim claim, int nth) {
    FencedTask enqueued() {
      return claim.enqueued();
    }

    int queue() {
      return claim.queue().value();
    }
  }

  /** Tasks without keys. */
  static Claims run(Connection connection, List<Claim> claims, Duration lease) throws SQLException {
    return run(connection, claims, queues(claims), lease, false);
  }

  /**
   * @param queues whose limits are locked: all of which the transaction claims, or two transactions
   *     would lock them in different orders
   * @param keyed whether the tasks have keys, which are locked and let them begin
   */
  static Claims run(
      Connection connection, List<Claim> claims, Set<QueueId> queues, Duration lease, boolean keyed)
      throws SQLException {
    if (claims.isEmpty()) {
      return Claims.NONE;
    }
    Fenced<Nth> fenced = Fenced.of(counted(claims), Nth::enqueued);
    Set<FencedTask> claimed = claim(connection, fenced, queues, lease, keyed);
    if (claimed.size() == claims.size()) {
      return new Claims(claimed, Map.of());
    }
    List<Nth> refused =
        fenced.wishes().stream().filter(one -> !claimed.contains(one.enqueued())).toList();
    return new Claims(claimed, heldBack(connection, new Fenced<>(refused, Nth::enqueued), keyed));
  }

  static Set<QueueId> queues(List<Claim> claims) {
    return claims.stream().map(Claim::queue).collect(Collectors.toSet());
  }

  /** The first of a queue is the first that there is room for. */
  private static List<Nth> counted(List<Claim> claims) {
    Map<QueueId, Integer> counts = new HashMap<>();
    List<Nth> nths = new ArrayList<>(claims.size());
    for (Claim claim : claims) {
      int nth = counts.getOrDefault(claim.queue(), 0) + 1;
      counts.put(claim.queue(), nth);
      nths.add(new Nth(claim, nth));
    }
    return nths;
  }

  private static Set<FencedTask> claim(
      Connection connection, Fenced<Nth> claims, Set<QueueId> queues, Duration lease, boolean keyed)
      throws SQLException {
    int[] nths = claims.wishes().stream().mapToInt(Nth::nth).toArray();
    int[] limited = queues.stream().mapToInt(QueueId::value).sorted().toArray();
    try (Call call =
        claims
            .bind(CLAIM.on(connection))
            .with("workers", claims.texts(one -> one.claim().worker()))
            .with("queue_ids", queueIds(claims))
            .with("nths", BinaryArray.ints(nths))
            .with("queues", BinaryArray.ints(limited))
            .with("lease_micros", EpochMicros.lengthOf(lease))
            .with("keyed", keyed)) {
      return Fenced.returnedBy(call);
    }
  }

  private static Map<FencedTask, Duration> heldBack(
      Connection connection, Fenced<Nth> refused, boolean keyed) throws SQLException {
    Map<FencedTask, Duration> heldBack = new HashMap<>();
    try (Call call =
            refused
                .bind(REFUSED.on(connection))
                .with("queue_ids", queueIds(refused))
                .with("keyed", keyed);
        ResultSet rows = call.query()) {
      while (rows.next()) {
        long wait = rows.getLong(3);
        boolean noMatterOfTime = rows.wasNull();
        heldBack.put(
            Fenced.read(rows),
            noMatterOfTime ? Claims.UNTIL_CHANGED : Duration.of(wait, ChronoUnit.MICROS));
      }
    }
    return heldBack;
  }

  private static BinaryArray queueIds(Fenced<Nth> claims) {
    return BinaryArray.ints(claims.wishes().stream().mapToInt(Nth::queue).toArray());
  }
}
