package io.kairos.testkit.sim;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * What goes wrong and when: at least twenty faults strike in every simulation, of all kinds. One
 * that finds its node down, and a trap that nothing springs, do not count.
 */
final class Faults {
  private static final int FEWEST = 20;
  private static final int KINDS = 22;
  private static final long LAST_ONES_EVERY_NANOS = Duration.ofMillis(50).toNanos();
  private static final long FIRST_NANOS = Duration.ofSeconds(4).toNanos();
  private static final long LAST_NANOS = Scenario.HEAL_AT.minusSeconds(4).toNanos();
  private static final List<Predicate<Operation>> CALLS =
      List.of(
          Operation.Accept.class::isInstance,
          Operation.Claim.class::isInstance,
          Operation.TakeOver.class::isInstance,
          Operation.Delete.class::isInstance,
          Operation.Decide.class::isInstance,
          Operation.Reset.class::isInstance,
          Operation.Defer.class::isInstance,
          Operation.Renew.class::isInstance,
          Trap.SEND::equals,
          Trap.POLL::equals,
          _ -> true);

  private final World world;
  private final Kernel kernel;
  private final SplittableRandom random;
  private boolean ended;
  private int struck;

  Faults(World world, SplittableRandom random) {
    this.world = world;
    this.kernel = world.kernel();
    this.random = random;
  }

  void schedule() {
    int count = random.nextInt(FEWEST, FEWEST + 15);
    for (int i = 0; i < count; i++) {
      int kind = random.nextInt(KINDS);
      kernel.after(random.nextLong(FIRST_NANOS, LAST_NANOS), () -> strike(kind));
    }
    kernel.after(LAST_NANOS, this::strikeUntilThereWereEnough);
  }

  private void strikeUntilThereWereEnough() {
    if (!ended && struck < FEWEST) {
      strike(random.nextInt(KINDS));
      kernel.after(LAST_ONES_EVERY_NANOS, this::strikeUntilThereWereEnough);
    }
  }

  /** Something has gone wrong. */
  void struck() {
    struck++;
  }

  void end() {
    ended = true;
    if (struck < FEWEST) {
      throw new IllegalStateException("only " + struck + " faults have struck");
    }
    for (Topology.Pair pair : world.topology().pairs()) {
      reviveAll(pair.input());
      reviveAll(pair.output());
      reviveAll(pair.deadLetters());
      reviveAll(pair.results());
    }
    reviveAll(Topology.ELSEWHERE);
  }

  private void reviveAll(String topic) {
    for (int partition = 0; partition < world.broker().partitions(topic); partition++) {
      world.broker().setDead(topic, partition, false);
    }
  }

  private void strike(int kind) {
    switch (kind) {
      case 0, 1 -> crash(anyNode());
      case 2, 3, 4 -> crashAtCall(anyNode());
      case 5 -> freeze(anyNode());
      case 6, 20, 21 -> freezeAtCall(anyNode());
      case 7 -> stop(anyNode());
      case 8, 9 -> failAtCalls(anyNode());
      case 10 -> storeAway();
      case 11 -> storeAwayFor(anyNode());
      case 12 -> storeSlow();
      case 13 -> brokerAway();
      case 14 -> brokerSlow();
      case 15 -> partitionDead();
      case 16 -> clockWithinBound(anyNode());
      case 17 -> clockBeyondBound(anyNode());
      case 18 -> rebalance();
      case 19 -> addPartitions();
      default -> throw new IllegalStateException("no such fault: " + kind);
    }
  }

  private SimNode anyNode() {
    return world.nodes().get(random.nextInt(world.nodes().size()));
  }

  private Topology.Pair anyPair() {
    return world.topology().pairs().get(random.nextInt(world.topology().pairs().size()));
  }

  /** A length of time, mostly short, that ends before the healing. */
  private long lasting(Duration longest) {
    long most = random.nextInt(3) == 0 ? longest.toNanos() : longest.toNanos() / 4;
    long left = Scenario.HEAL_AT.toNanos() - kernel.nowNanos() - 1;
    return Math.min(left, random.nextLong(most / 20, most));
  }

  private void until(long nanos, Runnable end) {
    kernel.after(
        nanos,
        () -> {
          if (!ended) {
            end.run();
          }
        });
  }

  private void crash(SimNode node) {
    if (node.process() != null) {
      struck();
    }
    node.crash();
    node.startAfter(lasting(Duration.ofSeconds(12)));
  }

  private void crashAtCall(SimNode node) {
    NodeProcess process = node.process();
    if (process == null) {
      return;
    }
    Trap.Kind kind = random.nextBoolean() ? Trap.Kind.CRASH_BEFORE : Trap.Kind.CRASH_AFTER;
    process.set(new Trap(kind, CALLS.get(random.nextInt(CALLS.size())), random.nextInt(3)));
    until(
        Duration.ofSeconds(15).toNanos(),
        () -> {
          if (process == node.process()) {
            struck(); // nothing has sprung the trap
            node.crash();
          } else {
            process.crash();
          }
          node.startAfter(lasting(Duration.ofSeconds(6)));
        });
  }

