package io.kairos.simulator.kernel;

import static io.kairos.simulator.kernel.RareState.CLOCK_OUT_OF_BOUNDS;
import static io.kairos.simulator.kernel.RareState.LIVE_NODE_LAPSED;
import static io.kairos.simulator.kernel.RareState.STATEMENT_AFTER_ITS_FAILURE;
import static io.kairos.simulator.kernel.RareState.STATEMENT_OF_A_DEAD_NODE;
import static io.kairos.simulator.kernel.RareState.STOPPED_GRACEFULLY;
import static io.kairos.simulator.kernel.RareState.UNKNOWN_COMMIT_THAT_DID_COMMIT;
import static io.kairos.simulator.kernel.RuleNames.NO_HALF_LIFE;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.loop.Loop;
import io.kairos.engine.loop.StepActivity;
import io.kairos.engine.node.LivenessConfig;
import io.kairos.engine.node.LivenessEvents;
import io.kairos.engine.node.LivenessPorts;
import io.kairos.engine.node.LivenessStore;
import io.kairos.engine.node.NodeLife;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.model.task.TaskStoreCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * One run of a node's program, from start to crash or stop: its loops as fibers, its calls of the
 * store, and the faults that strike it. A subclass adds the production node.
 */
public abstract class NodeRun<W extends SimulatedCluster<?, ?>> {
  public final W world;
  private final String name;
  public final VirtualClock clock;
  public final FiberGroup process;
  private final List<Fiber> fibers = new ArrayList<>();
  private final List<StoreCall<?>> calls = new ArrayList<>();
  private final List<CallTrap> traps = new ArrayList<>();

  /** Every id that this process has ever had. */
  final Set<NodeId> lives = new HashSet<>();

  boolean storeAway;
  private boolean stopping;

  public NodeRun(W world, String name, VirtualClock clock) {
    this.world = world;
    this.name = name;
    this.clock = clock;
    this.process = new FiberGroup(name);
  }

  /** Drives a loop of the node, as in production. */
  public final void drive(StepActivity activity) {
    Loop loop = new Loop(activity, VirtualClock.monotonic(world.kernel), this::fatal);
    spawn(loop.name(), loop);
  }

  final Fiber spawn(String what, Runnable body) {
    Fiber fiber = world.kernel.spawn(name + "/" + what, process, body);
    fibers.add(fiber);
    return fiber;
  }

  /**
   * Runs a request of a caller on a fiber of its own; the caller learns nothing if the store fails.
   */
  public final void asCaller(Runnable request) {
    spawn(
        "caller",
        () -> {
          try {
            request.run();
          } catch (StoreUnavailable e) {
            // the caller has been told that nothing is known
          }
        });
  }

  private NodeId newLife() {
    NodeId life = new NodeId(new UUID(world.nextNodeBits(), world.nextNodeBits()));
    lives.add(life);
    return life;
  }

  /** True when the id is or was this process's. */
  public final boolean hasLived(NodeId life) {
    return lives.contains(life);
  }

  private void fatal(Throwable thrown) {
    if (!process.isDead()) {
      world.kernel.fail(new AssertionError(NO_HALF_LIFE + ": a loop of " + name + " died", thrown));
    }
  }

  public final boolean isAlive() {
    return !process.isDead();
  }

  public final boolean isStopping() {
    return stopping;
  }

  public final void reached(RareState state) {
    world.ledger.reached(state);
  }

  public final void reached(RareState state, boolean isReached) {
    world.ledger.reached(state, isReached);
  }

  /** The node's own graceful stop; on a fiber of this process. */
  public abstract void stop();

  /** Ends whatever else dies with the process. */
  public abstract void dies();

  /** Called when the process freezes. */
  public abstract void standsStill();

  /** A trap was set for this call and springs. */
  public void struck(CallTrap.Kind kind, PortCall operation) {}

  /** Called when the process freezes at a call, so that a subclass can add a fault. */
  public void standsStillAt(PortCall operation, long nanos) {}

  // Faults

  /**
   * Kills the process at once: none of its code runs again, but its calls and records in flight may
   * still arrive.
   */
  public final void crash() {
    if (process.isDead()) {
      return;
    }
    world.ledger.note(20, () -> name + " crashes");
    process.die();
    for (StoreCall<?> call : calls) {
      if (!call.done && world.weather.random.nextBoolean()) {
        call.loseOnTheWay();
      }
    }
    dies();
    for (Fiber fiber : fibers) {
      world.kernel.kill(fiber);
    }
  }

  /** Freezes the process for a while, like a long collection or a paused machine. */
  final void freeze(long nanos) {
    world.ledger.note(21, () -> name + " is frozen for " + nanos / 1_000_000 + " ms");
    process.freezeUntil(world.kernel.nowNanos() + nanos);
    for (StoreCall<?> call : calls) {
      if (!call.done && world.weather.random.nextInt(3) == 0) {
        delayUntilThawed(call);
      }
    }
    standsStill();
  }

  /** Freezes between the decision for a call and the call, until other nodes have taken over. */
  private void freezeAt(PortCall operation) {
    long nanos =
        Math.min(
            world.scenario.lapseNanos()
                + Duration.ofSeconds(4).toNanos()
                + world.weather.random.nextLong(4_000_000_000L),
            world.span().healNanos() - 1 - world.kernel.nowNanos());
    if (nanos <= 0) {
      return;
    }
    freeze(nanos);
    standsStillAt(operation, nanos);
    world.kernel.sleep(0);
  }

