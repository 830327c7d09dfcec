package io.kairos.model.task;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskEvent;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.ClaimResult;
import io.kairos.engine.task.port.TaskClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides which claims on tasks of {@link ModelTaskStore} succeed, by ordering keys, limits by key,
 * limits of queues and pauses. Not thread-safe: its owner locks.
 */
final class ModelClaims {
  private final TaskTable tasks;
  private final ModelOrderingKeys keys;
  private final ModelQueueLimits limits;
  private final ModelKeyLimits keyLimits;
  private final ModelPausedTasks gatekeeper;
  private final ModelGraphs graphs;

  ModelClaims(
      TaskTable tasks,
      ModelOrderingKeys keys,
      ModelQueueLimits limits,
      ModelKeyLimits keyLimits,
      ModelPausedTasks gatekeeper,
      ModelGraphs graphs) {
    this.tasks = tasks;
    this.keys = keys;
    this.limits = limits;
    this.keyLimits = keyLimits;
    this.gatekeeper = gatekeeper;
    this.graphs = graphs;
  }

  ClaimResult run(List<TaskClaim> claims, Duration lease, long now) {
    List<TaskRow> keyed = new ArrayList<>();
    List<TaskClaim> plain = new ArrayList<>();
    for (TaskClaim claim : claims) {
      TaskRow row = tasks.held(claim.enqueued(), TaskState.ENQUEUED);
      if (!claim.isChecked()) {
        plain.add(claim);
      } else if (row != null && isChecked(row)) {
        keyed.add(row);
      }
    }
    ModelKeyLimits.Claims deciding = keyLimits.claims(now);
    Set<FencedTask> allowed = keys.allowed(keyed, deciding::admit, now);
    List<TaskClaim> ofKeys =
        claims.stream()
            .filter(claim -> claim.isChecked() && allowed.contains(claim.enqueued()))
            .toList();
    ClaimResult ofThose = run(ofKeys, lease, now, true).with(deciding.wakeNext());
    return ofThose.and(run(plain, lease, now, false));
  }

  private static boolean isChecked(TaskRow row) {
    return row.keyId != null || !row.limits().isNone();
  }

  private ClaimResult run(List<TaskClaim> claims, Duration lease, long now, boolean keyed) {
    Set<FencedTask> claimed = new HashSet<>();
    Map<FencedTask, QueueId> heldBack = new HashMap<>();
    Map<QueueId, ModelQueueLimits.Room> rooms = new HashMap<>();
    for (TaskClaim claim : claims) {
      ModelQueueLimits.Room room =
          rooms.computeIfAbsent(claim.queue(), queue -> limits.room(queue, now));
      boolean first = room.takeTurn();
      TaskRow row = tasks.held(claim.enqueued(), TaskState.ENQUEUED);
      if (row == null
          || isChecked(row) != keyed
          || gatekeeper.takesOut(row, now)
          || takesOutTooLate(row, now)) {
        continue;
      }
      if (first) {
        begin(row, claim, lease, now);
        claimed.add(claim.enqueued());
      } else {
        heldBack.put(claim.enqueued(), row.queue());
      }
    }
    Map<FencedTask, Duration> waits = new HashMap<>();
    heldBack.forEach((task, queue) -> waits.put(task, limits.wait(queue, now)));
    Set<FencedTask> withPredecessors =
        claimed.stream()
            .filter(task -> graphs.hasPredecessors(task.id()))
            .collect(Collectors.toSet());
    return new ClaimResult(claimed, waits, withPredecessors);
  }

  /** Makes a task that is past its start deadline wait; returns true if so. */
  private boolean takesOutTooLate(TaskRow row, long now) {
    if (!row.isTooLateAt(now)) {
      return false;
    }
    long trigger = row.attempt() == 0 ? row.dueMicros : now;
    tasks.change(row, one -> one.happens(TaskEvent.RELEASE, trigger));
    return true;
  }

  private void begin(TaskRow row, TaskClaim claim, Duration lease, long now) {
    keys.begun(row, now);
    limits.begun(claim.queue(), now);
    keyLimits.begun(row, now);
    tasks.change(row, one -> one.isClaimed(claim, now + EpochMicros.lengthOf(lease), now));
  }
}
