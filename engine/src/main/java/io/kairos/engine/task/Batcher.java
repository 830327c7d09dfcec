package io.kairos.engine.task;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.loop.Wakeup;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Lets many callers share one statement of the store (group commit): while one batch is under way,
 * what comes meanwhile becomes the next. Bounded in items; a caller that comes when it is full is
 * told so. Requests are never split, are served in their order, and each gets its own answer.
 */
final class Batcher<Q, A> implements Step {
  private static final Duration IDLE = Duration.ofSeconds(1);

  private final String name;
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

  private record Pending<Q, A>(Q request, int items, Answer<A> answer) {}

  /**
   * @param size how many items a request has
   * @param work answers each request, in order; what it throws fails all of the batch
   * @param wakeup of the activity of this step
   */
  Batcher(
      String name,
      int maxPending,
      int maxBatch,
      ToIntFunction<Q> size,
      Function<List<Q>, List<A>> work,
      Wakeup wakeup) {
    this.name = name;
    this.maxPending = maxPending;
    this.maxBatch = maxBatch;
    this.size = size;
    this.work = work;
    this.wakeup = wakeup;
  }

  /** Requests that are lists of items, each of which is judged by itself. */
  static <I, O> Batcher<List<I>, List<O>> ofItems(
      String name, TaskConfig config, Function<List<I>, List<O>> work, Wakeup wakeup) {
    return new Batcher<>(
        name,
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

  @Override
  public String name() {
    return name;
  }

  /** Any thread. False when it is full, which an empty one never is: a request of any size fits. */
  boolean offer(Q request, Answer<A> answer) {
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

  @Override
  public Next runOnce() {
    List<Pending<Q, A>> batch = take();
    if (batch.isEmpty()) {
      return Next.after(IDLE);
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
    return Next.AT_ONCE;
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

  /** Takes nothing more; what is pending is still done. */
  synchronized void close() {
    closed = true;
  }

  synchronized boolean isEmpty() {
    return requests.isEmpty();
  }
}
