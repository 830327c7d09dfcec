package io.kairos.engine.task.memory;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.fairness.FairTurns.Charge;
import io.kairos.engine.task.port.EnqueuedTask;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A binary heap of tasks by trigger; of those with the same trigger the first to come is the first.
 * The keys are in arrays of their own, because a comparison that reads two tasks of sixty thousand
 * waits for memory: with a {@code PriorityQueue} that was a fifth of the CPU time of a node. Not
 * thread-safe.
 */
final class TriggerHeap implements ReadyTasks {
  private static final int FIRST_CAPACITY = 8;

  private @Nullable EnqueuedTask[] tasks = new @Nullable EnqueuedTask[FIRST_CAPACITY];
  private long[] triggers = new long[FIRST_CAPACITY];
  private long[] arrivals = new long[FIRST_CAPACITY];
  private int size;
  private long arrived;

  @Override
  public int size() {
    return size;
  }

  @Override
  public @Nullable EnqueuedTask peek() {
    return tasks[0];
  }

  @Override
  public void giveBack(EnqueuedTask task, @Nullable Charge turn) {
    add(task);
  }

  @Override
  public void notBegun(@Nullable Charge turn) {
    // there are no turns
  }

  @Override
  public @Nullable Charge lastTurn() {
    return null;
  }

  @Override
  public void advance(long nowMicros) {
    // the first is the first, due or not
  }

  @Override
  public void add(EnqueuedTask task) {
    if (size == tasks.length) {
      int capacity = 2 * size;
      tasks = Arrays.copyOf(tasks, capacity);
      triggers = Arrays.copyOf(triggers, capacity);
      arrivals = Arrays.copyOf(arrivals, capacity);
    }
    long trigger = task.triggerMicros();
    long arrival = arrived++;
    int place = size++;
    while (place > 0) {
      int parent = (place - 1) >>> 1;
      if (!isBefore(trigger, arrival, parent)) {
        break;
      }
      move(parent, place);
      place = parent;
    }
    put(place, task, trigger, arrival);
  }

  /** Takes out the first. */
  @Override
  public @Nullable EnqueuedTask poll() {
    EnqueuedTask first = tasks[0];
    if (first != null) {
      int last = --size;
      fillFirst(last);
      tasks[last] = null;
    }
    return first;
  }

  /** Puts the element of {@code last} where it belongs, from the first place downwards. */
  private void fillFirst(int last) {
    long trigger = triggers[last];
    long arrival = arrivals[last];
    int place = 0;
    for (int child = 1; child < last; child = 2 * place + 1) {
      if (child + 1 < last && isBefore(triggers[child + 1], arrivals[child + 1], child)) {
        child++;
      }
      if (!isBefore(triggers[child], arrivals[child], last)) {
        break;
      }
      move(child, place);
      place = child;
    }
    put(place, tasks[last], trigger, arrival);
  }

  private boolean isBefore(long trigger, long arrival, int other) {
    return trigger < triggers[other] || (trigger == triggers[other] && arrival < arrivals[other]);
  }

  private void move(int from, int to) {
    put(to, tasks[from], triggers[from], arrivals[from]);
  }

  private void put(int place, @Nullable EnqueuedTask task, long trigger, long arrival) {
    tasks[place] = task;
    triggers[place] = trigger;
    arrivals[place] = arrival;
  }

  @Override
  public List<EnqueuedTask> shorten(int kept) {
    if (kept >= size) {
      return List.of();
    }
    TriggerHeap first = new TriggerHeap();
    while (first.size < kept) {
      first.add(requireNonNull(poll()));
    }
    List<EnqueuedTask> rest = all();
    tasks = first.tasks;
    triggers = first.triggers;
    arrivals = first.arrivals;
    size = first.size;
    arrived = first.arrived;
    return rest;
  }

  @Override
  public List<EnqueuedTask> all() {
    List<EnqueuedTask> all = new ArrayList<>(size);
    for (int place = 0; place < size; place++) {
      EnqueuedTask task = tasks[place];
      if (task != null) {
        all.add(task);
      }
    }
    return all;
  }
}
