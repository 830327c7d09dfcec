package io.kairos.engine.task;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.KeyId;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.Arrival;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.Receipt;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Takes tasks in (DA-16). Like the delay queue's claim-on-insert: a task that is due within the
 * horizon and wanted by a worker of this node is stored as enqueued by it, which saves the write
 * with which the store consumer would enqueue it.
 */
final class Acceptance {
  private static final long FIRST_FENCE = 1;

  private final TaskConfig config;
  private final TaskPorts ports;
  private final QueueNumbers numbers;
  private final Queues queues;
  private final Runnable tellOthers;
  private final Obstructions obstructions;

  /**
   * @param tellOthers that the store has tasks which others may want
   */
  Acceptance(
      TaskConfig config,
      TaskPorts ports,
      QueueNumbers numbers,
      Queues queues,
      Runnable tellOthers) {
    this.config = config;
    this.ports = ports;
    this.numbers = numbers;
    this.queues = queues;
    this.tellOthers = tellOthers;
    this.obstructions = new Obstructions(ports.monotonic());
  }

  /** Judges each request by itself, all of its tasks or none; the results are in order. */
  List<InsertResult> accept(List<List<TaskSpec>> requests) {
    obstructions.forgetOld();
    number(requests);
    NodeId life = ports.life().get().orElseThrow(NotEnrolled::new);
    queues.liveAs(life);
    Map<Integer, InsertResult> refused = new HashMap<>();
    List<List<TaskSpec>> others = new ArrayList<>(requests.size());
    for (int i = 0; i < requests.size(); i++) {
      List<TaskSpec> request = requests.get(i);
      if (request.stream().anyMatch(spec -> numbers.isTooMany(spec.queue()))) {
        refused.put(i, new InsertResult.TooManyQueues());
      } else if (obstructions.concern(request)) {
        refused.put(i, new InsertResult.Busy());
      } else {
        others.add(request);
      }
    }
    Iterator<InsertResult> results = accept(life, others).iterator();
    return IntStream.range(0, requests.size())
        .mapToObj(i -> {
          InsertResult refusal = refused.get(i);
          return refusal == null ? results.next() : refusal;
        })
        .toList();
  }

  private void number(List<List<TaskSpec>> requests) {
    Set<QueueName> names = new LinkedHashSet<>();
    for (List<TaskSpec> specs : requests) {
      if (!obstructions.concern(specs)) {
        specs.forEach(spec -> names.add(spec.queue()));
      }
    }
    Set<QueueName> known = numbers.of(names).keySet();
    names.stream()
        .filter(name -> !known.contains(name) && !numbers.isTooMany(name))
        .forEach(obstructions::queue);
  }

  /** All queues have their numbers. */
  private List<InsertResult> accept(NodeId life, List<List<TaskSpec>> requests) {
    long now = EpochMicros.of(ports.clock().instant());
    long until = now + EpochMicros.lengthOf(config.horizon());
    List<InsertRequest> arriving = new ArrayList<>(requests.size());
    for (List<TaskSpec> specs : requests) {
      arriving.add(
          new InsertRequest(specs.stream().map(spec -> arrival(spec, now, until)).toList()));
    }
    List<InsertResult> results = store(life, arriving);
    settle(arriving, results, now, until);
    for (int i = 0; i < results.size(); i++) {
      if (results.get(i) instanceof InsertResult.Busy) {
        obstructions.keys(requests.get(i));
      }
    }
    return results;
  }

  private Arrival arrival(TaskSpec spec, long now, long until) {
    QueueId queue = numbers.of(spec.queue());
    boolean soon = spec.dueMicros() <= until;
    return new Arrival(
        task(spec, queue),
        soon && queues.reserve(queue, spec.payload().length, spec.dueMicros() <= now),
        spec.idempotency());
  }

  private NewTask task(TaskSpec spec, QueueId queue) {
    return new NewTask(
        ports.newTaskId().get(),
        queue,
        spec.dueMicros(),
        spec.payload(),
        spec.retryPolicy(),
        spec.executionTimeout(),
        spec.traceparent(),
        spec.key(),
        spec.collection(),
        spec.startDeadlineMicros());
  }

  /** What was reserved and may not be stored is forgotten: should it be stored, it is a stray. */
  private List<InsertResult> store(NodeId life, List<InsertRequest> requests) {
    boolean stored = false;
    try {
      List<InsertResult> results =
          queues.doubting(() -> ports.tasks().insert(life, requests, config.enqueueTimeout()));
      stored = true;
      return results;
    } finally {
      if (!stored) {
        requests.forEach(this::unreserve);
      }
    }
  }

  private void unreserve(InsertRequest request) {
    for (Arrival arrival : request.arrivals()) {
      if (arrival.onQueue()) {
        queues.unreserve(arrival.task().queue(), arrival.task().payload().length);
      }
    }
  }

  /** Takes into memory what is on its queue now, and gives the room of the others back. */
  private void settle(
      List<InsertRequest> requests, List<InsertResult> results, long now, long until) {
    // Whoever polls finds in time what is due later than this.
    long soon = now + 2 * EpochMicros.lengthOf(config.pollInterval());
    boolean othersMayWant = false;
    List<EnqueuedTask> enqueued = new ArrayList<>();
    Set<QueueId> inStore = new HashSet<>();
    int accepted = 0;
    for (int i = 0; i < results.size(); i++) {
      if (!(results.get(i) instanceof InsertResult.Stored(List<Receipt> receipts))) {
        unreserve(requests.get(i));
        continue;
      }
      for (int j = 0; j < receipts.size(); j++) {
        Arrival arrival = requests.get(i).arrivals().get(j);
        NewTask task = arrival.task();
        accepted += receipts.get(j).duplicate() ? 0 : 1;
        if (receipts.get(j).onQueue()) {
          enqueued.add(inMemory(task, receipts.get(j).keyId()));
          continue;
        }
        if (arrival.onQueue()) {
          queues.unreserve(task.queue(), task.payload().length);
        }
        if (task.dueMicros() <= until) {
          inStore.add(task.queue());
        }
        othersMayWant |= task.dueMicros() <= soon;
      }
    }
    queues.offerReserved(enqueued);
    inStore.forEach(queues::moreInStore);
    if (othersMayWant) {
      tellOthers.run();
    }
    ports.events().accepted(accepted, enqueued.size());
  }

  private static EnqueuedTask inMemory(NewTask task, @Nullable KeyId keyId) {
    return new EnqueuedTask(
        new FencedTask(task.id(), FIRST_FENCE),
        task.queue(),
        task.dueMicros(),
        task.dueMicros(),
        0,
        task.payload(),
        task.executionTimeout(),
        task.traceparent(),
        keyId,
        task.key(),
        task.collection());
  }
}
