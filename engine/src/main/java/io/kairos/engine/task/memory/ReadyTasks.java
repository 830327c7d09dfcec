package io.kairos.engine.task.memory;

import io.kairos.domain.task.fairness.FairTurns.Charge;
import io.kairos.engine.task.port.EnqueuedTask;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tasks of one queue in memory, in the order in which they are handed out. */
sealed interface ReadyTasks permits TriggerHeap, FairTasks {
  int size();

  void add(EnqueuedTask task);

  /**
   * Adds a task that was taken out and has not begun; it loses nothing by that.
   *
   * @param turn what it was charged
   */
  void giveBack(EnqueuedTask task, @Nullable Charge turn);

  /** Notes that a task which was taken out has not begun and does not come back. */
  void notBegun(@Nullable Charge turn);

  /** What the task was charged that was taken out last; null for nothing. */
  @Nullable Charge lastTurn();

  /** Lets the tasks that are due by now take part. */
  void advance(long nowMicros);

  /** The task that {@link #poll} takes out; null for none. */
  @Nullable EnqueuedTask peek();

  @Nullable EnqueuedTask poll();

  /** Takes out the tasks that would be the last to be handed out, until {@code size} are left. */
  List<EnqueuedTask> shorten(int size);

  /** All tasks, in no order. */
  List<EnqueuedTask> all();
}
