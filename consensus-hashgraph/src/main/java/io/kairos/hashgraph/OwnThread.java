package io.kairos.hashgraph;

import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The log's thread as a platform thread. An exception on it is a broken invariant: nothing runs any
 * more, and the owner is notified. Its queue has no bound of its own, because whoever posts has
 * one: connections one message of each replica, submissions bytes, and steps post once.
 */
final class OwnThread implements LogThread {
  private final Consumer<Throwable> broken;
  private final ThreadPoolExecutor executor;
  private volatile @Nullable Thread thread;
  private volatile @Nullable Throwable why;

  OwnThread(String name, Consumer<Throwable> broken) {
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

  @Override
  public boolean isCurrent() {
    return Thread.currentThread().equals(thread);
  }

  @Override
  public void post(Runnable code, Runnable instead) {
    try {
      executor.execute(() -> run(code, instead));
    } catch (RejectedExecutionException e) {
      instead.run();
    }
  }

  private void run(Runnable code, Runnable instead) {
    if (why != null) {
      instead.run();
      return;
    }
    try {
      code.run();
    } catch (RuntimeException | Error e) {
      why = e;
      broken.accept(e);
      if (e instanceof Error error) {
        throw error;
      }
    }
  }

  /** Why nothing runs any more; empty while all is well. */
  Optional<String> stopped() {
    return Optional.ofNullable(why).map(Throwable::toString);
  }

  /**
   * Runs what was posted, accepts no more, and waits for the end.
   *
   * @param last runs at the end, even when an invariant is broken
   */
  void close(Runnable last) {
    executor.execute(last);
    executor.shutdown();
    boolean isInterrupted = false;
    try {
      while (!executor.isTerminated()) {
        try {
          executor.awaitTermination(1, TimeUnit.DAYS);
        } catch (InterruptedException e) {
          isInterrupted = true; // what was submitted is answered all the same
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
