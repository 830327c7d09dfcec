package io.kairos.postgres.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.Idempotency.OnConflict;
import io.kairos.domain.task.TaskHandler;
import io.kairos.domain.task.TaskId;
import io.kairos.engine.task.port.Arrival;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.InsertResult.Reason;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.Receipt;
import io.kairos.postgres.task.KeyPlacing.Place;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stores requests about which something must be asked first, in one transaction: whether their
 * idempotency keys are free, where their tasks stand in the order of their keys, and whether their
 * handlers may have more tasks. All that is asked is locked until the end, always in the same
 * order: idempotency keys, the tasks that have them, ordering keys, handlers. First every request
 * is judged, then what was admitted is written, so that one that is refused leaves nothing behind.
 */
final class Admitting {
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final IdempotencyKeys keys;
  private final List<Judged> requests;

  private Admitting(IdempotencyKeys keys, List<InsertRequest> requests) {
    this.keys = keys;
    this.requests = requests.stream().map(Judged::new).toList();
  }

  /** A request and what is to become of it. */
  private static final class Judged {
    final InsertRequest request;
    final List<Arrival> fresh = new ArrayList<>();
    final Map<TaskId, NewTask> replaced = new HashMap<>();

    /** By the id of the one that arrived. */
    final Map<TaskId, TaskId> formers = new HashMap<>();

    @Nullable InsertResult refusal;

    Judged(InsertRequest request) {
      this.request = request;
    }

    InsertResult result(Map<TaskId, Place> places) {
      InsertResult refused = refusal;
      return refused != null
          ? refused
          : new InsertResult.Stored(
              request.arrivals().stream().map(arrival -> receipt(arrival, places)).toList());
    }

    private Receipt receipt(Arrival arrival, Map<TaskId, Place> places) {
      TaskId former = formers.get(arrival.task().id());
      return former == null ? NewTasks.receipt(arrival, places) : new Receipt(former, true, false);
    }
  }

  /**
   * Needs a transaction.
   *
   * @param requests no two with the same idempotency key
   * @param longestWait for a lock that an application may hold
   */
  static List<InsertResult> run(
      Connection connection,
      NodeId node,
      List<InsertRequest> requests,
      Duration enqueueTimeout,
      Duration longestWait)
      throws SQLException {
    List<Arrival> withKey =
        requests.stream()
            .flatMap(request -> request.arrivals().stream())
            .filter(arrival -> arrival.idempotency() != null)
            .toList();
    LockWaits.bound(connection, longestWait);
    Admitting admitting = new Admitting(IdempotencyKeys.lock(connection, withKey), requests);
    admitting.requests.forEach(admitting::judge);
    Map<TaskId, Place> places = admitting.admit(connection);
    admitting.write(connection, node, places, enqueueTimeout);
    return admitting.requests.stream().map(judged -> judged.result(places)).toList();
  }

  /** By the idempotency keys. */
  private void judge(Judged judged) {
    List<Arrival> arrivals = judged.request.arrivals();
    for (int i = 0; i < arrivals.size(); i++) {
      Arrival arrival = arrivals.get(i);
      TaskId former = former(arrival);
      if (former == null) {
        judged.fresh.add(arrival);
        continue;
      }
      Reason conflict = conflict(arrival);
      if (conflict != null) {
        judged.refusal = new InsertResult.Conflict(i, former, conflict);
        return;
      }
      judged.formers.put(arrival.task().id(), former);
      if (onConflict(arrival) == OnConflict.REPLACE) {
        judged.replaced.put(former, arrival.task());
      }
    }
  }

  /** The task that has its key; null when nothing is in its way. */
  private @Nullable TaskId former(Arrival arrival) {
    return arrival.idempotency() == null || keys.inTheWayOf(arrival) == IdempotencyKeys.Finding.FREE
        ? null
        : keys.former(arrival);
  }

  private static OnConflict onConflict(Arrival arrival) {
    return requireNonNull(arrival.idempotency()).onConflict();
  }

  /** Why a task whose key is taken cannot be accepted; null when it can. */
  private @Nullable Reason conflict(Arrival arrival) {
    return switch (onConflict(arrival)) {
      case KEEP -> null;
      case ERROR -> Reason.EXISTS;
      case REPLACE ->
          switch (keys.inTheWayOf(arrival)) {
            case FREE, WAITS -> null;
            case ORDERED -> Reason.ORDERED;
            case BEYOND -> Reason.NOT_WAITING;
          };
    };
  }

  /** By the quotas; says where those that are admitted stand in the order of their keys. */
  private Map<TaskId, Place> admit(Connection connection) throws SQLException {
    Map<TaskId, Place> places = places(connection);
    // Quotas are locked by nodes alone, which keep no transaction open.
    LockWaits.bound(connection, Duration.ZERO);
    int[] queues = NewTasks.distinctQueues(fresh().stream().map(Arrival::task).toList());
    Quotas quotas = Quotas.lock(connection, queues);
    boolean allAdmitted = true;
    for (Judged judged : requests) {
      if (judged.refusal == null) {
        TaskHandler full =
            quotas.admit(judged.fresh.stream().map(one -> one.task().queue()).toList());
        if (full != null) {
          judged.refusal = new InsertResult.Exhausted(full, RETRY_AFTER);
          allAdmitted = false;
        }
      }
    }
    quotas.write(connection);
    // Those that were refused may have stood before others; their keys are locked already.
    return allAdmitted ? places : places(connection);
  }

  private Map<TaskId, Place> places(Connection connection) throws SQLException {
    return KeyPlacing.of(
        connection,
        requests.stream()
            .filter(judged -> judged.refusal == null)
            .map(judged -> judged.fresh.stream().map(Arrival::task).toList())
            .toList());
  }

  /** All that are stored, as far as is known by now. */
  private List<Arrival> fresh() {
    return requests.stream()
        .filter(judged -> judged.refusal == null)
        .flatMap(judged -> judged.fresh.stream())
        .toList();
  }

  private void write(
      Connection connection, NodeId node, Map<TaskId, Place> places, Duration enqueueTimeout)
      throws SQLException {
    List<Arrival> refused = new ArrayList<>();
    Map<TaskId, NewTask> replaced = new HashMap<>();
    for (Judged judged : requests) {
      if (judged.refusal == null) {
        replaced.putAll(judged.replaced);
      } else {
        refused.addAll(judged.request.arrivals());
      }
    }
    List<Arrival> stored = fresh();
    keys.settle(connection, withKey(stored), withKey(refused));
    if (!replaced.isEmpty()) {
      NewTasks.replace(connection, replaced);
    }
    if (!stored.isEmpty()) {
      NewTasks.insert(connection, node, stored, places, enqueueTimeout, false);
    }
  }

  private static List<Arrival> withKey(List<Arrival> arrivals) {
    return arrivals.stream().filter(arrival -> arrival.idempotency() != null).toList();
  }
}
