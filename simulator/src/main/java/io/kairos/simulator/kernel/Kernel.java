package io.kairos.simulator.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time and its fibers. Exactly one fiber runs at a time. When it waits, the next event on
 * the virtual clock happens, and idle time is skipped. A waiting fiber dispatches the next one
 * itself, so a switch costs one hand-over. Run it on a single carrier thread ({@code
 * -Djdk.virtualThreadScheduler.parallelism=1}), because otherwise every hand-over crosses cores.
 */
public final class Kernel {
  private final PriorityQueue<VirtualEvent> events = new PriorityQueue<>(256, VirtualEvent.ORDER);
  private final SplittableRandom lots;
  final List<Fiber> fibers = new ArrayList<>();
  private final Fiber driver;
  private long nowNanos;
  private long untilNanos;
  private long lastSequence;
  private long dispatched;
  private @Nullable Fiber running;
  private @Nullable Runnable forDriver;
  private @Nullable Throwable failure;

  /**
   * @param lots decides the order of what happens at the same moment
   * @param program runs as the driver, outside any simulated process, and calls {@link #runUntil}
   */
  Kernel(SplittableRandom lots, Runnable program) {
    this.lots = lots;
    this.driver = new Fiber("driver", new FiberGroup("world"), _ -> program.run());
  }

  /** Starts the program; returns at once. */
  void start() {
    driver.giveBaton();
  }

  public long nowNanos() {
    return nowNanos;
  }

  /** Events that have happened so far: a measure of progress and of work. */
  public long dispatched() {
    return dispatched;
  }

  /** The fiber that runs, or null in an action of the world. */
  @Nullable
  public Fiber running() {
    return running;
  }

  /** The first failure, which stops the run; null while there is none. */
  @Nullable
  public Throwable failure() {
    return failure;
  }

  void fail(Throwable thrown) {
    if (failure == null) {
      failure = thrown;
    }
  }

  /** An action of the simulated world, at a time from now; must not call engine code. */
  public VirtualEvent after(long nanos, Runnable action) {
    return add(nanos, null, action, false);
  }

  /** Schedules an action several times, each time at a moment drawn from now to then. */
  public void scatter(int times, long withinNanos, SplittableRandom random, Runnable action) {
    for (int i = 0; i < times; i++) {
      after(random.nextLong(withinNanos), action);
    }
  }

  /** Works like {@link #after}, for a completion that engine code asked for. */
  VirtualEvent completeAfter(long nanos, Runnable action) {
    return add(nanos, null, action, true);
  }

  /**
   * As {@link #completeAfter}, for what comes to a node from outside or from its own timers: not
   * while it is frozen, and never once it is dead.
   */
  public void deliver(FiberGroup to, long nanos, Runnable action) {
    deliver(to, nanos, action, true);
  }

  /** Works like {@link #deliver}, for a process that is only modelled. */
  public void tell(FiberGroup to, long nanos, Runnable action) {
    deliver(to, nanos, action, false);
  }

  private void deliver(FiberGroup to, long nanos, Runnable action, boolean needsOwnStack) {
    add(
        nanos,
        null,
        () -> {
          if (to.isFrozenAt(nowNanos)) {
            deliver(to, to.frozenUntilNanos() - nowNanos, action, needsOwnStack);
          } else if (!to.isDead()) {
            action.run();
          }
        },
        needsOwnStack);
  }

  private VirtualEvent add(
      long nanos, @Nullable Fiber fiber, @Nullable Runnable action, boolean needsOwnStack) {
    VirtualEvent event =
        new VirtualEvent(
            nowNanos + Math.max(0, nanos),
            lots.nextLong(),
            ++lastSequence,
            fiber,
            action,
            needsOwnStack);
    events.add(event);
    return event;
  }

  /** Starts a fiber of the process now, in its turn. */
  public Fiber spawn(String name, FiberGroup process, Runnable body) {
    Fiber fiber = new Fiber(name, process, self -> live(self, body));
    fibers.add(fiber);
    resume(fiber, 0);
    return fiber;
  }

