package io.kairos.postgres.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.KeyId;
import io.kairos.domain.task.KeyState;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.TaskId;
import io.kairos.engine.task.port.Claim;
import io.kairos.engine.task.port.Claims;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Sql;
import io.kairos.postgres.task.KeyRows.Earliest;
import io.kairos.postgres.task.KeyRows.Locked;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Claims of tasks with ordering keys, in one transaction: the tasks are locked, then their keys,
 * and what is read after that decides who may begin. The others leave their queue: they are blocked
 * until others of their key have ended, or wait for the key's rate.
 */
final class KeyedClaims {
  private static final Sql LOCK = Sql.load(KeyedClaims.class, "claim_lock.sql");
  private static final Sql BLOCK = Sql.load(KeyedClaims.class, "block.sql");
  private static final Sql HOLD_BACK = Sql.load(KeyedClaims.class, "hold_back.sql");

  private final Connection connection;
  private final List<FencedTask> mayBegin = new ArrayList<>();
  private final List<FencedTask> blocked = new ArrayList<>();
  private final List<HeldBack> heldBack = new ArrayList<>();

  private record Candidate(FencedTask task, KeyId key, long dueMicros) {}

  private record HeldBack(FencedTask task, long delayMicros) {}

  private KeyedClaims(Connection connection) {
    this.connection = connection;
  }

  /**
   * @param queues of all that the transaction claims
   */
  static Claims run(Connection connection, List<Claim> claims, Set<QueueId> queues, Duration lease)
      throws SQLException {
    return new KeyedClaims(connection).run(claims, queues, lease);
  }

  private Claims run(List<Claim> claims, Set<QueueId> queues, Duration lease) throws SQLException {
    List<Candidate> candidates = candidates(claims);
    SortedMap<KeyId, Locked> keys =
        KeyRows.lock(connection, candidates.stream().map(Candidate::key).toList());
    decide(candidates, keys);
    Set<FencedTask> allowed = Set.copyOf(mayBegin);
    Claims result =
        Claiming.run(
            connection,
            claims.stream().filter(claim -> allowed.contains(claim.enqueued())).toList(),
            queues,
            lease,
            true);
    note(candidates, result.claimed(), keys);
    leaveQueue();
    return result;
  }

  /** In the order in which those of one key are to begin. */
  private List<Candidate> candidates(List<Claim> claims) throws SQLException {
    List<Candidate> candidates = new ArrayList<>();
    Fenced<Claim> fenced = Fenced.of(claims, Claim::enqueued);
    try (Call call = fenced.bind(LOCK.on(connection));
        ResultSet rows = call.query()) {
      while (rows.next()) {
        candidates.add(
            new Candidate(Fenced.read(rows), new KeyId(rows.getLong(3)), rows.getLong(4)));
      }
    }
    candidates.sort(
        Comparator.comparingLong(Candidate::dueMicros).thenComparing(one -> one.task().id()));
    return candidates;
  }

  private void decide(List<Candidate> candidates, SortedMap<KeyId, Locked> keys)
      throws SQLException {
    Map<KeyId, Earliest> earliest =
        KeyRows.earliest(
            connection,
            keys.entrySet().stream()
                .filter(entry -> entry.getValue().isOrdered())
                .map(Map.Entry::getKey)
                .toList());
    Map<KeyId, KeyState> states = new HashMap<>();
    Map<KeyId, Integer> heldBackOf = new HashMap<>();
    for (Candidate candidate : candidates) {
      TaskId task = candidate.task().id();
      Locked key = requireNonNull(keys.get(candidate.key()), "a key that has tasks was pruned");
      KeyState state = states.getOrDefault(candidate.key(), key.state());
      Earliest first = earliest.get(candidate.key());
      if (!state.mayBegin(task, first != null && first.id().equals(task), key.policy())) {
        blocked.add(candidate.task());
        continue;
      }
      int before = heldBackOf.getOrDefault(candidate.key(), 0);
      long delay = state.heldBackMicros(before, key.nowMicros(), key.policy());
      if (delay > 0) {
        heldBack.add(new HeldBack(candidate.task(), delay));
        heldBackOf.put(candidate.key(), before + 1);
      } else {
        mayBegin.add(candidate.task());
        states.put(candidate.key(), state.begun(task, key.nowMicros(), key.policy()));
      }
    }
  }

  /** Not every task that its key lets begin is claimed: it may be too late for it. */
  private void note(
      List<Candidate> candidates, Set<FencedTask> claimed, SortedMap<KeyId, Locked> keys)
      throws SQLException {
    SortedMap<KeyId, Locked> changed = new TreeMap<>();
    for (Candidate candidate : candidates) {
      if (claimed.contains(candidate.task())) {
        Locked key =
            changed.getOrDefault(candidate.key(), requireNonNull(keys.get(candidate.key())));
        changed.put(
            candidate.key(),
            key.with(key.state().begun(candidate.task().id(), key.nowMicros(), key.policy())));
      }
    }
    KeyRows.update(connection, changed);
  }

  private void leaveQueue() throws SQLException {
    if (!blocked.isEmpty()) {
      try (Call call = Fenced.of(blocked).bind(BLOCK.on(connection))) {
        call.update();
      }
    }
    if (!heldBack.isEmpty()) {
      Fenced<HeldBack> fenced = Fenced.of(heldBack, HeldBack::task);
      long[] delays = fenced.wishes().stream().mapToLong(HeldBack::delayMicros).toArray();
      try (Call call =
          fenced.bind(HOLD_BACK.on(connection)).with("delays", BinaryArray.longs(delays))) {
        call.update();
      }
    }
  }
}
