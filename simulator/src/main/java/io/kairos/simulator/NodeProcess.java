package io.kairos.simulator;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.loop.Activity;
import io.kairos.engine.loop.Loop;
import io.kairos.engine.node.LivenessConfig;
import io.kairos.engine.node.LivenessEvents;
import io.kairos.engine.node.LivenessPorts;
import io.kairos.engine.node.LivenessStore;
import io.kairos.engine.node.NodeLife;
import io.kairos.engine.node.StoreUnavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * One run of a node's program, from start to crash or stop: its loops as fibers, its calls of the
 * store, and the faults that strike it. Which production node it is is added by its kind.
 */
abstract class NodeProcess {
  private final World world;
  private final String name;
  private final SimClock clock;
  private final SimProcess process;
  private final List<Fiber> fibers = new ArrayList<>();
  private final List<StoreCall<?>> calls = new ArrayList<>();
  private final List<Trap> traps = new ArrayList<>();
  private final Set<NodeId> lives = new HashSet<>();
  boolean storeAway;
  private boolean stopping;

  NodeProcess(World world, String name, SimClock clock) {
    this.world = world;
    this.name = name;
    this.clock = clock;
    this.process = new SimProcess(name);
  }

  /** Drives a loop of the node, as in production. */
  final void drive(Activity activity) {
    Loop loop = new Loop(activity, SimClock.monotonic(world.kernel()), this::fatal);
    spawn(loop.name(), loop);
  }

  final Fiber spawn(String what, Runnable body) {
    Fiber fiber = world.kernel().spawn(name + "/" + what, process, body);
    fibers.add(fiber);
    return fiber;
  }

  private NodeId newLife() {
    NodeId life = new NodeId(new UUID(world.nextNodeBits(), world.nextNodeBits()));
    lives.add(life);
    return life;
  }

  /** Every id that this process has ever had. */
  final Set<NodeId> lives() {
    return lives;
  }

  private void fatal(Throwable thrown) {
    if (!process.isDead()) {
      world
          .kernel()
          .fail(new AssertionError(Rules.NO_HALF_LIFE + ": a loop of " + name + " died", thrown));
    }
  }

  World world() {
    return world;
  }

  final SimClock clock() {
    return clock;
  }

  final SimProcess process() {
    return process;
  }

  final boolean isAlive() {
    return !process.isDead();
  }

  final boolean isStopping() {
    return stopping;
  }

  final void reached(RareState state) {
    world.ledger().reached(state);
  }

  /** The node's own graceful stop; on a fiber of this process. */
  abstract void stop();

  /** What else goes with the process when it dies. */
  abstract void dies();

  /** What others notice when the process stands still. */
  abstract void standsStill();

  /** A trap was set for this call and springs. */
  void struck(Trap.Kind kind, Operation operation) {}

  /** It stands still at this call for so long: the moment to make things worse. */
  void standsStillAt(Operation operation, long nanos) {}

  // Faults

  /** Dies here and now: nothing of it runs again. What is on its way may still arrive. */
  final void crash() {
    if (process.isDead()) {
      return;
    }
    world.ledger().note(20, () -> name + " crashes");
    process.die();
    for (StoreCall<?> call : calls) {
      if (!call.done && world.weather().random().nextBoolean()) {
        call.loseOnTheWay();
      }
    }
    dies();
    for (Fiber fiber : fibers) {
      world.kernel().kill(fiber);
    }
  }

  /** Everything of it stands still for a while, as in a long collection or a paused machine. */
  final void freeze(long nanos) {
    world.ledger().note(21, () -> name + " is frozen for " + nanos / 1_000_000 + " ms");
    process.freezeUntil(world.kernel().nowNanos() + nanos);
    for (StoreCall<?> call : calls) {
      if (!call.done && world.weather().random().nextInt(3) == 0) {
        delayUntilThawed(call);
      }
    }
    standsStill();
  }

  /** Stands still between deciding on a call and making it, until others have taken over. */
  private void freezeAt(Operation operation) {
    long nanos =
        Math.min(
            world.scenario().lapseNanos()
                + Duration.ofSeconds(4).toNanos()
                + world.weather().random().nextLong(4_000_000_000L),
            world.span().healNanos() - 1 - world.kernel().nowNanos());
    if (nanos <= 0) {
      return;
    }
    freeze(nanos);
    standsStillAt(operation, nanos);
    world.kernel().sleep(0);
  }

  /** It had not been sent yet. */
  private void delayUntilThawed(StoreCall<?> call) {
    Event event = call.arrival;
    if (event != null && !event.cancelled) {
      event.cancel();
      long there = process.frozenUntilNanos() - world.kernel().nowNanos();
      call.arrival = world.kernel().after(there, () -> arrive(call));
    }
  }

