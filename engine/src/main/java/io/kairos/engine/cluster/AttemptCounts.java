package io.kairos.engine.cluster;

import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.cluster.DetailFigures.Attempts;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts a node's attempts by handler since the last period. Any thread counts, at some tens of
 * nanoseconds; one thread takes the counts. Bounded: while more handlers than it keeps are busy,
 * those that came last are not counted.
 */
public final class AttemptCounts {
  private static final int MOST = 1_000;

  private final Map<TaskHandler, Counts> byHandler = new ConcurrentHashMap<>();

  private static final class Counts {
    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    private Attempts take() {
      return new Attempts(begun.getAndSet(0), ended.getAndSet(0), failed.getAndSet(0));
    }
  }

  /** A worker has begun one. */
  public void begun(TaskHandler handler) {
    Counts counts = of(handler);
    if (counts != null) {
      counts.begun.incrementAndGet();
    }
  }

  /** A worker has reported the end of one. */
  public void ended(TaskHandler handler, boolean isFailed) {
    Counts counts = of(handler);
    if (counts != null) {
      counts.ended.incrementAndGet();
      if (isFailed) {
        counts.failed.incrementAndGet();
      }
    }
  }

  private @Nullable Counts of(TaskHandler handler) {
    Counts known = byHandler.get(handler);
    if (known != null || byHandler.size() >= MOST) {
      return known;
    }
    return byHandler.computeIfAbsent(handler, _ -> new Counts());
  }

  /** The counts since the last call, of handlers that have any. Called by one thread. */
  public Map<TaskHandler, Attempts> take() {
    boolean isFull = byHandler.size() >= MOST;
    Map<TaskHandler, Attempts> taken = new HashMap<>();
    byHandler.forEach((handler, counts) -> {
      Attempts attempts = counts.take();
      if (attempts.begun() > 0 || attempts.ended() > 0) {
        taken.put(handler, attempts);
      } else if (isFull) {
        byHandler.remove(handler);
      }
    });
    return taken;
  }
}
