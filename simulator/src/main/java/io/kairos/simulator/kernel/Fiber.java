package io.kairos.simulator.kernel;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a simulated process: a virtual thread that runs only while it has the baton, which
 * {@link Kernel} passes around.
 */
public final class Fiber {
  private final String name;
  final FiberGroup process;
  private final Thread thread;
  private volatile boolean hasBaton;
  private boolean started;

  /** An interrupt that came while the fiber waited for the baton, kept until it has the baton. */
  private volatile boolean interrupted;

  /** The event that will make the fiber run again; null while it runs. */
  @Nullable VirtualEvent resumption;

  boolean killed;
  boolean finished;

  Fiber(String name, FiberGroup process, Consumer<Fiber> body) {
    this.name = name;
    this.process = process;
    this.thread = Thread.ofVirtual().name(name).unstarted(() -> body.accept(this));
  }

  /** Lets the fiber run. The caller waits for its own baton afterwards, or ends. */
  void giveBaton() {
    hasBaton = true;
    if (started) {
      LockSupport.unpark(thread);
    } else {
      started = true;
      thread.start();
    }
  }

  void awaitBaton() {
    while (!hasBaton) {
      LockSupport.park(this);
      if (thread.isInterrupted()) {
        interrupted = true;
        boolean _ = Thread.interrupted(); // else it could not park any more
      }
    }
    if (interrupted) {
      interrupted = false;
      thread.interrupt();
    }
  }

  /** True when production code has interrupted the fiber and it has not noticed yet. */
  public boolean isInterrupted() {
    return interrupted || thread.isInterrupted();
  }

  void dropBaton() {
    hasBaton = false;
  }

  boolean isCurrentThread() {
    return Thread.currentThread().equals(thread);
  }

  @Override
  public String toString() {
    return name;
  }

  /**
   * Unwinds a fiber whose process was killed. An {@link Error}, because production code does not
   * catch errors.
   */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1L;

    Killed() {
      super("the process of this fiber was killed", null, false, false);
    }
  }
}
