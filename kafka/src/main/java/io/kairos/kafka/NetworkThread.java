package io.kairos.kafka;

import static java.util.Comparator.comparingLong;
import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Watches a Kafka client's own thread. The client lets an {@link Error} end that thread with a line
 * in the log. After that a producer takes records for ever without sending or failing any, and an
 * admin client answers every question as if the broker were away.
 */
final class NetworkThread {
  private final Consumer<Throwable> died;
  private final AtomicBoolean told = new AtomicBoolean();
  private volatile boolean mayEnd;

  private NetworkThread(Consumer<Throwable> died) {
    this.died = died;
  }

  /**
   * Finds the thread that runs by this name, which Kafka makes from the client's id; the youngest,
   * should there be more. One that has died already, or is just about to, is told of as well.
   *
   * @param died told once, on the thread that died or on another
   */
  static NetworkThread watch(String name, Consumer<Throwable> died) {
    ThreadGroup all = root(requireNonNull(Thread.currentThread().getThreadGroup()));
    // Twice the estimate, since threads may start meanwhile; ours has been started already.
    Thread[] threads = new Thread[2 * all.activeCount() + 16];
    int found = all.enumerate(threads);
    NetworkThread watched = new NetworkThread(died);
    Arrays.stream(threads, 0, found)
        .filter(thread -> thread.getName().equals(name))
        // One of a client of that id before may still be ending.
        .max(comparingLong(Thread::threadId))
        .ifPresentOrElse(
            watched::watch,
            () -> watched.tell(new IllegalStateException(name + " died before it was watched")));
    return watched;
  }

  private void watch(Thread thread) {
    thread.setUncaughtExceptionHandler((_, error) -> tell(error));
    // One whose error is with the handler of before, which writes a line, never comes to ours.
    Thread.ofVirtual().name("kairos-watch").start(() -> awaitEnd(thread));
  }

  private void awaitEnd(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!mayEnd) {
      tell(new IllegalStateException(thread.getName() + " ended by an error; the log has it"));
    }
  }

  private void tell(Throwable why) {
    if (told.compareAndSet(false, true)) {
      died.accept(why);
    }
  }

  /** Its client is about to be closed: from now on only an error is told of. */
  void mayEnd() {
    mayEnd = true;
  }

  private static ThreadGroup root(ThreadGroup group) {
    ThreadGroup above = group.getParent();
    return above == null ? group : root(above);
  }
}
