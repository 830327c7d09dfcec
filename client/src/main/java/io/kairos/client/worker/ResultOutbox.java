package io.kairos.client.worker;

import io.kairos.api.v1.Result;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Results to be sent to nodes. Results that arrive during a call go into the next call; a second
 * concurrent call is made only when a batch is full. Failed calls are retried after a pause, for as
 * long as the leases last; a result that had been accepted is then refused by its fence. Bounded,
 * because {@link WorkerBoard} asks for no more work while the outbox is long. Pure; guarded by the
 * {@link WorkerBoard}.
 */
final class ResultOutbox {
  static final int MOST_PER_CALL = 1_000;
  private static final int MOST_CALLS = 4;

  /** Bytes of results at which a call is full. */
  static final int MOST_BYTES_PER_CALL = 2 << 20;

  /** Bytes that count as much as one more result. */
  private static final int BYTES_OF_A_RESULT = 8 << 10;

  private final Deque<Finished> waiting = new ArrayDeque<>();
  private long waitingBytes;
  private int calls;
  private int sending;
  private boolean paused;
  private long pausedUntilNanos;

  /** An attempt that has ended. */
  record Finished(LeasedTask task, Result result) {
    int bytes() {
      return result.getSerializedSize();
    }
  }

  void add(LeasedTask task, Result result) {
    Finished finished = new Finished(task, result);
    waiting.add(finished);
    waitingBytes += finished.bytes();
  }

  /**
   * Returns the batch to send now; null for none. {@link #answered} or {@link #failed} ends the
   * batch.
   */
  @Nullable List<Finished> next(long now) {
    if (waiting.isEmpty() || (paused && pausedUntilNanos - now > 0)) {
      return null;
    }
    paused = false;
    if (calls > 0 && (waiting.size() < MOST_PER_CALL || calls >= MOST_CALLS)) {
      return null;
    }
    List<Finished> batch = new ArrayList<>(Math.min(waiting.size(), MOST_PER_CALL));
    int bytes = 0;
    while (batch.size() < MOST_PER_CALL && bytes < MOST_BYTES_PER_CALL && !waiting.isEmpty()) {
      Finished one = waiting.remove();
      waitingBytes -= one.bytes();
      if (one.task.phase != LeasedTask.Phase.GONE) { // the lease of a GONE task was lost meanwhile
        batch.add(one);
        bytes += one.bytes();
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

  /** Puts a batch back; it goes first when the pause is over. */
  void failed(List<Finished> batch, long untilNanos) {
    answered(batch);
    for (int i = batch.size() - 1; i >= 0; i--) {
      waiting.addFirst(batch.get(i));
      waitingBytes += batch.get(i).bytes();
    }
    paused = true;
    pausedUntilNanos = untilNanos;
  }

  /** Number of results that wait or are being sent; large ones count as several. */
  int size() {
    return waiting.size() + (int) (waitingBytes / BYTES_OF_A_RESULT) + sending;
  }

  void purge() {
    waiting.removeIf(one -> one.task.phase == LeasedTask.Phase.GONE);
    waitingBytes = waiting.stream().mapToLong(Finished::bytes).sum();
  }
}
