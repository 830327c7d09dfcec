package io.kairos.server.wiring;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
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
    while (true) {
      Named next;
      synchronized (this) {
        closed = true;
        next = all.poll();
      }
      if (next == null) {
        return;
      }
      close(next);
    }
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
