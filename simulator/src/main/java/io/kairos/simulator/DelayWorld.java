package io.kairos.simulator;

import io.kairos.engine.delay.port.Publisher;
import io.kairos.testkit.delay.ModelBroker;
import io.kairos.testkit.delay.ModelStore;
import io.kairos.testkit.delay.Transit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** A cluster of the delay queue: one store, one broker, three nodes, and what producers send. */
final class DelayWorld extends World {
  private static final Span SPAN = new Span(Scenario.HEAL_AT.toNanos(), Scenario.END_AT.toNanos());
  private static final List<String> NAMES = List.of("orders", "mails");

  private final Wiring wiring;
  private final Ledger ledger;
  private final StoreRules storeRules;
  private final PublishRules publishRules;
  private final ModelStore store;
  private final SimStore.Backend backend;
  private final ModelBroker broker;
  private final Publisher partitioner;
  private final Topology topology;
  private final List<SimNode<DelayProcess>> nodes = new ArrayList<>();
  private final Map<String, Integer> knownPartitions = new HashMap<>();
  private final SplittableRandom nodeIds;
  private final Workload workload;
  private final Faults faults;

  DelayWorld(long seed, Wiring wiring, boolean keepsLines) {
    this(new SplittableRandom(seed), wiring, keepsLines);
  }

  private DelayWorld(SplittableRandom random, Wiring wiring, boolean keepsLines) {
    super(random);
    this.wiring = wiring;
    this.ledger = new Ledger(kernel(), keepsLines);
    this.storeRules = new StoreRules(ledger, scenario(), trueTime(), lives());
    this.store = new ModelStore(trueTime(), storeRules);
    this.backend =
        new SimStore.Backend(
            wiring.messages(store), wiring.amendments(store), wiring.liveness(store));
    this.broker = new ModelBroker(trueTime());
    this.partitioner = broker.publisher(Transit.IMMEDIATE);
    this.topology = createTopics(random.split());
    this.publishRules =
        new PublishRules(
            ledger,
            scenario(),
            lives(),
            trueTime(),
            partitioner,
            topology.pairs().stream().map(Topology.Pair::topics).toList());
    this.nodeIds = random.split();
    this.workload = new Workload(this, random.split());
    this.faults = new DelayFaults(this, random.split());
    for (int i = 0; i < Scenario.NODES; i++) {
      nodes.add(
          new SimNode<>(
              this, "node-" + (i + 1), (run, clock) -> new DelayProcess(this, run, clock)));
    }
  }

  private Topology createTopics(SplittableRandom random) {
    List<Topology.Pair> pairs = new ArrayList<>();
    for (String name : NAMES) {
      Topology.Pair pair = new Topology.Pair(store.route(name), name, !pairs.isEmpty());
      broker.createTopic(pair.input(), random.nextInt(1, 5));
      broker.createTopic(pair.output(), random.nextInt(1, 5));
      broker.createTopic(pair.deadLetters(), 1);
      broker.limitRecords(pair.output(), Scenario.MAX_RECORD_BYTES);
      broker.createTopic(pair.results(), random.nextInt(1, 3));
      pairs.add(pair);
    }
    broker.createTopic(Topology.ELSEWHERE, 2);
    broker.limitRecords(Topology.ELSEWHERE, Scenario.MAX_RECORD_BYTES);
    return new Topology(pairs);
  }

  @Override
  Span span() {
    return SPAN;
  }

  @Override
  void scheduleWork() {
    workload.schedule();
  }

  @Override
  void healed() {
    broker.setAway(false);
  }

  @Override
  void judge() {
    new FinalRules(ledger, scenario()).check();
  }

  @Override
  <T> T carryOut(Operation operation, Supplier<T> effect) {
    return storeRules.during(operation, effect);
  }

  Wiring wiring() {
    return wiring;
  }

  @Override
  Ledger ledger() {
    return ledger;
  }

  StoreRules storeRules() {
    return storeRules;
  }

  PublishRules publishRules() {
    return publishRules;
  }

  SimStore.Backend backend() {
    return backend;
  }

  ModelBroker broker() {
    return broker;
  }

  Publisher partitioner() {
    return partitioner;
  }

  Topology topology() {
    return topology;
  }

  Workload workload() {
    return workload;
  }

  @Override
  Faults faults() {
    return faults;
  }

  @Override
  List<SimNode<DelayProcess>> nodes() {
    return nodes;
  }

  @Override
  long nextNodeBits() {
    return nodeIds.nextLong();
  }

  /** As a client knows it: while the broker is away it knows what it knew. */
  int partitionsOf(String topic) {
    if (!broker.isAway()) {
      knownPartitions.put(topic, broker.partitions(topic));
    }
    return knownPartitions.getOrDefault(topic, 0);
  }
}
