package io.kairos.testkit.task;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.TaskEvent;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.Claim;
import io.kairos.engine.task.port.Claims;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who may begin which task of {@link ModelTaskStore}: keys, limits and gates have a word in it. Not
 * thread-safe: its owner locks.
 */
final class ModelClaiming {
  private final TaskTable tasks;
  private final ModelKeys keys;
  private final LimitBook limits;
  private final Gatekeeper gatekeeper;

  ModelClaiming(TaskTable tasks, ModelKeys keys, LimitBook limits, Gatekeeper gatekeeper) {
    this.tasks = tasks;
    this.keys = keys;
    this.limits = limits;
    this.gatekeeper = gatekeeper;
  }

  Claims run(List<Claim> claims, Duration lease, long now) {
    List<TaskRow> keyed = new ArrayList<>();
    List<Claim> plain = new ArrayList<>();
    for (Claim claim : claims) {
      TaskRow row = tasks.held(claim.enqueued(), TaskState.ENQUEUED);
      if (claim.keyId() == null) {
        plain.add(claim);
      } else if (row != null && row.keyId != null) {
        keyed.add(row);
      }
    }
    Set<FencedTask> allowed = keys.allowed(keyed, now);
    List<Claim> ofKeys =
        claims.stream()
            .filter(claim -> claim.keyId() != null && allowed.contains(claim.enqueued()))
            .toList();
    return run(ofKeys, lease, now, true).and(run(plain, lease, now, false));
  }

  private Claims run(List<Claim> claims, Duration lease, long now, boolean keyed) {
    Set<FencedTask> claimed = new HashSet<>();
    Map<FencedTask, QueueId> heldBack = new HashMap<>();
    Map<QueueId, LimitBook.Room> rooms = new HashMap<>();
    for (Claim claim : claims) {
      LimitBook.Room room = rooms.computeIfAbsent(claim.queue(), queue -> limits.room(queue, now));
      boolean first = room.takeTurn();
      TaskRow row = tasks.held(claim.enqueued(), TaskState.ENQUEUED);
      if (row == null
          || (row.keyId != null) != keyed
          || row.isTooLateAt(now)
          || gatekeeper.takesOut(row, now)) {
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
    return new Claims(claimed, waits);
  }

  private void begin(TaskRow row, Claim claim, Duration lease, long now) {
    keys.begun(row, now);
    limits.begun(claim.queue(), now);
    tasks.change(
        row,
        one -> one.isTaken(TaskEvent.CLAIM, claim.worker(), now + EpochMicros.lengthOf(lease)));
  }
}
