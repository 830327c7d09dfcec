package io.kairos.postgres.task;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskIdempotency;
import io.kairos.domain.task.TaskIdempotency.OnConflict;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.InsertResult.Reason;
import io.kairos.engine.task.port.TaskReceipt;
import io.kairos.postgres.task.KeyPlacement.KeyPosition;
import io.kairos.postgres.task.row.IdempotencyKeys;
import io.kairos.postgres.task.row.IdempotencyKeys.Obstacle;
import io.kairos.postgres.task.row.LockWaits;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Stores requests that need a check first, in one transaction. The checks are: idempotency keys are
 * free, the tasks that others are to wait for are there, places in the order of ordering keys,
 * admission quotas of handlers, batches take the tasks. All that is checked stays locked until the
 * end, always in this order: idempotency keys, the tasks that have them, the tasks that others wait
 * for, ordering keys, handlers, batches. Every request is checked before the admitted ones are
 * written, so that a refused request leaves nothing behind.
 */
final class TaskAdmission {
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final IdempotencyKeys keys;
  private final List<Judged> requests;

  private TaskAdmission(IdempotencyKeys keys, List<InsertRequest> requests) {
    this.keys = keys;
    this.requests = requests.stream().map(Judged::new).toList();
  }

  /** A request and the decision on it. */
  private static final class Judged {
    final InsertRequest request;
    final List<ArrivingTask> fresh = new ArrayList<>();
    final Map<TaskId, ArrivingTask> replaced = new HashMap<>();

    /** The task that has the idempotency key, by the id of the task that arrived. */
    final Map<TaskId, TaskId> formers = new HashMap<>();

    /** Null for a request without edges. */
    @Nullable EdgePlacement edges;

    @Nullable InsertResult refusal;

    Judged(InsertRequest request) {
      this.request = request;
    }

    Set<TaskId> awaiting() {
      EdgePlacement placed = edges;
      return placed == null ? Set.of() : placed.awaiting();
    }

    InsertResult result(Map<TaskId, KeyPosition> places) {
      InsertResult refused = refusal;
      return refused != null
          ? refused
          : new InsertResult.Stored(
              request.arrivals().stream().map(arrival -> receipt(arrival, places)).toList());
    }

    private TaskReceipt receipt(ArrivingTask arrival, Map<TaskId, KeyPosition> places) {
      TaskId former = formers.get(arrival.task().id());
      return former == null
          ? NewTasks.receipt(arrival, places, awaiting())
          : TaskReceipt.duplicate(former);
    }
  }

  /**
   * Needs a transaction.
   *
   * @param requests no two with the same idempotency key
   * @param longestWait the longest wait for a lock that an application may hold
   */
  static List<InsertResult> run(
      Connection connection,
      NodeId node,
      List<InsertRequest> requests,
      Duration enqueueTimeout,
      Duration longestWait) {
    List<ArrivingTask> withKey =
        requests.stream()
            .flatMap(request -> request.arrivals().stream())
            .filter(arrival -> arrival.idempotency() != null)
            .toList();
    LockWaits.bound(connection, longestWait);
    TaskAdmission admitting =
        new TaskAdmission(IdempotencyKeys.lock(connection, withKey), requests);
    admitting.requests.forEach(admitting::judge);
    admitting.placeEdges(connection);
    Map<TaskId, KeyPosition> places = admitting.admit(connection, longestWait);
    admitting.write(connection, node, places, enqueueTimeout);
    return admitting.requests.stream().map(judged -> judged.result(places)).toList();
  }

  /** Decides on a request by its idempotency keys. */
  private void judge(Judged judged) {
    List<ArrivingTask> arrivals = judged.request.arrivals();
    for (int i = 0; i < arrivals.size(); i++) {
      ArrivingTask arrival = arrivals.get(i);
      TaskIdempotency idempotency = arrival.idempotency();
      Obstacle obstacle = idempotency == null ? null : keys.obstacle(arrival);
      if (idempotency == null || obstacle == null) {
        judged.fresh.add(arrival);
        continue;
      }
      Reason conflict =
          switch (idempotency.onConflict()) {
            case KEEP -> null;
            case ERROR -> Reason.EXISTS;
            case REPLACE -> obstacle.toReplacing();
          };
      if (conflict != null) {
        judged.refusal = new InsertResult.Conflict(i, obstacle.former(), conflict);
        return;
      }
      judged.formers.put(arrival.task().id(), obstacle.former());
      if (idempotency.onConflict() == OnConflict.REPLACE) {
        judged.replaced.put(obstacle.former(), arrival);
      }
    }
  }