  /** Delays a call that had not been sent before the freeze. */
  private void delayUntilThawed(StoreCall<?> call) {
    VirtualEvent event = call.arrival;
    if (event != null && !event.cancelled) {
      event.cancel();
      long there = process.frozenUntilNanos() - world.kernel.nowNanos();
      call.arrival = world.kernel.after(there, () -> arrive(call));
    }
  }

  /** Stops in order, as on a signal, then exits. */
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
          reached(STOPPED_GRACEFULLY);
          world.kernel.after(0, afterwards);
        });
  }

  final void set(CallTrap trap) {
    traps.add(trap);
  }

  final void removeTraps() {
    traps.clear();
  }

  public final boolean springs(CallTrap.Kind kind, PortCall operation) {
    for (CallTrap trap : traps) {
      if (trap.springs(kind, operation)) {
        traps.remove(trap);
        world.faults().struck();
        struck(kind, operation);
        return true;
      }
    }
    return false;
  }

  /** The store is gone: every waiting call fails. */
  final void storeGone() {
    for (StoreCall<?> call : calls) {
      call.failed = true;
      if (!call.done && world.weather.random.nextBoolean()) {
        call.loseOnTheWay();
      }
      world.kernel.wake(call.caller);
    }
  }

  // Calls

  public final <T> T call(PortCall operation, Supplier<T> effect) {
    Kernel kernel = world.kernel;
    Fiber fiber = kernel.running();
    if (fiber == null) {
      throw new IllegalStateException("a completion calls the store: " + operation);
    }
    dieIfDead();
    CallConditions weather = world.weather;
    boolean away = storeAway || weather.storeAway;
    CallConditions.Fate fate = away ? CallConditions.Fate.NOT_DONE : weather.fate();
    if (!away && springs(CallTrap.Kind.FAIL, operation)) {
      fate = weather.failed();
    }
    if (springs(CallTrap.Kind.FREEZE, operation)) {
      freezeAt(operation);
    }
    StoreCall<T> call = new StoreCall<>(operation, effect, fiber, fate);
    calls.add(call);
    long there = away ? weather.deafNanos() : weather.storeNanos();
    long back = weather.storeNanos();
    if (fate != CallConditions.Fate.NOT_DONE) {
      long late = fate == CallConditions.Fate.DONE_AFTER_FAILING ? back + weather.lateNanos() : 0;
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
      reached(UNKNOWN_COMMIT_THAT_DID_COMMIT, call.done);
      world.ledger.note(
          22, () -> name + " is told that " + operation.getClass().getSimpleName() + " failed");
      throw new StoreUnavailable("simulated");
    }
    return call.result();
  }

  /** Works like {@link #call}, for an effect without a result. */
  public final void run(PortCall operation, Runnable effect) {
    call(
        operation,
        () -> {
          effect.run();
          return true;
        });
  }

  /**
   * A port as this process sees it: every call takes virtual time, during which anything else may
   * happen, and may fail before, after or long before it takes effect.
   *
   * @param calls overrides the calls that rules are about
   */
  public final <P> P faulty(Class<P> port, P next, Object calls) {
    return TaskStoreCalls.overridden(
        port,
        TaskStoreCalls.through(
            port, (name, _, effect) -> call(new PortCall.Other(name), effect), next),
        calls);
  }

  private void arrive(StoreCall<?> call) {
    if (world.weather.storeAway) {
      call.failed = true;
      return;
    }
    if (!process.isDead() && springs(CallTrap.Kind.CRASH_BEFORE, call.operation)) {
      crash();
      return;
    }
    try {
      call.carryOut(world);
    } catch (StoreUnavailable e) {
      call.failed = true; // the store says no
    }
    if (process.isDead()) {
      reached(STATEMENT_OF_A_DEAD_NODE);
    } else if (call.answered) {
      reached(STATEMENT_AFTER_ITS_FAILURE);
    }
    if (!process.isDead() && springs(CallTrap.Kind.CRASH_AFTER, call.operation)) {
      crash();
    }
  }

  public final void dieIfDead() {
    if (process.isDead()) {
      throw new Fiber.Killed();
    }
  }

  /** The node's life, as production has it, over the world's store. */
  public final NodeLife life(LivenessConfig config, LivenessStore store) {
    return new NodeLife(
        config,
        new LivenessPorts(
            FaultyLivenessStore.of(this, store),
            clock,
            VirtualClock.monotonic(world.kernel),
            () -> new VirtualWakeup(world.kernel),
            this::newLife,
            new Listener()));
  }

  /** Counts the events of the node's liveness; checkers do not rely on them. */
  private final class Listener implements LivenessEvents {
    @Override
    public void lapsed(NodeId life, String why) {
      reached(LIVE_NODE_LAPSED);
    }

    @Override
    public void clockOffset(Duration offset, boolean withinBound) {
      reached(CLOCK_OUT_OF_BOUNDS, !withinBound);
    }
  }

  @Override
  public final String toString() {
    return name;
  }
}
