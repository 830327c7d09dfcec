package io.kairos.postgres.task;

import static java.util.Objects.requireNonNullElse;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.ClaimResult;
import io.kairos.engine.task.port.TaskClaim;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NullableColumns;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.row.FencedRows;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Hands enqueued tasks to workers by one statement, and by another one when some were refused. */
final class TaskClaims {
  private static final SqlStatement CLAIM = SqlStatement.load("task/claim.sql");
  private static final SqlStatement REFUSED = SqlStatement.load("task/claim_refused.sql");

  private TaskClaims() {}

  /** A claim and its place among those of its queue, from 1. */
  private record Nth(TaskClaim claim, int nth) {
    FencedTask enqueued() {
      return claim.enqueued();
    }

    int queue() {
      return claim.queue().value();
    }
  }

  /** Claims tasks without keys. */
  static ClaimResult run(Connection connection, List<TaskClaim> claims, Duration lease) {
    return run(connection, claims, queues(claims), lease, false);
  }

  /**
   * Claims tasks.
   *
   * @param queues the queues whose limits are locked. These are all from which the transaction
   *     claims, or two transactions would lock them in different orders.
   * @param keyed true if the tasks have keys; then the keys are locked and let the tasks begin
   */
  static ClaimResult run(
      Connection connection,
      List<TaskClaim> claims,
      Set<QueueId> queues,
      Duration lease,
      boolean keyed) {
    if (claims.isEmpty()) {
      return ClaimResult.NONE;
    }
    FencedRows<Nth> fenced = FencedRows.of(counted(claims), Nth::enqueued);
    Map<FencedTask, Boolean> waited = claim(connection, fenced, queues, lease, keyed);
    Set<FencedTask> claimed = waited.keySet();
    Set<FencedTask> withPredecessors = new HashSet<>();
    waited.forEach((task, hasPredecessors) -> {
      if (hasPredecessors) {
        withPredecessors.add(task);
      }
    });
    if (claimed.size() == claims.size()) {
      return new ClaimResult(claimed, Map.of(), withPredecessors);
    }
    List<Nth> refused =
        fenced.changes().stream().filter(one -> !claimed.contains(one.enqueued())).toList();
    return new ClaimResult(
        claimed,
        heldBack(connection, new FencedRows<>(refused, Nth::enqueued), keyed),
        withPredecessors);
  }

  static Set<QueueId> queues(List<TaskClaim> claims) {
    return claims.stream().map(TaskClaim::queue).collect(Collectors.toSet());
  }

  /** Numbers the claims of each queue; a limit admits the first ones. */
  private static List<Nth> counted(List<TaskClaim> claims) {
    Map<QueueId, Integer> counts = new HashMap<>();
    List<Nth> nths = new ArrayList<>(claims.size());
    for (TaskClaim claim : claims) {
      int nth = counts.getOrDefault(claim.queue(), 0) + 1;
      counts.put(claim.queue(), nth);
      nths.add(new Nth(claim, nth));
    }
    return nths;
  }

  /** The claimed tasks; true for those that have waited for others. */
  private static Map<FencedTask, Boolean> claim(
      Connection connection,
      FencedRows<Nth> claims,
      Set<QueueId> queues,
      Duration lease,
      boolean keyed) {
    int[] limited = queues.stream().mapToInt(QueueId::value).sorted().toArray();
    return claims
        .bind(CLAIM.on(connection))
        .with("workers", claims.texts(one -> one.claim().worker()))
        .with("callers", claims.texts(one -> one.claim().caller()).emptyIfAllNull())
        .with("queue_ids", queueIds(claims))
        .with("nths", ColumnBatch.ints(claims.changes(), Nth::nth))
        .with("queues", BinaryArray.ints(limited))
        .with("lease_micros", EpochMicros.lengthOf(lease))
        .with("grace_micros", EpochMicros.lengthOf(TaskStore.TIMEOUT_GRACE))
        .with("keyed", keyed)
        .map(FencedRows::read, row -> row.getBoolean(3));
  }

  private static Map<FencedTask, Duration> heldBack(
      Connection connection, FencedRows<Nth> refused, boolean keyed) {
    return refused
        .bind(REFUSED.on(connection))
        .with("queue_ids", queueIds(refused))
        .with("keyed", keyed)
        .map(
            FencedRows::read,
            row ->
                requireNonNullElse(
                    NullableColumns.number(row, 3, EpochMicros::toDuration),
                    ClaimResult.UNTIL_CHANGED));
  }

  private static BinaryArray queueIds(FencedRows<Nth> claims) {
    return ColumnBatch.ints(claims.changes(), Nth::queue);
  }
}
