package io.kairos.engine.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.graph.GraphEdge;
import io.kairos.domain.task.graph.TaskGraph;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueMaker;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.edge.NotEnrolled;
import io.kairos.engine.task.edge.TaskSpec;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.TaskReceipt;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.engine.task.setup.TaskPorts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Accepts tasks. A task that is due within the horizon and wanted by a worker of this node is
 * stored as enqueued by this node, which saves the store consumer's write. This resembles the delay
 * queue's claim-on-insert.
 */
record TaskAcceptance(
    TaskConfig config,
    TaskPorts ports,
    QueueNumbers numbers,
    TaskInlet inlet,
    ForeignLocks obstructions) {
  /**
   * Accepts each request independently, all of its tasks or none; the results are in order. When a
   * queue has been retired since its number was read, the requests that it has kept from being
   * stored are tried once more.
   */
  List<InsertResult> accept(List<List<TaskSpec>> requests) {
    List<InsertResult> results = new ArrayList<>(acceptOnce(requests));
    List<Integer> left =
        IntStream.range(0, results.size())
            .filter(i -> results.get(i) instanceof InsertResult.QueueRetired)
            .boxed()
            .toList();
    if (!left.isEmpty()) {
      List<List<TaskSpec>> again = left.stream().map(requests::get).toList();
      numbers.forget(again.stream().flatMap(List::stream).map(TaskSpec::queue).toList());
      try {
        Iterator<InsertResult> second = acceptOnce(again).iterator();
        left.forEach(i -> results.set(i, second.next()));
      } catch (NotEnrolled _) {
        // "Nothing was done" holds for these only: the others are stored.
      }
    }
    return results;
  }

  private List<InsertResult> acceptOnce(List<List<TaskSpec>> requests) {
    obstructions.forgetOld();
    Map<QueueName, QueueId> queues = number(requests);
    NodeId life = inlet.life().orElseThrow(NotEnrolled::new);
    Map<Integer, InsertResult> refused = new HashMap<>();
    List<List<TaskSpec>> others = new ArrayList<>(requests.size());
    for (int i = 0; i < requests.size(); i++) {
      List<TaskSpec> request = requests.get(i);
      if (request.stream()
          .anyMatch(spec ->
              !queues.containsKey(spec.queue()) && numbers.isTooMany(spec.queue(), spec.maker()))) {
        refused.put(i, new InsertResult.TooManyQueues());
      } else if (obstructions.concern(request)
          || request.stream().anyMatch(spec -> !queues.containsKey(spec.queue()))) {
        refused.put(i, new InsertResult.Busy());
      } else {
        others.add(request);
      }
    }
    Iterator<InsertResult> results = accept(life, others, queues).iterator();
    return IntStream.range(0, requests.size())
        .mapToObj(i -> {
          InsertResult refusal = refused.get(i);
          return refusal == null ? results.next() : refusal;
        })
        .toList();
  }

  private Map<QueueName, QueueId> number(List<List<TaskSpec>> requests) {
    Map<Optional<QueueMaker>, Set<QueueName>> names = new LinkedHashMap<>();
    for (List<TaskSpec> specs : requests) {
      if (!obstructions.concern(specs)) {
        specs.forEach(spec ->
            names
                .computeIfAbsent(Optional.ofNullable(spec.maker()), _ -> new LinkedHashSet<>())
                .add(spec.queue()));
      }
    }
    Map<QueueName, QueueId> known = new HashMap<>();
    names.forEach((maker, some) -> known.putAll(number(some, maker.orElse(null))));
    return known;
  }

  private Map<QueueName, QueueId> number(Set<QueueName> names, @Nullable QueueMaker maker) {
    Map<QueueName, QueueId> known = numbers.of(names, maker);
    names.stream()
        .filter(name -> !known.containsKey(name) && !numbers.isTooMany(name, maker))
        .forEach(obstructions::queue);
    return known;
  }

  /** Stores requests whose queues all have numbers. */
  private List<InsertResult> accept(
      NodeId life, List<List<TaskSpec>> requests, Map<QueueName, QueueId> queues) {
    long now = EpochMicros.of(ports.clock().instant());
    List<InsertRequest> arriving = new ArrayList<>(requests.size());
    for (List<TaskSpec> specs : requests) {
      arriving.add(request(specs, queues, now));
    }
    List<InsertResult> results = store(life, arriving);
    settle(arriving, results, now);
    for (int i = 0; i < results.size(); i++) {
      if (results.get(i) instanceof InsertResult.Busy) {
        obstructions.keys(requests.get(i));
      }
    }
    return results;
  }

  private InsertRequest request(List<TaskSpec> specs, Map<QueueName, QueueId> queues, long now) {
    TaskGraph graph = TaskSpec.graph(specs);
    TaskId[] ids = new TaskId[specs.size()];
    if (graph.edges().isEmpty()) {
      Arrays.setAll(ids, _ -> ports.newTaskId().get());
    } else {
      // Ids rise along the edges, because stores lock tasks in the order of their ids.
      graph.order().forEach(i -> ids[i] = ports.newTaskId().get());
    }
    List<ArrivingTask> arrivals = new ArrayList<>(specs.size());
    for (int i = 0; i < ids.length; i++) {
      TaskSpec spec = specs.get(i);
      QueueId queue = requireNonNull(queues.get(spec.queue()), "a queue without a number");
      arrivals.add(arrival(spec, task(ids[i], spec, queue), now));
    }
    return new InsertRequest(
        arrivals, graph.edges().stream().map(edge -> edge(edge, ids)).toList());
  }

  private static GraphEdge edge(TaskGraph.Edge edge, TaskId[] ids) {
    TaskId predecessor =
        switch (edge.predecessor()) {
          case TaskGraph.Predecessor.Member(int index) -> ids[index];
          case TaskGraph.Predecessor.Stored(TaskId id) -> id;
          case TaskGraph.Predecessor.OfBatch(BatchId id) -> id.asPredecessor();
        };
    return new GraphEdge(predecessor, ids[edge.successor()], edge.onFailure());
  }

  private ArrivingTask arrival(TaskSpec spec, NewTask task, long now) {
    boolean onQueue = spec.after().isEmpty() && inlet.reserve(task, now);
    return new ArrivingTask(task, onQueue, spec.idempotency());
  }

  private static NewTask task(TaskId id, TaskSpec spec, QueueId queue) {
    return new NewTask(
        id, queue, spec.dueMicros(), spec.details(), null, spec.submittedBy(), spec.batch());
  }

  private List<InsertResult> store(NodeId life, List<InsertRequest> requests) {
    long sinceNanos = ports.monotonic().nanos();
    try {
      return inlet.storing(
          () -> ports.tasks().insert(life, requests, config.enqueueTimeout()),
          () -> requests.stream().flatMap(request -> request.arrivals().stream()).toList());
    } catch (StoreUnavailable e) {
      ports.events().notAccepted(String.valueOf(e.getMessage()));
      throw e;
    } finally {
      ports.events().persisted(ports.monotonic().nanos() - sinceNanos);
    }
  }

  private void settle(List<InsertRequest> requests, List<InsertResult> results, long now) {
    List<ArrivingTask> arrivals = new ArrayList<>();
    List<TaskReceipt> stored = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      if (results.get(i) instanceof InsertResult.Stored(List<TaskReceipt> receipts)) {
        arrivals.addAll(requests.get(i).arrivals());
        stored.addAll(receipts);
      } else {
        inlet.notStored(requests.get(i).arrivals());
      }
    }
    inlet.stored(arrivals, stored, now);
  }
}
