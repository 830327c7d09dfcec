package io.kairos.simulator.delay;

import static io.kairos.simulator.kernel.RareState.PARTITIONS_ADDED;
import static io.kairos.simulator.kernel.RareState.PARTITIONS_MOVED;

import io.kairos.simulator.kernel.CallTrap;
import io.kairos.simulator.kernel.ClusterFaults;
import io.kairos.simulator.kernel.PortCall;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/** Faults of a cluster of the delay queue: of nodes, of the broker and of its partitions. */
final class DelayFaults extends ClusterFaults<DelayCluster> {
  private static final int KINDS = 23;
  private static final List<Predicate<PortCall>> CALLS =
      List.of(
          PortCall.Accept.class::isInstance,
          PortCall.Claim.class::isInstance,
          PortCall.TakeOver.class::isInstance,
          PortCall.Delete.class::isInstance,
          PortCall.Decide.class::isInstance,
          PortCall.Reset.class::isInstance,
          PortCall.Defer.class::isInstance,
          PortCall.Renew.class::isInstance,
          CallTrap.SEND::equals,
          CallTrap.POLL::equals,
          _ -> true);

  DelayFaults(DelayCluster world, SplittableRandom random) {
    super(world, random, KINDS, CALLS);
  }

  @Override
  public void end() {
    super.end();
    for (DelayTopology.Pair pair : world.topology.pairs()) {
      reviveAll(pair.input());
      reviveAll(pair.output());
      reviveAll(pair.deadLetters());
      reviveAll(pair.results());
    }
    reviveAll(DelayTopology.ELSEWHERE);
  }

  private void reviveAll(String topic) {
    for (int partition = 0; partition < world.broker.partitions(topic); partition++) {
      world.broker.setDead(topic, partition, false);
    }
  }

  @Override
  public void strike(int kind) {
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
      case 22 -> storeClockJumps(false);
      default -> throw new IllegalStateException("no such fault: " + kind);
    }
  }

  private DelayTopology.Pair anyPair() {
    return world.topology.pairs().get(random.nextInt(world.topology.pairs().size()));
  }

  private void brokerAway() {
    world.ledger.note(54, () -> "the broker is away");
    struck();
    world.broker.setAway(true);
    until(
        lasting(Duration.ofSeconds(15)),
        () -> {
          world.ledger.note(55, () -> "the broker is back");
          world.broker.setAway(false);
        });
  }

  private void brokerSlow() {
    world.ledger.note(56, () -> "the broker is slow");
    struck();
    world.weather.brokerSlowness = random.nextInt(5, 800);
    world.weather.lostAcksPerMille = random.nextInt(300);
    until(
        lasting(Duration.ofSeconds(15)),
        () -> {
          world.weather.brokerSlowness = 1;
          world.weather.lostAcksPerMille = 4;
        });
  }

  private void partitionDead() {
    DelayTopology.Pair pair = anyPair();
    String topic =
        switch (random.nextInt(6)) {
          case 0 -> pair.deadLetters();
          case 1 -> pair.results();
          case 2 -> DelayTopology.ELSEWHERE;
          default -> pair.output();
        };
    int partition = random.nextInt(world.broker.partitions(topic));
    world.ledger.note(57, () -> topic + "-" + partition + " is dead");
    struck();
    world.broker.setDead(topic, partition, true);
    until(lasting(Duration.ofSeconds(80)), () -> world.broker.setDead(topic, partition, false));
  }

  private void rebalance() {
    DelayTopology.Pair pair = anyPair();
    struck();
    world.broker.rebalance("kairos", pair.input());
    world.ledger.reached(PARTITIONS_MOVED);
    world.ledger.note(59, () -> "partitions of " + pair.input() + " change hands");
  }

  private void addPartitions() {
    DelayTopology.Pair pair = anyPair();
    String topic = random.nextBoolean() ? pair.input() : pair.output();
    int count = world.broker.partitions(topic);
    if (count < 6) {
      struck();
      world.broker.grow(topic, count + 1);
      world.ledger.reached(PARTITIONS_ADDED);
      world.ledger.note(60, () -> topic + " gets a partition");
    }
  }
}
