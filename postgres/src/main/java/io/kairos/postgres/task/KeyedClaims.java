package io.kairos.postgres.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.OrderingKeyState;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.limit.TaskLimits;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.engine.task.port.ClaimResult;
import io.kairos.engine.task.port.TaskClaim;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.KeyRows.Earliest;
import io.kairos.postgres.task.KeyRows.Locked;
import io.kairos.postgres.task.row.FencedRows;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Claims tasks with ordering keys or limits by key in one transaction. The tasks are locked first,
 * then their keys, then the uses of their limits; the statements after that decide which tasks may
 * begin. The other tasks leave their queue: they are blocked until other tasks of their key have
 * ended, wait for the rate of the key, or stand in line before a limit.
 */
final class KeyedClaims {
  private static final SqlStatement LOCK = SqlStatement.load("task/claim_lock.sql");
  private static final SqlStatement BLOCK = SqlStatement.load("task/block.sql");
  private static final SqlStatement HOLD_BACK = SqlStatement.load("task/hold_back.sql");

  private final Connection connection;
  private final List<FencedTask> mayBegin = new ArrayList<>();
  private final List<FencedTask> blocked = new ArrayList<>();
  private final List<HeldBack> heldBack = new ArrayList<>();

  /**
   * A task that may be claimed.
   *
   * @param key null for a task without one
   */
  private record Candidate(
      FencedTask task, @Nullable OrderingKeyId key, long dueMicros, TaskLimits limits) {}

  private record HeldBack(FencedTask task, long delayMicros) {}

  private KeyedClaims(Connection connection) {
    this.connection = connection;
  }

  /**
   * Claims tasks with keys or limits.
   *
   * @param queues the queues of all tasks that the transaction claims, also of those without either
   */
  static ClaimResult run(
      Connection connection, List<TaskClaim> claims, Set<QueueId> queues, Duration lease) {
    return new KeyedClaims(connection).run(claims, queues, lease);
  }

  private ClaimResult run(List<TaskClaim> claims, Set<QueueId> queues, Duration lease) {
    List<Candidate> candidates = candidates(claims);
    SortedMap<OrderingKeyId, Locked> keys =
        KeyRows.lock(
            connection,
            candidates.stream().flatMap(candidate -> Stream.ofNullable(candidate.key())).toList());
    KeyLimits limits =
        KeyLimits.lock(connection, candidates.stream().map(Candidate::limits).toList());
    limits.prepare(candidates.stream().map(Candidate::task).toList());
    decide(candidates, keys, limits);
    Set<FencedTask> allowed = Set.copyOf(mayBegin);
    ClaimResult result =
        TaskClaims.run(
            connection,
            claims.stream().filter(claim -> allowed.contains(claim.enqueued())).toList(),
            queues,
            lease,
            true);
    note(candidates, result.claimed(), keys);
    Map<FencedTask, TaskLimits> begun = new HashMap<>();
    for (Candidate candidate : candidates) {
      if (result.claimed().contains(candidate.task()) && !candidate.limits().isNone()) {
        begun.put(candidate.task(), candidate.limits());
      }
    }
    Set<QueueId> roomIn = limits.noteClaims(begun);
    leaveQueue();
    return result.with(roomIn);
  }

  /** Locks the tasks. Returns them in the order in which tasks of one key begin. */
  private List<Candidate> candidates(List<TaskClaim> claims) {
    List<Candidate> candidates = new ArrayList<>();
    FencedRows<TaskClaim> fenced = FencedRows.of(claims, TaskClaim::enqueued);
    fenced
        .bind(LOCK.on(connection))
        .each(row ->
            candidates.add(
                new Candidate(
                    FencedRows.read(row),
                    KeyRows.key(row, 3),
                    row.getLong(4),
                    TaskLimits.ofStored(row.getString(5)))));
    candidates.sort(
        Comparator.comparingLong(Candidate::dueMicros).thenComparing(one -> one.task().id()));
    return candidates;
  }

  private void decide(
      List<Candidate> candidates, SortedMap<OrderingKeyId, Locked> keys, KeyLimits limits) {
    Map<OrderingKeyId, Earliest> earliest =
        KeyRows.earliest(
            connection,
            keys.entrySet().stream()
                .filter(entry -> entry.getValue().isOrdered())
                .map(Map.Entry::getKey)
                .toList());
    Map<OrderingKeyId, OrderingKeyState> states = new HashMap<>();
    Map<OrderingKeyId, Integer> heldBackOf = new HashMap<>();
    for (Candidate candidate : candidates) {
      TaskId task = candidate.task().id();
      OrderingKeyId keyId = candidate.key();
      if (keyId == null) {
        if (limits.admit(candidate.task(), candidate.limits())) {
          mayBegin.add(candidate.task());
        }
        continue;
      }
      Locked key = requireNonNull(keys.get(keyId), "a key that has tasks was pruned");
      OrderingKeyState state = states.getOrDefault(keyId, key.state());
      Earliest first = earliest.get(keyId);
      if (!state.mayBegin(task, first != null && first.id().equals(task), key.policy())) {
        blocked.add(candidate.task());
        continue;
      }
      int before = heldBackOf.getOrDefault(keyId, 0);
      long delay = state.heldBackMicros(before, key.nowMicros(), key.policy());
      if (delay > 0) {
        heldBack.add(new HeldBack(candidate.task(), delay));
        heldBackOf.put(keyId, before + 1);
      } else if (limits.admit(candidate.task(), candidate.limits())) {
        mayBegin.add(candidate.task());
        states.put(keyId, state.begun(task, key.nowMicros(), key.policy()));
      }
    }
  }

  /**
   * Changes the keys of claimed tasks. A task that its key lets begin is not claimed when its start
   * deadline has passed.
   */
  private void note(
      List<Candidate> candidates, Set<FencedTask> claimed, SortedMap<OrderingKeyId, Locked> keys) {
    SortedMap<OrderingKeyId, Locked> changed = new TreeMap<>();
    for (Candidate candidate : candidates) {
      OrderingKeyId keyId = candidate.key();
      if (keyId != null && claimed.contains(candidate.task())) {
        Locked key = changed.getOrDefault(keyId, requireNonNull(keys.get(keyId)));
        changed.put(
            keyId,
            key.with(key.state().begun(candidate.task().id(), key.nowMicros(), key.policy())));
      }
    }
    KeyRows.update(connection, changed);
  }

  private void leaveQueue() {
    if (!blocked.isEmpty()) {
      FencedRows.of(blocked).bind(BLOCK.on(connection)).update();
    }
    if (!heldBack.isEmpty()) {
      FencedRows<HeldBack> fenced = FencedRows.of(heldBack, HeldBack::task);
      fenced
          .bind(HOLD_BACK.on(connection))
          .with("delays", ColumnBatch.longs(fenced.changes(), HeldBack::delayMicros))
          .update();
    }
  }
}
