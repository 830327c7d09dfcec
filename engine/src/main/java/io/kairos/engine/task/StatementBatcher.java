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

/**
 * Lets many callers share one statement of the store (group commit): requests that come while a
 * batch is under way form the next batch. Bounded in items; a request is refused when the batcher
 * is full. Requests are never split and are served in order, and each gets its own answer.
 * Thread-safe.
 */
final class StatementBatcher<Q, A> {
  private static final Duration IDLE = Duration.ofSeconds(1);

  private final int maxPending;
  private final int maxBatch;
  private final ToIntFunction<Q> size;
  private final Function<List<Q>, List<A>> work;
  private final Wakeup wakeup;

  @GuardedBy("this")
  private final Deque<Pending<Q, A>> requests = new ArrayDeque<>();

  @GuardedBy("this")
  private int pending;

  @GuardedBy("this")
  private boolean closed;

  private record Pending<Q, A>(Q request, int items, AnswerCallback<A> answer) {}

  /**
   * @param size number of items of a request
   * @param work answers the requests of a batch, in order; an exception fails the whole batch
   * @param wakeup the wakeup of this step's activity
   */
  StatementBatcher(
      int maxPending,
      int maxBatch,
      ToIntFunction<Q> size,
      Function<List<Q>, List<A>> work,
      Wakeup wakeup) {
    this.maxPending = maxPending;
    this.maxBatch = maxBatch;
    this.size = size;
    this.work = work;
    this.wakeup = wakeup;
  }

  /** A batcher for requests that are lists of independent items. */
  static <I, O> StatementBatcher<List<I>, List<O>> ofItems(
      TaskConfig config, Function<List<I>, List<O>> work, Wakeup wakeup) {
    return new StatementBatcher<>(
        config.maxPending(),
        config.maxBatch(),
        List::size,
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
    synchronized (this) {
      if (!closed) {
        if (pending > 0 && pending + items > maxPending) {
          return false;
        }
        requests.add(new Pending<>(request, items, answer));
        pending += items;
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
    }
    for (int i = 0; i < batch.size(); i++) {
      batch.get(i).answer.answered(answers.get(i));
    }
    return NextRound.AT_ONCE;
  }

  private List<Pending<Q, A>> take() {
    List<Pending<Q, A>> batch = new ArrayList<>();
    int items = 0;
    synchronized (this) {
      while (!requests.isEmpty() && (items == 0 || items + requests.getFirst().items <= maxBatch)) {
        Pending<Q, A> request = requests.removeFirst();
        items += request.items;
        batch.add(request);
      }
      pending -= items;
      return batch;
    }
  }

  /** Refuses further requests; pending requests are still served. */
  synchronized void close() {
    closed = true;
  }

  synchronized boolean isEmpty() {
    return requests.isEmpty();
  }
}
