package io.kairos.engine.task;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.Arrival;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.Receipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The way of new tasks into the memory of this node, around the statement that stores them: room is
 * reserved before it, so that the task can be stored as enqueued, and filled or given back after
 * it. Used by whatever stores tasks; thread-safe.
 */
public final class Inlet {
  private final TaskConfig config;
  private final TaskPorts ports;
  private final QueueNumbers numbers;
  private final Queues queues;
  private final Runnable tellOthers;

  /**
   * @param tellOthers that the store has tasks which others may want
   */
  Inlet(
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
  }

  /** The id under which tasks are stored as this node's; empty while it may not act. */
  public Optional<NodeId> life() {
    Optional<NodeId> present = ports.life().get();
    present.ifPresent(queues::liveAs);
    return present;
  }

  /** A queue of which tasks will come by here; asks the store when it is new. */
  public void expect(QueueName queue) {
    numbers.of(List.of(queue));
  }

  /** With which tasks are to be stored as enqueued. */
  public Duration enqueueTimeout() {
    return config.enqueueTimeout();
  }

  /**
   * Asks for room for a task that is to be stored: it is due within the horizon, a worker of this
   * node waits for such tasks, and there is room. Each task for which there is must come by {@link
   * #stored} or {@link #notStored}, or be stored by a call in {@link #storing}.
   */
  public boolean reserve(NewTask task, long nowMicros) {
    return task.dueMicros() <= until(nowMicros)
        && queues.reserve(task.queue(), task.details().bytes(), task.dueMicros() <= nowMicros);
  }

  private long until(long nowMicros) {
    return nowMicros + EpochMicros.lengthOf(config.horizon());
  }

  /**
   * Makes a call that stores tasks. When it fails, their room is given back; should they be stored
   * all the same, they are strays.
   *
   * @param reserved the tasks, asked for when the call has failed
   */
  public <T> T storing(Supplier<T> call, Supplier<? extends Collection<Arrival>> reserved) {
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

  /** Gives the room back of tasks that were not stored. */
  public void notStored(Collection<Arrival> arrivals) {
    arrivals.forEach(this::unreserve);
  }

  private void unreserve(Arrival arrival) {
    if (arrival.onQueue()) {
      queues.unreserve(arrival.task().queue(), arrival.task().details().bytes());
    }
  }

  /**
   * Takes into memory what is on its queue now, and gives the room of the others back.
   *
   * @param receipts of the arrivals, in their order
   */
  public void stored(List<Arrival> arrivals, List<Receipt> receipts, long nowMicros) {
    // Whoever polls finds in time what is due later than this.
    long soon = nowMicros + 2 * EpochMicros.lengthOf(config.pollInterval());
    long until = until(nowMicros);
    boolean othersMayWant = false;
    List<EnqueuedTask> enqueued = new ArrayList<>();
    Set<QueueId> inStore = new HashSet<>();
    int accepted = 0;
    for (int i = 0; i < arrivals.size(); i++) {
      Arrival arrival = arrivals.get(i);
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
