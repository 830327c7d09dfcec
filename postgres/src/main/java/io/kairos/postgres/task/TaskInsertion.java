package io.kairos.postgres.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.TaskIdempotency;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.TaskReceipt;
import io.kairos.postgres.sql.SqlDatabase;
import io.kairos.postgres.task.row.LockWaits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Stores requests in as few steps as possible. Requests that need no check are stored by one
 * statement that commits by itself, the others in one transaction. Two requests with the same
 * idempotency key never share a transaction: the second comes after the first. Requests that join
 * batches come last, by themselves: calls for one batch take turns, which is nothing to others.
 */
final class TaskInsertion {
  private final SqlDatabase database;
  private final NodeId node;
  private final Duration enqueueTimeout;
  private final IdentityHashMap<InsertRequest, InsertResult> results = new IdentityHashMap<>();

  TaskInsertion(SqlDatabase database, NodeId node, Duration enqueueTimeout) {
    this.database = database;
    this.node = node;
    this.enqueueTimeout = enqueueTimeout;
  }

  /**
   * Stores requests.
   *
   * @return the results, in the order of the requests
   */
  List<InsertResult> run(List<InsertRequest> requests) {
    List<InsertRequest> plain = new ArrayList<>();
    List<InsertRequest> others = new ArrayList<>();
    for (InsertRequest request : requests) {
      boolean isPlain =
          request.edges().isEmpty() && request.arrivals().stream().allMatch(TaskInsertion::isPlain);
      (isPlain ? plain : others).add(request);
    }
    boolean stored = insertPlain(plain);
    Map<Boolean, List<InsertRequest>> byBatch =
        (stored ? others : requests)
            .stream().collect(Collectors.partitioningBy(TaskInsertion::isOfBatch));
    admitAll(requireNonNull(byBatch.get(false)));
    admitAll(requireNonNull(byBatch.get(true)));
    return requests.stream()
        .map(request -> requireNonNull(results.get(request), "a request without a result"))
        .toList();
  }

  private void admitAll(List<InsertRequest> requests) {
    LockWaits waits = new LockWaits();
    groups(requests)
        .forEach(group ->
            waits.together(
                group, this::admit, request -> results.put(request, new InsertResult.Busy())));
  }

  private static boolean isOfBatch(InsertRequest request) {
    return request.arrivals().stream().anyMatch(arrival -> arrival.task().batch() != null);
  }

  private static boolean isPlain(ArrivingTask arrival) {
    return arrival.idempotency() == null
        && arrival.task().details().key() == null
        && arrival.task().batch() == null;
  }

  /** Returns true when the requests are stored; false while one of their handlers has a quota. */
  private boolean insertPlain(List<InsertRequest> requests) {
    List<ArrivingTask> arrivals =
        requests.stream().flatMap(request -> request.arrivals().stream()).toList();
    boolean stored =
        arrivals.isEmpty()
            || database.single(
                "storing tasks",
                connection ->
                    NewTasks.insert(
                        connection, node, arrivals, Map.of(), Set.of(), enqueueTimeout, true));
    if (stored) {
      requests.forEach(request -> results.put(request, stored(request)));
    }
    return stored;
  }

  private static InsertResult stored(InsertRequest request) {
    return new InsertResult.Stored(
        request.arrivals().stream()
            .map(arrival -> TaskReceipt.stored(arrival.task().id(), arrival.onQueue()))
            .toList());
  }

  /** Groups requests, in their order, so that no group has an idempotency key twice. */
  private static List<List<InsertRequest>> groups(List<InsertRequest> requests) {
    List<List<InsertRequest>> groups = new ArrayList<>();
    Set<String> keys = new HashSet<>();
    for (InsertRequest request : requests) {
      List<String> own = new ArrayList<>();
      for (ArrivingTask arrival : request.arrivals()) {
        TaskIdempotency idempotency = arrival.idempotency();
        if (idempotency != null) {
          own.add(idempotency.storedKey());
        }
      }
      if (groups.isEmpty() || own.stream().anyMatch(keys::contains)) {
        groups.add(new ArrayList<>());
        keys.clear();
      }
      groups.getLast().add(request);
      keys.addAll(own);
    }
    return groups;
  }

  private void admit(List<InsertRequest> requests, Duration longestWait) {
    List<InsertResult> admitted;
    try {
      admitted =
          database.transaction(
              "storing tasks",
              connection ->
                  TaskAdmission.run(connection, node, requests, enqueueTimeout, longestWait));
    } catch (NewTasks.QueueRetired e) {
      requests.forEach(request -> results.put(request, new InsertResult.QueueRetired()));
      return;
    }
    for (int i = 0; i < admitted.size(); i++) {
      results.put(requests.get(i), admitted.get(i));
    }
  }
}