  /** Ends as on a signal, then exits. */
  final void stopGracefully(Runnable afterwards) {
    stopping = true;
    spawn(
        "stop",
        () -> {
          try {
            stop();
          } catch (StoreUnavailable e) {
            // its liveness lapses by itself
          }
          reached(RareState.STOPPED_GRACEFULLY);
          world.kernel().after(0, afterwards);
        });
  }

  final void set(Trap trap) {
    traps.add(trap);
  }

  final void removeTraps() {
    traps.clear();
  }

  final boolean springs(Trap.Kind kind, Operation operation) {
    for (Trap trap : traps) {
      if (trap.springs(kind, operation)) {
        traps.remove(trap);
        world.faults().struck();
        struck(kind, operation);
        return true;
      }
    }
    return false;
  }

  /** The store is gone: whoever waits for it learns so. */
  final void storeGone() {
    for (StoreCall<?> call : calls) {
      call.failed = true;
      if (!call.done && world.weather().random().nextBoolean()) {
        call.loseOnTheWay();
      }
      world.kernel().wake(call.caller);
    }
  }

  // Calls

  final <T> T call(Operation operation, Supplier<T> effect) {
    Kernel kernel = world.kernel();
    Fiber fiber = kernel.running();
    if (fiber == null) {
      throw new IllegalStateException("a completion calls the store: " + operation);
    }
    dieIfDead();
    Weather weather = world.weather();
    boolean away = storeAway || weather.storeAway;
    Weather.Fate fate = away ? Weather.Fate.NOT_DONE : weather.fate();
    if (!away && springs(Trap.Kind.FAIL, operation)) {
      fate = weather.failed();
    }
    if (springs(Trap.Kind.FREEZE, operation)) {
      freezeAt(operation);
    }
    StoreCall<T> call = new StoreCall<>(operation, effect, fiber, fate);
    calls.add(call);
    long there = away ? weather.deafNanos() : weather.storeNanos();
    long back = weather.storeNanos();
    if (fate != Weather.Fate.NOT_DONE) {
      long late = fate == Weather.Fate.DONE_AFTER_FAILING ? back + weather.lateNanos() : 0;
      call.arrival = kernel.after(there + late, () -> arrive(call));
    }
    try {
      kernel.sleep(there + back);
      while (!call.failed && !call.done) {
        kernel.sleep(there + back); // its process was frozen before the statement was sent
      }
    } finally {
      call.answered = true;
      calls.remove(call);
    }
    if (call.failed) {
      if (call.done) {
        reached(RareState.UNKNOWN_COMMIT_THAT_DID_COMMIT);
      }
      world
          .ledger()
          .note(
              22, () -> name + " is told that " + operation.getClass().getSimpleName() + " failed");
      throw new StoreUnavailable("simulated");
    }
    return call.result();
  }

  private void arrive(StoreCall<?> call) {
    if (world.weather().storeAway) {
      call.failed = true;
      return;
    }
    if (!process.isDead() && springs(Trap.Kind.CRASH_BEFORE, call.operation)) {
      crash();
      return;
    }
    try {
      call.carryOut(world);
    } catch (StoreUnavailable e) {
      call.failed = true; // the store says no
    }
    if (process.isDead()) {
      reached(RareState.STATEMENT_OF_A_DEAD_NODE);
    } else if (call.answered) {
      reached(RareState.STATEMENT_AFTER_ITS_FAILURE);
    }
    if (!process.isDead() && springs(Trap.Kind.CRASH_AFTER, call.operation)) {
      crash();
    }
  }

  final void dieIfDead() {
    if (process.isDead()) {
      throw new FiberKilled();
    }
  }

  /** The node's life, as production has it, over the world's store. */
  final NodeLife life(LivenessConfig config, LivenessStore store) {
    return new NodeLife(
        config,
        new LivenessPorts(
            new SimLiveness(this, store),
            clock,
            SimClock.monotonic(world.kernel()),
            () -> new SimWakeup(world.kernel()),
            this::newLife,
            new Listener()));
  }

  /** What the node tells of its life is not believed, only counted. */
  private final class Listener implements LivenessEvents {
    @Override
    public void lapsed(NodeId life, String why) {
      reached(RareState.LIVE_NODE_LAPSED);
    }

    @Override
    public void clockOffset(Duration offset, boolean withinBound) {
      if (!withinBound) {
        reached(RareState.CLOCK_OUT_OF_BOUNDS);
      }
    }
  }

  @Override
  public final String toString() {
    return name;
  }
}
