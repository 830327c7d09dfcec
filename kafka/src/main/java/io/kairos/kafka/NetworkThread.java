package io.kairos.kafka;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Watches a Kafka client's own thread. An {@link Error} ends that thread with only a line in the
 * log. After that a producer accepts records for ever without sending or failing any, and an admin
 * client answers every request as if the broker were away.
 */
final class NetworkThread {
  /**
   * Serialises the creation of clients, so that two clients of the same name in this JVM each find
   * their own thread.
   */
  private static final Object MAKING = new Object();

  private final String name;
  private final Consumer<Throwable> died;
  private final AtomicBoolean told = new AtomicBoolean();
  private volatile boolean mayEnd;

  /**
   * @param name name of the thread, which Kafka makes from the client's id
   * @param died is notified once, on the thread that died or on another
   */
  NetworkThread(String name, Consumer<Throwable> died) {
    this.name = name;
    this.died = died;
  }

  /**
   * Makes the client and watches its thread, even if the thread has already died or is about to.
   */
  <C> C of(Supplier<C> client) {
    synchronized (MAKING) {
      long before = Thread.ofPlatform().unstarted(() -> {}).threadId();
      C made = client.get();
      startedAfter(before)
          .ifPresentOrElse(
              this::watch,
              () -> tell(new IllegalStateException(name + " died before it was watched")));
      return made;
    }
  }

  /** Returns a thread of this name; thread ids grow in the order of creation. */
  private Optional<Thread> startedAfter(long id) {
    ThreadGroup all = root(requireNonNull(Thread.currentThread().getThreadGroup()));
    // Twice the estimate, since threads may start meanwhile; ours has been started already.
    Thread[] threads = new Thread[2 * all.activeCount() + 16];
    int found = all.enumerate(threads);
    return Arrays.stream(threads, 0, found)
        .filter(thread -> thread.getName().equals(name) && thread.threadId() > id)
        .findAny();
  }

  private void watch(Thread thread) {
    thread.setUncaughtExceptionHandler((_, error) -> tell(error));
    // If the thread fails before our handler is set, the former handler only writes a line. The
    // exception is made now, because memory may be exhausted later.
    IllegalStateException ended =
        new IllegalStateException(name + " ended by an error; the log has it");
    Thread.ofVirtual().name("kairos-watch").start(() -> awaitEnd(thread, ended));
  }

  private void awaitEnd(Thread thread, IllegalStateException ended) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    if (!mayEnd) {
      tell(ended);
    }
  }

  private void tell(Throwable why) {
    if (told.compareAndSet(false, true)) {
      died.accept(why);
    }
  }

  /**
   * Expects the end of the thread, because its client is about to be closed; only errors are
   * reported from now on.
   */
  void mayEnd() {
    mayEnd = true;
  }

  private static ThreadGroup root(ThreadGroup group) {
    ThreadGroup above = group.getParent();
    return above == null ? group : root(above);
  }
}
