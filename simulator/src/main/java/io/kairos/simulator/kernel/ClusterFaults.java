package io.kairos.simulator.kernel;

import static io.kairos.simulator.kernel.RareState.STORE_CLOCK_JUMPED_BACK;
import static io.kairos.simulator.kernel.RareState.STORE_CLOCK_JUMPED_FORWARD;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The faults of a simulation that nodes of any kind can have: crashes, freezes, partitions. At
 * least twenty take effect per seed, of a short simulation eight. A fault that finds its node down,
 * and a trap whose call never comes, do not count. The rules that judge the result are in {@code
 * DelayFinalRules}, {@code TaskFinalRules} and {@code ScheduleRules}.
 */
public abstract class ClusterFaults<W extends SimulatedCluster<?, ?>> {
  private static final int FEWEST = 20;
  private static final long LONGEST_JUMP_NANOS = Duration.ofSeconds(15).toNanos();
  private static final long LAST_ONES_EVERY_NANOS = Duration.ofMillis(50).toNanos();
  private static final long LAST_BEFORE_HEAL_NANOS = Duration.ofSeconds(4).toNanos();
  private static final long FIRST_NANOS = Duration.ofSeconds(4).toNanos();
  protected final W world;
  private final Kernel kernel;
  protected final SplittableRandom random;
  private final int fewest;
  private final int kinds;
  private final List<Predicate<PortCall>> calls;
  private boolean ended;
  private long mayJumpFromNanos;
  private int struck;

  /**
   * @param kinds number of kinds that {@link #strike} knows
   * @param calls calls at which nodes crash, freeze and fail
   */
  public ClusterFaults(
      W world, SplittableRandom random, int kinds, List<Predicate<PortCall>> calls) {
    this(world, random, FEWEST, kinds, calls);
  }

  /**
   * @param fewest number of faults that must take effect
   */
  public ClusterFaults(
      W world, SplittableRandom random, int fewest, int kinds, List<Predicate<PortCall>> calls) {
    this.world = world;
    this.fewest = fewest;
    this.kinds = kinds;
    this.calls = List.copyOf(calls);
    this.kernel = world.kernel;
    this.random = random;
  }

  final void schedule() {
    long lastNanos = world.span().healNanos() - LAST_BEFORE_HEAL_NANOS;
    int count = random.nextInt(fewest, fewest + fewest * 3 / 4);
    for (int i = 0; i < count; i++) {
      int kind = random.nextInt(kinds);
      kernel.after(random.nextLong(FIRST_NANOS, lastNanos), () -> strike(kind));
    }
    kernel.after(lastNanos, this::strikeUntilThereWereEnough);
  }

  private void strikeUntilThereWereEnough() {
    if (!ended && struck < fewest) {
      strike(random.nextInt(kinds));
      kernel.after(LAST_ONES_EVERY_NANOS, this::strikeUntilThereWereEnough);
    }
  }

  /** Counts a fault. */
  public final void struck() {
    struck++;
  }

  public void end() {
    ended = true;
    if (struck < fewest) {
      throw new IllegalStateException("only " + struck + " faults have struck");
    }
  }

  /** Causes a fault of the kind with this number. */
  public abstract void strike(int kind);

  private Predicate<PortCall> anyCall() {
    return calls.get(random.nextInt(calls.size()));
  }

  public final NodeHost<?> anyNode() {
    return world.anyNode(random);
  }

  /** A random duration, mostly short, that ends before the healing. */
  public final long lasting(Duration longest) {
    long most = random.nextInt(3) == 0 ? longest.toNanos() : longest.toNanos() / 4;
    long left = world.span().healNanos() - kernel.nowNanos() - 1;
    return Math.min(left, random.nextLong(most / 20, most));
  }

  public final void until(long nanos, Runnable end) {
    kernel.after(
        nanos,
        () -> {
          if (!ended) {
            end.run();
          }
        });
  }

  public final void crash(NodeHost<?> node) {
    if (node.process() != null) {
      struck();
    }
    node.crash();
    node.startAfter(lasting(Duration.ofSeconds(12)));
  }

  public final void crashAtCall(NodeHost<?> node) {
    whenUp(
        node,
        process -> {
          setTrap(
              process,
              random.nextBoolean() ? CallTrap.Kind.CRASH_BEFORE : CallTrap.Kind.CRASH_AFTER);
          until(
              Duration.ofSeconds(15).toNanos(),
              () -> {
                if (process.equals(node.process())) {
                  struck(); // nothing has sprung the trap
                  node.crash();
                } else {
                  process.crash();
                }
                node.startAfter(lasting(Duration.ofSeconds(6)));
              });
        });
  }

