package io.kairos.engine.task;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.port.StoreUnavailable;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.NewTask;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

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

  Acceptance(TaskConfig config, TaskPorts ports, QueueNumbers numbers, Queues queues) {
    this.config = config;
    this.ports = ports;
    this.numbers = numbers;
    this.queues = queues;
  }

  /** Stores all or none. */
  List<TaskId> accept(List<TaskSpec> specs) {
    Set<QueueName> names = new LinkedHashSet<>();
    specs.forEach(spec -> names.add(spec.queue()));
    numbers.of(names);
    NodeId life = ports.life().get().orElseThrow(Acceptance::notYet);
    queues.liveAs(life);
    long until = EpochMicros.of(ports.clock().instant()) + EpochMicros.lengthOf(config.horizon());
    List<TaskId> ids = new ArrayList<>(specs.size());
    List<NewTask> enqueued = new ArrayList<>();
    List<NewTask> waiting = new ArrayList<>();
    for (TaskSpec spec : specs) {
      QueueId queue = numbers.of(spec.queue());
      NewTask task = task(spec, queue);
      ids.add(task.id());
      boolean soon = spec.dueMicros() <= until;
      (soon && queues.reserve(queue, spec.payload().length) ? enqueued : waiting).add(task);
    }
    store(life, enqueued, waiting);
    queues.offerReserved(enqueued.stream().map(Acceptance::inMemory).toList());
    waiting.stream()
        .filter(task -> task.dueMicros() <= until)
        .map(NewTask::queue)
        .distinct()
        .forEach(queues::moreInStore);
    ports.events().accepted(ids.size(), enqueued.size());
    return ids;
  }

  private static StoreUnavailable notYet() {
    return new StoreUnavailable("this node is not enrolled at present");
  }

  private NewTask task(TaskSpec spec, QueueId queue) {
    return new NewTask(
        ports.newTaskId().get(),
        queue,
        spec.dueMicros(),
        spec.payload(),
        spec.retryPolicy(),
        spec.executionTimeout(),
        spec.traceparent());
  }

  /** What was reserved and may not be stored is forgotten: should it be stored, it is reaped. */
  private void store(NodeId life, List<NewTask> enqueued, List<NewTask> waiting) {
    boolean stored = false;
    try {
      ports.tasks().insert(life, enqueued, waiting, config.enqueueTimeout());
      stored = true;
    } finally {
      if (!stored) {
        enqueued.forEach(task -> queues.unreserve(task.queue(), task.payload().length));
      }
    }
  }

  private static EnqueuedTask inMemory(NewTask task) {
    return new EnqueuedTask(
        new FencedTask(task.id(), FIRST_FENCE),
        task.queue(),
        task.dueMicros(),
        task.dueMicros(),
        0,
        task.payload(),
        task.executionTimeout(),
        task.traceparent());
  }
}