  /** Decides on requests by the tasks that theirs are to wait for. */
  private void placeEdges(Connection connection) {
    List<Judged> withEdges =
        requests.stream()
            .filter(judged -> judged.refusal == null && !judged.request.edges().isEmpty())
            .toList();
    if (withEdges.isEmpty()) {
      return;
    }
    int older = EdgePlacement.olderNodes(connection);
    if (older > 0) {
      withEdges.forEach(judged -> judged.refusal = new InsertResult.OlderNodes(older));
      return;
    }
    List<EdgePlacement> placements = new ArrayList<>();
    for (Judged judged : withEdges) {
      EdgePlacement placement = new EdgePlacement(judged.request, judged.formers);
      judged.edges = placement;
      placements.add(placement);
    }
    EdgePlacement.lock(connection, placements)
        .forEach((nth, refusal) -> withEdges.get(nth).refusal = refusal);
  }

  /** The new tasks that begin as awaiting, of all requests that have not been refused so far. */
  private Set<TaskId> awaiting() {
    Set<TaskId> awaiting = new HashSet<>();
    for (Judged judged : requests) {
      if (judged.refusal == null) {
        awaiting.addAll(judged.awaiting());
      }
    }
    return awaiting;
  }

  /**
   * Decides by the quotas and the batches.
   *
   * @param longestWait the longest wait for a batch, which a node keeps while it writes what joins
   *     it
   * @return the places of admitted tasks that have an ordering key
   */
  private Map<TaskId, KeyPosition> admit(Connection connection, Duration longestWait) {
    Map<TaskId, KeyPosition> places = places(connection);
    // Only nodes lock quotas, and they keep no transaction open.
    LockWaits.bound(connection, Duration.ZERO);
    int[] queues = NewTasks.distinctQueues(fresh().stream().map(ArrivingTask::task).toList());
    AdmissionQuotas quotas = AdmissionQuotas.lock(connection, queues);
    BatchPlacement batches = BatchPlacement.lock(connection, fresh(), longestWait);
    boolean allAdmitted = true;
    for (Judged judged : requests) {
      if (judged.refusal == null) {
        judged.refusal = batches.refusal(judged.request, judged.fresh);
        if (judged.refusal == null) {
          judged.refusal = exhausted(quotas, judged);
        }
        if (judged.refusal == null) {
          batches.take(judged.fresh);
        } else {
          allAdmitted = false;
        }
      }
    }
    quotas.write(connection);
    // A refused task may have had its place before another; all these keys are locked already.
    return allAdmitted ? places : places(connection);
  }

  private static @Nullable InsertResult exhausted(AdmissionQuotas quotas, Judged judged) {
    TaskHandler full = quotas.admit(judged.fresh.stream().map(one -> one.task().queue()).toList());
    return full == null ? null : new InsertResult.Exhausted(full, RETRY_AFTER);
  }

  private Map<TaskId, KeyPosition> places(Connection connection) {
    return KeyPlacement.of(
        connection,
        requests.stream()
            .filter(judged -> judged.refusal == null)
            .map(judged -> judged.fresh.stream().map(ArrivingTask::task).toList())
            .toList(),
        awaiting());
  }

  /** The new tasks of all requests that have not been refused so far. */
  private List<ArrivingTask> fresh() {
    return requests.stream()
        .filter(judged -> judged.refusal == null)
        .flatMap(judged -> judged.fresh.stream())
        .toList();
  }

  private void write(
      Connection connection,
      NodeId node,
      Map<TaskId, KeyPosition> places,
      Duration enqueueTimeout) {
    List<ArrivingTask> refused = new ArrayList<>();
    Map<TaskId, ArrivingTask> replaced = new HashMap<>();
    for (Judged judged : requests) {
      if (judged.refusal == null) {
        replaced.putAll(judged.replaced);
      } else {
        refused.addAll(judged.request.arrivals());
      }
    }
    List<ArrivingTask> stored = fresh();
    keys.settle(connection, withKey(stored), withKey(refused));
    if (!replaced.isEmpty()) {
      NewTasks.replace(connection, replaced);
    }
    if (!stored.isEmpty()) {
      NewTasks.insert(connection, node, stored, places, awaiting(), enqueueTimeout, false);
      BatchPlacement.join(connection, stored);
      EdgePlacement.insert(
          connection,
          requests.stream()
              .filter(judged -> judged.refusal == null)
              .flatMap(judged -> Stream.ofNullable(judged.edges))
              .toList());
    }
  }

  private static List<ArrivingTask> withKey(List<ArrivingTask> arrivals) {
    return arrivals.stream().filter(arrival -> arrival.idempotency() != null).toList();
  }
}
