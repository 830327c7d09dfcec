package io.kairos.simulator.delay;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.AmendmentStore;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.node.LivenessStore;
import io.kairos.model.delay.ModelBroker;
import io.kairos.model.delay.ModelDelayStore;
import io.kairos.model.delay.RecordTransit;
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
import org.jspecify.annotations.Nullable;

/** A cluster of the delay queue: one store, one broker, three nodes, and what producers send. */
public final class DelayCluster extends SimulatedCluster<DelayNodeRun, DelayHistory> {
  private static final List<String> NAMES = List.of("orders", "mails");

  final DelayWiring wiring;
  final DelayStoreRules storeRules;
  final DelayPublishRules publishRules;
  private final ModelDelayStore store;
  final MessageStore messages;
  final AmendmentStore amendments;
  final LivenessStore liveness;
  final ModelBroker broker;
  final Publisher partitioner;
  final DelayTopology topology;
  private final Map<String, Integer> knownPartitions = new HashMap<>();
  final DelayWorkload workload;

  public DelayCluster(long seed, DelayWiring wiring, boolean keepsLines) {
    this(new SplittableRandom(seed), wiring, keepsLines);
  }

  private DelayCluster(SplittableRandom random, DelayWiring wiring, boolean keepsLines) {
    super(
        random,
        new Span(ClusterScenario.HEAL_AT, ClusterScenario.END_AT),
        kernel -> new DelayHistory(kernel, keepsLines));
    this.wiring = wiring;
    this.storeRules = new DelayStoreRules(this);
    this.store = new ModelDelayStore(storeClock, storeRules);
    this.messages = wiring.messages(store);
    this.amendments = wiring.amendments(store);
    this.liveness = wiring.liveness(store);
    this.broker = new ModelBroker(trueTime);
    this.partitioner = broker.publisher(RecordTransit.IMMEDIATE);
    this.topology = createTopics(random.split());
    this.publishRules = new DelayPublishRules(this);
    SplittableRandom ids = random.split();
    this.workload = new DelayWorkload(this, random.split());
    addNodes(
        ids,
        new DelayFaults(this, random.split()),
        (run, clock) -> new DelayNodeRun(this, run, clock));
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

  /** The running process with this id now or before; null when it has died. */
  @Nullable DelayNodeRun runOf(NodeId life) {
    for (NodeHost<DelayNodeRun> host : nodes) {
      DelayNodeRun run = host.process();
      if (run != null && run.hasLived(life)) {
        return run;
      }
    }
    return null;
  }

  /**
   * The number of partitions as a client knows it, which does not change while the broker is away.
   */
  int partitionsOf(String topic) {
    if (!broker.isAway()) {
      knownPartitions.put(topic, broker.partitions(topic));
    }
    return knownPartitions.getOrDefault(topic, 0);
  }
}
