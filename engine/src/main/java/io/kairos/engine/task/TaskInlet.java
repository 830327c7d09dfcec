package io.kairos.engine.task;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.memory.TaskQueues;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.TaskReceipt;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.engine.task.setup.TaskPorts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Brings new tasks into this node's memory when they are stored. The caller reserves room before
 * its statement, so that a task can be stored as enqueued; the room is filled or given back
 * afterwards. Used by everything that stores tasks; thread-safe.
 */
public final class TaskInlet {
  private final TaskConfig config;
  private final TaskPorts ports;
  private final QueueNumbers numbers;
  private final TaskQueues queues;
  private final Runnable tellOthers;

  /**
   * @param tellOthers runs when the store has tasks that other nodes may want
   */
  TaskInlet(
      TaskConfig config,
      TaskPorts ports,
      QueueNumbers numbers,
      TaskQueues queues,
      Runnable tellOthers) {
    this.config = config;
    this.ports = ports;
    this.numbers = numbers;
    this.queues = queues;
    this.tellOthers = tellOthers;
  }

  /** The id under which this node may enqueue tasks; empty while the node may not act. */
  public Optional<NodeId> life() {
    Optional<NodeId> present = ports.life().get();
    present.ifPresent(queues::liveAs);
    return present;
  }

  /** Learns a queue's number before its tasks come; asks the store when the queue is new. */
  public void expect(QueueName queue) {
    numbers.of(List.of(queue), null);
  }

  /** The timeout for tasks that are stored as enqueued. */
  public Duration enqueueTimeout() {
    return config.enqueueTimeout();
  }

  /**
   * Reserves room for a task that is about to be stored. Returns true when the task is due within
   * the horizon, a worker of this node asks for its handler, and there is room. The room must end
   * with {@link #stored}, {@link #notStored} or a failed call in {@link #storing}.
   */
  public boolean reserve(NewTask task, long nowMicros) {
    return task.dueMicros() <= until(nowMicros)
        && queues.reserve(
            task.queue(),
            task.details().bytes(),
            task.dueMicros() <= nowMicros,
            task.details().fairness());
  }

  private long until(long nowMicros) {
    return nowMicros + EpochMicros.lengthOf(config.horizon());
  }

  /**
   * Makes a call that stores tasks. When the call fails, the room of the tasks is given back; tasks
   * that were stored all the same are {@linkplain StrayTasks strays}.
   *
   * @param reserved supplies the tasks when the call has failed
   */
  public <T> T storing(Supplier<T> call, Supplier<? extends Collection<ArrivingTask>> reserved) {
    boolean answered = false;
    try {
      T answer = queues.doubting(call);
      answered = true;
      return answer;
    } finally {
      if (!answered) {
        notStored(reserved.get());
      }
    }
  }

  /** Gives back the room of tasks that were not stored. */
  public void notStored(Collection<ArrivingTask> arrivals) {
    arrivals.forEach(this::unreserve);
  }

  private void unreserve(ArrivingTask arrival) {
    if (arrival.onQueue()) {
      queues.unreserve(arrival.task().queue(), arrival.task().details().bytes());
    }
  }

  /**
   * Takes the tasks that were stored as enqueued into memory, and gives back the room of the
   * others.
   *
   * @param receipts the receipts of the arrivals, in their order
   */
  public void stored(List<ArrivingTask> arrivals, List<TaskReceipt> receipts, long nowMicros) {
    // Nodes that poll find tasks in time that are due later than this.
    long soon = nowMicros + 2 * EpochMicros.lengthOf(config.pollInterval());
    long until = until(nowMicros);
    boolean othersMayWant = false;
    List<EnqueuedTask> enqueued = new ArrayList<>();
    Set<QueueId> inStore = new HashSet<>();
    int accepted = 0;
    for (int i = 0; i < arrivals.size(); i++) {
      ArrivingTask arrival = arrivals.get(i);
      NewTask task = arrival.task();
      accepted += receipts.get(i).duplicate() ? 0 : 1;
      if (receipts.get(i).onQueue()) {
        enqueued.add(EnqueuedTask.of(task, receipts.get(i).keyId()));
        continue;
      }
      unreserve(arrival);
      if (task.dueMicros() <= until) {
        inStore.add(task.queue());
      }
      othersMayWant |= task.dueMicros() <= soon;
    }
    queues.offerReserved(enqueued);
    inStore.forEach(queues::moreInStore);
    if (othersMayWant) {
      tellOthers.run();
    }
    ports.events().accepted(accepted, enqueued.size());
  }
}
