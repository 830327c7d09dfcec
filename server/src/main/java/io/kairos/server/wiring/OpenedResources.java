package io.kairos.server.wiring;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The resources opened so far. Closes them in reverse order; a failure keeps no other resource
 * open. Filled by the threads that start the process; a resource that is added after {@link #close}
 * is closed at once.
 */
final class OpenedResources implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OpenedResources.class);

  @GuardedBy("this")
  private final Deque<Named> all = new ArrayDeque<>();

  @GuardedBy("this")
  private boolean closed;

  private record Named(String name, AutoCloseable resource) {}

  <T extends AutoCloseable> T add(String name, T resource) {
    boolean tooLate;
    synchronized (this) {
      tooLate = closed;
      if (!tooLate) {
        all.push(new Named(name, resource));
      }
    }
    if (tooLate) {
      close(new Named(name, resource));
      throw new StartException("The start was given up.");
    }
    return resource;
  }

  @Override
  public void close() {
    for (Named next = next(); next != null; next = next()) {
      close(next);
    }
  }

  /**
   * Closes each resource on a thread of its own, because none needs another and some take seconds.
   * Returns when all are closed.
   */
  void closeTogether() {
    List<Thread> closing = new ArrayList<>();
    for (Named next = next(); next != null; next = next()) {
      Named one = next;
      closing.add(Thread.ofPlatform().name("kairos-close").start(() -> close(one)));
    }
    try {
      for (Thread thread : closing) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized @Nullable Named next() {
    closed = true;
    return all.poll();
  }

  // Catches everything: each kind of resource has its own exceptions.
  private static void close(Named named) {
    try {
      named.resource.close();
    } catch (Exception e) {
      LOG.atWarn().addKeyValue("what", named.name).setCause(e).log("could not be closed");
    }
  }
}
