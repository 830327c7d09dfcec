package io.kairos.client.worker;

import io.kairos.api.v1.Result;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Results on their way to a node. All that came while a call was under way go in the next one; a
 * second call at a time only when one is full. What failed goes again, after a pause, for as long
 * as its lease lasts: an accepted result that is repeated is refused by its fence. Bounded because
 * {@link Board} asks for no more work while it is long. Pure; guarded by the {@link Board}.
 */
final class Outbox {
  static final int MOST_PER_CALL = 1_000;
  private static final int MOST_CALLS = 4;

  private final Deque<Finished> waiting = new ArrayDeque<>();
  private int calls;
  private int sending;
  private boolean paused;
  private long pausedUntilNanos;

  /** An attempt that has ended. */
  record Finished(Held task, Result result) {}

  void add(Held task, Result result) {
    waiting.add(new Finished(task, result));
  }

  /** What to send now; null for nothing. {@link #answered} or {@link #failed} ends it. */
  @Nullable List<Finished> next(long now) {
    if (waiting.isEmpty() || (paused && pausedUntilNanos - now > 0)) {
      return null;
    }
    paused = false;
    if (calls > 0 && (waiting.size() < MOST_PER_CALL || calls >= MOST_CALLS)) {
      return null;
    }
    List<Finished> batch = new ArrayList<>(Math.min(waiting.size(), MOST_PER_CALL));
    while (batch.size() < MOST_PER_CALL && !waiting.isEmpty()) {
      Finished one = waiting.remove();
      if (one.task.phase != Held.Phase.GONE) { // else its lease was lost meanwhile
        batch.add(one);
      }
    }
    if (batch.isEmpty()) {
      return null;
    }
    calls++;
    sending += batch.size();
    return batch;
  }

  void answered(List<Finished> batch) {
    calls--;
    sending -= batch.size();
  }

  /** They go first when the pause is over. */
  void failed(List<Finished> batch, long untilNanos) {
    answered(batch);
    for (int i = batch.size() - 1; i >= 0; i--) {
      waiting.addFirst(batch.get(i));
    }
    paused = true;
    pausedUntilNanos = untilNanos;
  }

  /** Waiting or being sent. */
  int size() {
    return waiting.size() + sending;
  }

  void purge() {
    waiting.removeIf(one -> one.task.phase == Held.Phase.GONE);
  }
}
