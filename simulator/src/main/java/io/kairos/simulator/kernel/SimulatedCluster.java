package io.kairos.simulator.kernel;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A simulated cluster: nodes that come and go on one virtual clock, requests to them and faults,
 * all drawn from one seed. A subclass adds the work of the nodes.
 */
public abstract class SimulatedCluster<P extends NodeRun<?>, H extends SimulationHistory> {
  private static final long LOOKS_EVERY_NANOS = 1_000_000_000;

  /** The lives of nodes, and the speed of the world's answers. */
  public final ClusterScenario scenario;

  public final Kernel kernel;
  public final CallConditions weather;

  public final VirtualClock trueTime;

  /** The store's clock, which is right unless it has jumped. */
  public final VirtualClock storeClock;

  public final LivenessHistory lives;
  public final H ledger;
  public final List<NodeHost<P>> nodes = new ArrayList<>();
  private final Span span;
  private Runnable atEnd = () -> {};

  @SuppressWarnings("NullAway.Init") // by addNodes
  private ClusterFaults<?> faults;

  @SuppressWarnings("NullAway.Init") // by addNodes
  private SplittableRandom ids;

  /** Makes the first draws from a seed. */
  protected SimulatedCluster(SplittableRandom random, Span span, Function<Kernel, H> ledger) {
    this.span = span;
    this.scenario = ClusterScenario.draw(random.split());
    this.kernel = new Kernel(random.split(), this::program);
    this.weather = new CallConditions(random.split(), scenario);
    this.trueTime = new VirtualClock(kernel);
    this.storeClock = new VirtualClock(kernel);
    this.lives = new LivenessHistory(kernel, scenario.lapseNanos());
    this.ledger = ledger.apply(kernel);
  }

  /**
   * Adds the machines of the nodes, each with a program that is started by the name of its run.
   *
   * @param ids draws the ids of nodes
   * @param faults strike the nodes
   */
  protected final void addNodes(
      SplittableRandom ids, ClusterFaults<?> faults, BiFunction<String, VirtualClock, P> program) {
    this.ids = ids;
    this.faults = faults;
    for (int i = 1; i <= ClusterScenario.NODES; i++) {
      nodes.add(new NodeHost<>(this, "node-" + i, program));
    }
  }

  public final NodeHost<P> anyNode(SplittableRandom random) {
    return nodes.get(random.nextInt(nodes.size()));
  }

  /** Runs a request on a thread of the edge of any node; returns false when the node is down. */
  public final boolean onSomeNode(SplittableRandom random, Consumer<P> request) {
    P process = anyNode(random).process();
    if (process == null) {
      return false;
    }
    process.asCaller(() -> request.accept(process));
    return true;
  }

  /** The virtual times at which the faults and the whole simulation end. */
  public record Span(long healNanos, long endNanos) {
    public Span(Duration heal, Duration end) {
      this(heal.toNanos(), end.toNanos());
    }
  }

  /** Starts the simulation; the callback runs when it is over. */
  public final void start(Runnable whenOver) {
    atEnd = whenOver;
    kernel.start();
  }

  private void program() {
    try {
      for (NodeHost<P> node : nodes) {
        node.startAfter(weather.random.nextLong(2_000_000_000L));
      }
      scheduleWork();
      faults.schedule();
      kernel.runUntil(span().healNanos());
      if (kernel.failure() == null) {
        heal();
        while (kernel.failure() == null && !isOver()) {
          kernel.runUntil(Math.min(span().endNanos(), kernel.nowNanos() + LOOKS_EVERY_NANOS));
        }
      }
      if (kernel.failure() == null) {
        judge();
      }
    } catch (Throwable e) {
      kernel.fail(e);
    } finally {
      nodes.forEach(NodeHost::end);
      kernel.killAll();
      atEnd.run();
    }
  }

  private boolean isOver() {
    return kernel.nowNanos() >= span().endNanos() || hasSettled();
  }

  /** True when nothing more can happen that would be judged; only asked when all is healed. */
  public boolean hasSettled() {
    return false;
  }

  private void heal() {
    ledger.note(30, () -> "all faults end");
    faults.end();
    weather.heal();
    storeClock.setOffset(0);
    healed();
    for (NodeHost<P> node : nodes) {
      node.heal(weather.random.nextLong(-8_000_000, 8_000_000));
    }
  }

  /** The latest time that the store's clock has shown or should have shown. */
  public final long latestMicros() {
    return Math.max(trueTime.micros(), storeClock.latestMicros());
  }

  public final Span span() {
    return span;
  }

  final ClusterFaults<?> faults() {
    return faults;
  }

  /** Random bits for the ids of nodes. */
  public final long nextNodeBits() {
    return ids.nextLong();
  }

  /** Schedules all requests to the nodes. */
  public abstract void scheduleWork();

  /** Called when the faults have ended, before nodes are started again. */
  public abstract void healed();

  /** Judges the whole history at its end. */
  public abstract void judge();

  /** A store call takes effect, judged by the rules. */
  public abstract <T> T carryOut(PortCall operation, Supplier<T> effect);
}
