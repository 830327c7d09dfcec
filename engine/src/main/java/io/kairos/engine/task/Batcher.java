package io.kairos.engine.task;

import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.loop.Wakeup;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Lets many callers share one statement of the store (group commit): while one batch is under way,
 * what comes meanwhile becomes the next. Bounded in items; a caller that comes when it is full is
 * told so. Requests are never split, and are served in their order.
 */
final class Batcher<Q, A> implements Step {
  private static final Duration IDLE = Duration.ofSeconds(1);

  private final String name;
  private final int maxPending;
  private final int maxBatch;
  private final Function<List<Q>, List<A>> work;
  private final Wakeup wakeup;

  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Request<Q, A>> requests = new ArrayDeque<>();
  private int pending;
  private boolean closed;

  private record Request<Q, A>(List<Q> items, Answer<List<A>> answer) {}

  /**
   * @param work answers each item, in order; what it throws fails all of the batch
   * @param wakeup of the activity of this step
   */
  Batcher(
      String name, int maxPending, int maxBatch, Function<List<Q>, List<A>> work, Wakeup wakeup) {
    this.name = name;
    this.maxPending = maxPending;
    this.maxBatch = maxBatch;
    this.work = work;
    this.wakeup = wakeup;
  }

  @Override
  public String name() {
    return name;
  }

  /** Any thread. False when it is full, which an empty one never is: a request of any size fits. */
  boolean offer(List<Q> items, Answer<List<A>> answer) {
    if (items.isEmpty()) {
      answer.answered(List.of());
      return true;
    }
    lock.lock();
    try {
      if (!closed) {
        if (pending > 0 && pending + items.size() > maxPending) {
          return false;
        }
        requests.add(new Request<>(List.copyOf(items), answer));
        pending += items.size();
        wakeup.signal();
        return true;
      }
    } finally {
      lock.unlock();
    }
    answer.failed(new NodeStopping());
    return true;
  }

  @Override
  public Next runOnce() {
    List<Request<Q, A>> batch = take();
    if (batch.isEmpty()) {
      return Next.after(IDLE);
    }
    List<Q> items = new ArrayList<>();
    batch.forEach(request -> items.addAll(request.items));
    List<A> answers;
    try {
      answers = work.apply(items);
    } catch (RuntimeException e) {
      batch.forEach(request -> request.answer.failed(e));
      throw e;
    }
    int from = 0;
    for (Request<Q, A> request : batch) {
      int to = from + request.items.size();
      request.answer.answered(List.copyOf(answers.subList(from, to)));
      from = to;
    }
    return Next.AT_ONCE;
  }

  private List<Request<Q, A>> take() {
    List<Request<Q, A>> batch = new ArrayList<>();
    int items = 0;
    lock.lock();
    try {
      while (!requests.isEmpty()
          && (items == 0 || items + requests.getFirst().items.size() <= maxBatch)) {
        Request<Q, A> request = requests.removeFirst();
        items += request.items.size();
        batch.add(request);
      }
      pending -= items;
      return batch;
    } finally {
      lock.unlock();
    }
  }

  /** Takes nothing more; what is pending is still done. */
  void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
  }

  boolean isEmpty() {
    lock.lock();
    try {
      return requests.isEmpty();
    } finally {
      lock.unlock();
    }
  }
}
