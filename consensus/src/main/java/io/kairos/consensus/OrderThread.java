package io.kairos.consensus;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The log's thread: only this thread uses the state machine and the pending requests. An exception
 * on it means a broken invariant: nothing runs any more, and the owner is notified.
 */
final class OrderThread {
  /** Bound on ordered requests that wait for the thread; Ratis blocks when there are more. */
  private static final int MOST_HANDED_OVER = 1_000;

  private final Semaphore room = new Semaphore(MOST_HANDED_OVER);
  private final Consumer<Throwable> broken;
  private final ThreadPoolExecutor executor;

  /** Started by the first code that is posted. */
  private volatile @Nullable Thread thread;

  private boolean isBroken;

  OrderThread(String name, Consumer<Throwable> broken) {
    this.broken = broken;
    this.executor =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            code -> {
              Thread started = Thread.ofPlatform().name(name).unstarted(code);
              thread = started;
              return started;
            });
  }

  boolean isCurrent() {
    return Thread.currentThread().equals(thread);
  }

  /** Runs code in turn, unless the log is closed or an invariant is broken. */
  void post(Runnable code) {
    post(code, () -> {});
  }

  /**
   * Runs code in turn, like {@link #post(Runnable)}.
   *
   * @param instead runs on any thread when the code never will
   */
  void post(Runnable code, Runnable instead) {
    try {
      executor.execute(() -> run(code, instead));
    } catch (RejectedExecutionException e) {
      instead.run();
    }
  }

  private void run(Runnable code, Runnable instead) {
    if (isBroken) {
      instead.run();
      return;
    }
    boolean completed = false;
    try {
      code.run();
      completed = true;
    } catch (RuntimeException e) {
      completed = true;
      isBroken = true;
      broken.accept(e);
    } finally {
      if (!completed) {
        // An Error is on its way up and is not caught; whoever owns this log must know all the
        // same.
        isBroken = true;
        broken.accept(new IllegalStateException("the log's thread died of an error"));
      }
    }
  }

  /**
   * Runs code in turn, like {@link #post(Runnable)}, but blocks while the queue is full; for
   * ordered requests. The future fails when the code has not run to its end, so that no caller
   * waits for ever.
   *
   * <p>The wait cannot be interrupted, because a skipped entry would make this replica's state
   * differ from that of the others.
   */
  <T> CompletableFuture<T> handOver(Supplier<T> code) {
    room.acquireUninterruptibly();
    CompletableFuture<T> result = new CompletableFuture<>();
    Runnable tooLate = () -> result.completeExceptionally(stopped());
    try {
      executor.execute(() -> {
        room.release();
        try {
          run(() -> result.complete(code.get()), tooLate);
        } finally {
          tooLate.run(); // of no effect if it has run to its end
        }
      });
    } catch (RejectedExecutionException e) {
      room.release();
      tooLate.run();
    }
    return result;
  }

  private static IllegalStateException stopped() {
    return new IllegalStateException("this replica has stopped");
  }

  /**
   * Runs all posted code, accepts no more, and waits for the end.
   *
   * @param last runs at the end, even when an invariant is broken
   */
  void close(Runnable last) {
    executor.execute(last);
    executor.close();
  }
}