  private void failAtCalls(SimNode node) {
    NodeProcess process = node.process();
    if (process != null) {
      for (int i = random.nextInt(1, 4); i > 0; i--) {
        process.set(
            new Trap(Trap.Kind.FAIL, CALLS.get(random.nextInt(CALLS.size())), random.nextInt(3)));
      }
    }
  }

  private void freeze(SimNode node) {
    NodeProcess process = node.process();
    if (process != null) {
      struck();
      process.freeze(lasting(Duration.ofSeconds(15)));
    }
  }

  private void freezeAtCall(SimNode node) {
    NodeProcess process = node.process();
    if (process != null) {
      process.set(
          new Trap(Trap.Kind.FREEZE, CALLS.get(random.nextInt(CALLS.size())), random.nextInt(3)));
    }
  }

  private void stop(SimNode node) {
    NodeProcess process = node.process();
    if (process != null && !process.isStopping()) {
      struck();
      process.stopGracefully(() -> {
        if (process == node.process()) {
          node.crash();
        }
        node.startAfter(ended ? 1 : lasting(Duration.ofSeconds(6)));
      });
    }
  }

  private void storeAway() {
    world.ledger().note(50, () -> "the store is away");
    struck();
    world.weather().storeAway = true;
    for (SimNode node : world.nodes()) {
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

  private void storeAwayFor(SimNode node) {
    NodeProcess process = node.process();
    if (process != null) {
      world.ledger().note(52, () -> "the store is away for " + process);
      struck();
      process.storeAway = true;
      process.storeGone();
      until(lasting(Duration.ofSeconds(15)), () -> process.storeAway = false);
    }
  }

  private void storeSlow() {
    world.ledger().note(53, () -> "the store is slow");
    struck();
    world.weather().storeSlowness = random.nextInt(5, 150);
    until(lasting(Duration.ofSeconds(15)), () -> world.weather().storeSlowness = 1);
  }

  private void brokerAway() {
    world.ledger().note(54, () -> "the broker is away");
    struck();
    world.broker().setAway(true);
    until(
        lasting(Duration.ofSeconds(15)),
        () -> {
          world.ledger().note(55, () -> "the broker is back");
          world.broker().setAway(false);
        });
  }

  private void brokerSlow() {
    world.ledger().note(56, () -> "the broker is slow");
    struck();
    world.weather().brokerSlowness = random.nextInt(5, 800);
    world.weather().lostAcksPerMille = random.nextInt(300);
    until(
        lasting(Duration.ofSeconds(15)),
        () -> {
          world.weather().brokerSlowness = 1;
          world.weather().lostAcksPerMille = 4;
        });
  }

  private void partitionDead() {
    Topology.Pair pair = anyPair();
    String topic =
        switch (random.nextInt(6)) {
          case 0 -> pair.deadLetters();
          case 1 -> pair.results();
          case 2 -> Topology.ELSEWHERE;
          default -> pair.output();
        };
    int partition = random.nextInt(world.broker().partitions(topic));
    world.ledger().note(57, () -> topic + "-" + partition + " is dead");
    struck();
    world.broker().setDead(topic, partition, true);
    until(lasting(Duration.ofSeconds(80)), () -> world.broker().setDead(topic, partition, false));
  }

  private void clockWithinBound(SimNode node) {
    long bound = world.scenario().clockBoundMicros() * 1_000;
    struck();
    node.clock().setOffset(random.nextLong(-bound, bound));
  }

  private void clockBeyondBound(SimNode node) {
    long bound = world.scenario().clockBoundMicros() * 1_000;
    long far = random.nextLong(bound, bound * 8);
    world.ledger().note(58, () -> "the clock of " + node + " is wrong by " + far / 1_000_000);
    struck();
    node.clock().setOffset(random.nextBoolean() ? far : -far);
    until(lasting(Duration.ofSeconds(20)), () -> node.clock().setOffset(0));
  }

  private void rebalance() {
    Topology.Pair pair = anyPair();
    struck();
    world.broker().rebalance("kairos", pair.input());
    world.ledger().reached(RareState.PARTITIONS_MOVED);
    world.ledger().note(59, () -> "partitions of " + pair.input() + " change hands");
  }

  private void addPartitions() {
    Topology.Pair pair = anyPair();
    String topic = random.nextBoolean() ? pair.input() : pair.output();
    int count = world.broker().partitions(topic);
    if (count < 6) {
      struck();
      world.broker().grow(topic, count + 1);
      world.ledger().reached(RareState.PARTITIONS_ADDED);
      world.ledger().note(60, () -> topic + " gets a partition");
    }
  }
}