  private void live(Fiber self, Runnable body) {
    try {
      if (!self.killed) {
        body.run();
      }
    } catch (Fiber.Killed e) {
      // as asked
    } catch (Throwable e) {
      fail(new AssertionError(self + " died", e));
    } finally {
      self.finished = true;
      nextFiber().giveBaton();
    }
  }

  private void resume(Fiber fiber, long nanos) {
    fiber.resumption = add(nanos, fiber, null, false);
  }

  /** The running fiber waits that long or until {@link #wake}; anything may happen meanwhile. */
  public void sleep(long nanos) {
    Fiber self = requireRunning();
    resume(self, nanos);
    switchOut(self);
  }

  /** Works like {@link #sleep}; code that interrupts the fiber must {@link #wake} it. */
  public void sleepInterruptibly(long nanos) throws InterruptedException {
    if (!Thread.interrupted()) {
      sleep(nanos);
    }
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  /** Ends a fiber's wait now. */
  public void wake(Fiber fiber) {
    VirtualEvent resumption = fiber.resumption;
    if (resumption != null && resumption.atNanos > nowNanos) {
      resumption.cancel();
      resume(fiber, 0);
    }
  }

  /** Unwinds the fiber at once, wherever it waits. */
  public void kill(Fiber fiber) {
    if (!fiber.finished) {
      fiber.killed = true;
      if (fiber != running) {
        VirtualEvent resumption = fiber.resumption;
        if (resumption != null) {
          resumption.cancel();
        }
        resume(fiber, 0);
      }
    }
  }

  /**
   * Unwinds every fiber that is left, whatever happened; on the driver, at the end. What those
   * spawn on their way never runs.
   */
  void killAll() {
    for (Fiber fiber : List.copyOf(fibers)) {
      if (!fiber.finished) {
        fiber.killed = true;
        running = fiber;
        driver.dropBaton();
        untilNanos = Long.MIN_VALUE;
        fiber.giveBaton();
        driver.awaitBaton();
      }
    }
    running = null;
  }

  private Fiber requireRunning() {
    Fiber self = running;
    if (self == null || !self.isCurrentThread()) {
      throw new IllegalStateException(
          "only a fiber can wait: a completion must neither block nor call a port that does");
    }
    if (self.killed) {
      throw new Fiber.Killed();
    }
    return self;
  }

  private void switchOut(Fiber self) {
    Fiber next = nextFiber();
    if (next != self) {
      self.dropBaton();
      next.giveBaton();
      self.awaitBaton();
    }
    if (self.killed) {
      throw new Fiber.Killed();
    }
  }

  /** Lets the world go on until that time; on the driver only. Returns early after a failure. */
  void runUntil(long nanos) {
    untilNanos = nanos;
    while (true) {
      Fiber next = nextFiber();
      if (next != driver) {
        driver.dropBaton();
        next.giveBaton();
        driver.awaitBaton();
      }
      Runnable action = forDriver;
      forDriver = null;
      if (action == null) {
        nowNanos = Math.max(nowNanos, Math.min(untilNanos, nanos));
        return;
      }
      runGuarded(action);
    }
  }

  private void runGuarded(Runnable action) {
    try {
      action.run();
    } catch (Fiber.Killed e) {
      // the action killed its own process
    } catch (Throwable e) {
      fail(e);
    }
  }

  /** Lets everything happen that comes before the next fiber's turn, and returns that fiber. */
  private Fiber nextFiber() {
    running = null;
    while (failure == null) {
      VirtualEvent event = events.peek();
      if (event == null || event.atNanos > untilNanos) {
        break;
      }
      events.poll();
      if (event.cancelled) {
        continue;
      }
      dispatched++;
      nowNanos = event.atNanos;
      Fiber fiber = event.fiber;
      if (fiber == null) {
        Runnable action = event.action;
        if (action == null) {
          throw new IllegalStateException("an event of nothing");
        }
        if (event.needsOwnStack) {
          forDriver = action;
          return driver;
        }
        runGuarded(action);
      } else if (!fiber.finished) {
        FiberGroup process = fiber.process;
        if (process.isFrozenAt(nowNanos) && !fiber.killed) {
          resume(fiber, process.frozenUntilNanos() - nowNanos);
        } else {
          fiber.resumption = null;
          running = fiber;
          return fiber;
        }
      }
    }
    return driver;
  }
}
