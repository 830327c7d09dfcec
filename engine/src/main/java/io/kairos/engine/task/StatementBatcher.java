package io.kairos.engine.task;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.task.edge.AnswerCallback;
import io.kairos.engine.task.edge.NodeStopping;
import io.kairos.engine.task.setup.TaskConfig;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * Lets many callers share one statement of the store (group commit): requests that come while a
 * batch is under way form the next batch. Bounded in items and in bytes; a request is refused when
 * the batcher is full. Requests are never split and are served in order, and each gets its own
 * answer. Thread-safe.
 */
final class StatementBatcher<Q, A> {
  private static final Duration IDLE = Duration.ofSeconds(1);

  /** The driver holds the bytes of a statement a second time. */
  private static final long BYTES_OF_A_BATCH = 16L << 20;

  /**
   * Bounds on what waits and on one batch, in items and in bytes. What is under way counts as
   * waiting in bytes, because it is still in memory.
   */
  record Bounds(int pending, int batch, long pendingBytes, long batchBytes) {
    static Bounds of(TaskConfig config) {
      return new Bounds(
          config.maxPending(), config.maxBatch(), config.maxPendingBytes(), BYTES_OF_A_BATCH);
    }
  }

  private final Bounds bounds;
  private final ToIntFunction<Q> size;
  private final ToLongFunction<Q> weight;
  private final Function<List<Q>, List<A>> work;
  private final Wakeup wakeup;

  @GuardedBy("this")
  private final Deque<Pending<Q, A>> requests = new ArrayDeque<>();

  @GuardedBy("this")
  private int pending;

  @GuardedBy("this")
  private long pendingBytes;

  @GuardedBy("this")
  private boolean closed;

  private record Pending<Q, A>(Q request, int items, long bytes, AnswerCallback<A> answer) {}

  /**
   * @param size number of items of a request
   * @param weight number of bytes of a request
   * @param work answers the requests of a batch, in order; an exception fails the whole batch
   * @param wakeup the wakeup of this step's activity
   */
  StatementBatcher(
      Bounds bounds,
      ToIntFunction<Q> size,
      ToLongFunction<Q> weight,
      Function<List<Q>, List<A>> work,
      Wakeup wakeup) {
    this.bounds = bounds;
    this.size = size;
    this.weight = weight;
    this.work = work;
    this.wakeup = wakeup;
  }

  /** A batcher for requests that are lists of independent items of so many bytes each. */
  static <I, O> StatementBatcher<List<I>, List<O>> ofItems(
      TaskConfig config, ToLongFunction<I> weight, Function<List<I>, List<O>> work, Wakeup wakeup) {
    return new StatementBatcher<>(
        Bounds.of(config),
        List::size,
        request -> request.stream().mapToLong(weight).sum(),
        requests -> {
          List<O> answers = work.apply(requests.stream().flatMap(List::stream).toList());
          List<List<O>> each = new ArrayList<>(requests.size());
          int from = 0;
          for (List<I> request : requests) {
            int to = from + request.size();
            each.add(List.copyOf(answers.subList(from, to)));
            from = to;
          }
          return each;
        },
        wakeup);
  }

  /**
   * Adds a request; false when the batcher is full. An empty batcher takes a request of any size.
   * May be called by any thread.
   */
  boolean offer(Q request, AnswerCallback<A> answer) {
    int items = size.applyAsInt(request);
    long bytes = weight.applyAsLong(request);
    synchronized (this) {
      if (!closed) {
        if ((pending > 0 && pending + items > bounds.pending)
            || (pendingBytes > 0 && pendingBytes + bytes > bounds.pendingBytes)) {
          return false;
        }
        requests.add(new Pending<>(request, items, bytes, answer));
        pending += items;
        pendingBytes += bytes;
        wakeup.signal();
        return true;
      }
    }
    answer.failed(new NodeStopping());
    return true;
  }

  NextRound runOnce() {
    List<Pending<Q, A>> batch = take();
    if (batch.isEmpty()) {
      return NextRound.after(IDLE);
    }
    List<A> answers;
    try {
      answers = work.apply(batch.stream().map(Pending::request).toList());
    } catch (RuntimeException e) {
      batch.forEach(one -> one.answer.failed(e));
      throw e;
    } finally {
      free(batch);
    }
    answer(batch, answers);
    return NextRound.AT_ONCE;
  }

  /** Answers every request, also when a callback throws; throws the first such exception then. */
  private static <Q, A> void answer(List<Pending<Q, A>> batch, List<A> answers) {
    RuntimeException thrown = null;
    for (int i = 0; i < batch.size(); i++) {
      try {
        batch.get(i).answer.answered(answers.get(i));
      } catch (RuntimeException e) {
        thrown = thrown == null ? e : thrown;
      }
    }
    if (thrown != null) {
      throw thrown;
    }
  }

  private List<Pending<Q, A>> take() {
    List<Pending<Q, A>> batch = new ArrayList<>();
    int items = 0;
    long bytes = 0;
    synchronized (this) {
      while (!requests.isEmpty() && (batch.isEmpty() || fits(items, bytes))) {
        Pending<Q, A> request = requests.removeFirst();
        items += request.items;
        bytes += request.bytes;
        batch.add(request);
      }
      pending -= items;
      return batch;
    }
  }

  @GuardedBy("this")
  private boolean fits(int items, long bytes) {
    Pending<Q, A> next = requests.getFirst();
    return items + next.items <= bounds.batch && bytes + next.bytes <= bounds.batchBytes;
  }

  /** The bytes of a batch are in memory until the store has answered. */
  private synchronized void free(List<Pending<Q, A>> batch) {
    batch.forEach(one -> pendingBytes -= one.bytes);
  }

  /** Refuses further requests; pending requests are still served. */
  synchronized void close() {
    closed = true;
  }

  synchronized boolean isEmpty() {
    return requests.isEmpty();
  }
}
