package io.kairos.simulator;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a simulated process: a virtual thread that runs only while it has the baton, which
 * {@link Kernel} passes around.
 */
final class Fiber {
  private final String name;
  private final SimProcess process;
  private final Thread thread;
  private volatile boolean hasBaton;
  private boolean started;

  /** An interrupt that came while it waited for the baton; kept until it has it. */
  private volatile boolean interrupted;

  /** What will make it run again; null while it runs. */
  @Nullable Event resumption;

  boolean killed;
  boolean finished;

  Fiber(String name, SimProcess process, Consumer<Fiber> body) {
    this.name = name;
    this.process = process;
    this.thread = Thread.ofVirtual().name(name).unstarted(() -> body.accept(this));
  }

  SimProcess process() {
    return process;
  }

  /** Lets it run. The caller waits for its own baton afterwards, or ends. */
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

  /** Production code has interrupted it, and it has not noticed yet. */
  boolean isInterrupted() {
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
}
