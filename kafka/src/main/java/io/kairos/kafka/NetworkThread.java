package io.kairos.kafka;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Watches a Kafka client's own thread. The client lets an {@link Error} end that thread with a line
 * in the log. After that a producer takes records for ever without sending or failing any, and an
 * admin client answers every question as if the broker were away.
 */
final class NetworkThread {
  private NetworkThread() {}

  /**
   * Finds the running thread by its name, which Kafka makes from the client's id. One that has died
   * already is told of as well.
   */
  static void watch(String name, Consumer<Throwable> died) {
    ThreadGroup all = root(requireNonNull(Thread.currentThread().getThreadGroup()));
    // Twice the estimate, since threads may start meanwhile; ours has been started already.
    Thread[] threads = new Thread[2 * all.activeCount() + 16];
    int found = all.enumerate(threads);
    List<Thread> watched =
        Arrays.stream(threads, 0, found).filter(thread -> thread.getName().equals(name)).toList();
    watched.forEach(thread -> thread.setUncaughtExceptionHandler((_, error) -> died.accept(error)));
    if (watched.stream().noneMatch(Thread::isAlive)) {
      died.accept(new IllegalStateException(name + " has died before it was watched"));
    }
  }

  private static ThreadGroup root(ThreadGroup group) {
    ThreadGroup above = group.getParent();
    return above == null ? group : root(above);
  }
}