  private static void whenUp(NodeHost<?> node, Consumer<NodeRun<?>> fault) {
    NodeRun<?> process = node.process();
    if (process != null) {
      fault.accept(process);
    }
  }

  private void setTrap(NodeRun<?> process, CallTrap.Kind kind) {
    process.set(new CallTrap(kind, anyCall(), random.nextInt(3)));
  }

  public final void failAtCalls(NodeHost<?> node) {
    whenUp(
        node,
        process -> {
          for (int i = random.nextInt(1, 4); i > 0; i--) {
            setTrap(process, CallTrap.Kind.FAIL);
          }
        });
  }

  public final void freeze(NodeHost<?> node) {
    whenUp(
        node,
        process -> {
          struck();
          process.freeze(lasting(Duration.ofSeconds(15)));
        });
  }

  public final void freezeAtCall(NodeHost<?> node) {
    whenUp(node, process -> setTrap(process, CallTrap.Kind.FREEZE));
  }

  public final void stop(NodeHost<?> node) {
    NodeRun<?> process = node.process();
    if (process != null && !process.isStopping()) {
      struck();
      process.stopGracefully(() -> {
        if (process.equals(node.process())) {
          node.crash();
        }
        node.startAfter(ended ? 1 : lasting(Duration.ofSeconds(6)));
      });
    }
  }

  public final void storeAway() {
    world.ledger.note(50, () -> "the store is away");
    struck();
    world.weather.storeAway = true;
    world.nodes.forEach(node -> whenUp(node, NodeRun::storeGone));
    until(
        lasting(Duration.ofSeconds(20)),
        () -> {
          world.ledger.note(51, () -> "the store is back");
          world.weather.storeAway = false;
        });
  }

  public final void storeAwayFor(NodeHost<?> node) {
    NodeRun<?> process = node.process();
    if (process != null) {
      world.ledger.note(52, () -> "the store is away for " + process);
      struck();
      process.storeAway = true;
      process.storeGone();
      until(lasting(Duration.ofSeconds(15)), () -> process.storeAway = false);
    }
  }

  public final void storeSlow() {
    world.ledger.note(53, () -> "the store is slow");
    struck();
    world.weather.storeSlowness = random.nextInt(5, 150);
    until(lasting(Duration.ofSeconds(15)), () -> world.weather.storeSlowness = 1);
  }

  /**
   * The store's clock is set and later set right.
   *
   * @param withNodes true when the clocks of all nodes are set along with it
   */
  public final void storeClockJumps(boolean withNodes) {
    // A step that is taken back within a lapse may fall between two readings.
    long nanos = world.scenario.lapseNanos() + lasting(Duration.ofSeconds(20));
    if (kernel.nowNanos() < mayJumpFromNanos
        || kernel.nowNanos() + nanos > world.span().healNanos()) {
      return;
    }
    mayJumpFromNanos = kernel.nowNanos() + nanos + world.scenario.lapseNanos();
    long far = random.nextLong(300_000_000, LONGEST_JUMP_NANOS);
    long by = random.nextBoolean() ? far : -far;
    world.ledger.note(61, () -> "the store's clock jumps by " + by / 1_000_000 + " ms");
    world.ledger.reached(by < 0 ? STORE_CLOCK_JUMPED_BACK : STORE_CLOCK_JUMPED_FORWARD);
    struck();
    setClocks(by, withNodes);
    until(nanos, () -> setClocks(0, withNodes));
  }

  private void setClocks(long offsetNanos, boolean withNodes) {
    world.storeClock.setOffset(offsetNanos);
    if (withNodes) {
      world.nodes.forEach(node -> node.clock.setOffset(offsetNanos));
    }
  }

  public final void clockWithinBound(NodeHost<?> node) {
    long bound = world.scenario.clockBoundMicros() * 1_000;
    struck();
    node.clock.setOffset(random.nextLong(-bound, bound));
  }

  public final void clockBeyondBound(NodeHost<?> node) {
    long bound = world.scenario.clockBoundMicros() * 1_000;
    long far = random.nextLong(bound, bound * 8);
    world.ledger.note(58, () -> "the clock of " + node + " is wrong by " + far / 1_000_000);
    struck();
    node.clock.setOffset(random.nextBoolean() ? far : -far);
    until(lasting(Duration.ofSeconds(20)), () -> node.clock.setOffset(0));
  }
}
