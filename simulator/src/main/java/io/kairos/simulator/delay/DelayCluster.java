package io.kairos.simulator.delay;

import io.kairos.engine.delay.port.Publisher;
import io.kairos.model.delay.ModelBroker;
import io.kairos.model.delay.ModelDelayStore;
import io.kairos.model.delay.RecordTransit;
import io.kairos.simulator.kernel.ClusterFaults;
import io.kairos.simulator.kernel.ClusterScenario;
import io.kairos.simulator.kernel.NodeHost;
import io.kairos.simulator.kernel.PortCall;
import io.kairos.simulator.kernel.SimulatedCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** A cluster of the delay queue: one store, one broker, three nodes, and what producers send. */
public final class DelayCluster extends SimulatedCluster {
  private static final List<String> NAMES = List.of("orders", "mails");

  final DelayWiring wiring;
  private final DelayHistory ledger;
  final DelayStoreRules storeRules;
  final DelayPublishRules publishRules;
  private final ModelDelayStore store;
  final FaultyDelayStore.Backend backend;
  final ModelBroker broker;
  final Publisher partitioner;
  final DelayTopology topology;
  private final List<NodeHost<DelayNodeRun>> nodes = new ArrayList<>();
  private final Map<String, Integer> knownPartitions = new HashMap<>();
  private final SplittableRandom nodeIds;
  final DelayWorkload workload;
  private final ClusterFaults faults;

  public DelayCluster(long seed, DelayWiring wiring, boolean keepsLines) {
    this(new SplittableRandom(seed), wiring, keepsLines);
  }

  private DelayCluster(SplittableRandom random, DelayWiring wiring, boolean keepsLines) {
    super(random, new Span(ClusterScenario.HEAL_AT, ClusterScenario.END_AT));
    this.wiring = wiring;
    this.ledger = new DelayHistory(kernel, keepsLines);
    this.storeRules = new DelayStoreRules(ledger, scenario, trueTime, lives);
    this.store = new ModelDelayStore(trueTime, storeRules);
    this.backend =
        new FaultyDelayStore.Backend(
            wiring.messages(store), wiring.amendments(store), wiring.liveness(store));
    this.broker = new ModelBroker(trueTime);
    this.partitioner = broker.publisher(RecordTransit.IMMEDIATE);
    this.topology = createTopics(random.split());
    this.publishRules =
        new DelayPublishRules(
            ledger,
            scenario,
            lives,
            trueTime,
            partitioner,
            topology.pairs().stream().map(DelayTopology.Pair::topics).toList());
    this.nodeIds = random.split();
    this.workload = new DelayWorkload(this, random.split());
    this.faults = new DelayFaults(this, random.split());
    for (int i = 0; i < ClusterScenario.NODES; i++) {
      nodes.add(
          new NodeHost<>(
              this, "node-" + (i + 1), (run, clock) -> new DelayNodeRun(this, run, clock)));
    }
  }

  private DelayTopology createTopics(SplittableRandom random) {
    List<DelayTopology.Pair> pairs = new ArrayList<>();
    for (String name : NAMES) {
      DelayTopology.Pair pair = new DelayTopology.Pair(store.route(name), name, !pairs.isEmpty());
      broker.createTopic(pair.input(), random.nextInt(1, 5));
      broker.createTopic(pair.output(), random.nextInt(1, 5));
      broker.createTopic(pair.deadLetters(), 1);
      broker.limitRecords(pair.output(), ClusterScenario.MAX_RECORD_BYTES);
      broker.createTopic(pair.results(), random.nextInt(1, 3));
      pairs.add(pair);
    }
    broker.createTopic(DelayTopology.ELSEWHERE, 2);
    broker.limitRecords(DelayTopology.ELSEWHERE, ClusterScenario.MAX_RECORD_BYTES);
    return new DelayTopology(pairs);
  }

  @Override
  public void scheduleWork() {
    workload.schedule();
  }

  @Override
  public void healed() {
    broker.setAway(false);
  }

  @Override
  public void judge() {
    new DelayFinalRules(ledger, scenario).check();
  }

  @Override
  public <T> T carryOut(PortCall operation, Supplier<T> effect) {
    return storeRules.during(operation, effect);
  }

  @Override
  public DelayHistory ledger() {
    return ledger;
  }

  @Override
  public ClusterFaults faults() {
    return faults;
  }

  @Override
  public List<NodeHost<DelayNodeRun>> nodes() {
    return nodes;
  }

  @Override
  public long nextNodeBits() {
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
