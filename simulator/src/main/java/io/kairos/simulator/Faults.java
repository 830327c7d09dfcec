package io.kairos.simulator;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * What goes wrong and when: at least twenty faults strike in every simulation, of all kinds. One
 * that finds its node down, and a trap that nothing springs, do not count. What can befall nodes of
 * any kind is here.
 */
abstract class Faults {
  private static final int FEWEST = 20;
  private static final long LAST_ONES_EVERY_NANOS = Duration.ofMillis(50).toNanos();
  private static final long LAST_BEFORE_HEAL_NANOS = Duration.ofSeconds(4).toNanos();
  private static final long FIRST_NANOS = Duration.ofSeconds(4).toNanos();
  private final World world;
  private final Kernel kernel;
  private final SplittableRandom random;
  private final int kinds;
  private final List<Predicate<Operation>> calls;
  private boolean ended;
  private int struck;

  /**
   * @param kinds how many {@link #strike} knows
   * @param calls at which nodes crash, stand still and fail
   */
  Faults(World world, SplittableRandom random, int kinds, List<Predicate<Operation>> calls) {
    this.world = world;
    this.kinds = kinds;
    this.calls = List.copyOf(calls);
    this.kernel = world.kernel();
    this.random = random;
  }

  final void schedule() {
    long lastNanos = world.span().healNanos() - LAST_BEFORE_HEAL_NANOS;
    int count = random.nextInt(FEWEST, FEWEST + 15);
    for (int i = 0; i < count; i++) {
      int kind = random.nextInt(kinds);
      kernel.after(random.nextLong(FIRST_NANOS, lastNanos), () -> strike(kind));
    }
    kernel.after(lastNanos, this::strikeUntilThereWereEnough);
  }

  private void strikeUntilThereWereEnough() {
    if (!ended && struck < FEWEST) {
      strike(random.nextInt(kinds));
      kernel.after(LAST_ONES_EVERY_NANOS, this::strikeUntilThereWereEnough);
    }
  }

  /** Something has gone wrong. */
  final void struck() {
    struck++;
  }

  void end() {
    ended = true;
    if (struck < FEWEST) {
      throw new IllegalStateException("only " + struck + " faults have struck");
    }
  }

  /** Something goes wrong, of one of the kinds. */
  abstract void strike(int kind);

  private Predicate<Operation> anyCall() {
    return calls.get(random.nextInt(calls.size()));
  }

  final SimNode<?> anyNode() {
    return world.nodes().get(random.nextInt(world.nodes().size()));
  }

  /** A length of time, mostly short, that ends before the healing. */
  final long lasting(Duration longest) {
    long most = random.nextInt(3) == 0 ? longest.toNanos() : longest.toNanos() / 4;
    long left = world.span().healNanos() - kernel.nowNanos() - 1;
    return Math.min(left, random.nextLong(most / 20, most));
  }

  final void until(long nanos, Runnable end) {
    kernel.after(
        nanos,
        () -> {
          if (!ended) {
            end.run();
          }
        });
  }

  final void crash(SimNode<?> node) {
    if (node.process() != null) {
      struck();
    }
    node.crash();
    node.startAfter(lasting(Duration.ofSeconds(12)));
  }

  final void crashAtCall(SimNode<?> node) {
    NodeProcess process = node.process();
    if (process == null) {
      return;
    }
    Trap.Kind kind = random.nextBoolean() ? Trap.Kind.CRASH_BEFORE : Trap.Kind.CRASH_AFTER;
    process.set(new Trap(kind, anyCall(), random.nextInt(3)));
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
  }

  final void failAtCalls(SimNode<?> node) {
    NodeProcess process = node.process();
    if (process != null) {
      for (int i = random.nextInt(1, 4); i > 0; i--) {
        process.set(new Trap(Trap.Kind.FAIL, anyCall(), random.nextInt(3)));
      }
    }
  }

  final void freeze(SimNode<?> node) {
    NodeProcess process = node.process();
    if (process != null) {
      struck();
      process.freeze(lasting(Duration.ofSeconds(15)));
    }
  }

  final void freezeAtCall(SimNode<?> node) {
    NodeProcess process = node.process();
    if (process != null) {
      process.set(new Trap(Trap.Kind.FREEZE, anyCall(), random.nextInt(3)));
    }
  }

  final void stop(SimNode<?> node) {
    NodeProcess process = node.process();
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

  final void storeAway() {
    world.ledger().note(50, () -> "the store is away");
    struck();
    world.weather().storeAway = true;
    for (SimNode<?> node : world.nodes()) {
      NodeProcess process = node.process();
      if (process != null) {
        process.storeGone();
      }
    }
    until(
        lasting(Duration.ofSeconds(20)),
        () -> {
          world.ledger().note(51, () -> "the store is back");
          world.weather().storeAway = false;
        });
  }

  final void storeAwayFor(SimNode<?> node) {
    NodeProcess process = node.process();
    if (process != null) {
      world.ledger().note(52, () -> "the store is away for " + process);
      struck();
      process.storeAway = true;
      process.storeGone();
      until(lasting(Duration.ofSeconds(15)), () -> process.storeAway = false);
    }
  }

  final void storeSlow() {
    world.ledger().note(53, () -> "the store is slow");
    struck();
    world.weather().storeSlowness = random.nextInt(5, 150);
    until(lasting(Duration.ofSeconds(15)), () -> world.weather().storeSlowness = 1);
  }

  final void clockWithinBound(SimNode<?> node) {
    long bound = world.scenario().clockBoundMicros() * 1_000;
    struck();
    node.clock().setOffset(random.nextLong(-bound, bound));
  }

  final void clockBeyondBound(SimNode<?> node) {
    long bound = world.scenario().clockBoundMicros() * 1_000;
    long far = random.nextLong(bound, bound * 8);
    world.ledger().note(58, () -> "the clock of " + node + " is wrong by " + far / 1_000_000);
    struck();
    node.clock().setOffset(random.nextBoolean() ? far : -far);
    until(lasting(Duration.ofSeconds(20)), () -> node.clock().setOffset(0));
  }
}
