package io.kairos.testkit.sim;

import io.kairos.engine.delay.port.Publisher;
import io.kairos.testkit.delay.ModelBroker;
import io.kairos.testkit.delay.ModelStore;
import io.kairos.testkit.delay.Transit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A simulated cluster: one store, one broker, three nodes that come and go, what producers send and
 * what goes wrong, all drawn from one seed.
 */
final class World {
  private static final List<String> NAMES = List.of("orders", "mails");

  private final Wiring wiring;
  private final Scenario scenario;
  private final Kernel kernel;
  private final Ledger ledger;
  private final Weather weather;
  private final SimClock trueTime;
  private final StoreRules storeRules;
  private final PublishRules publishRules;
  private final ModelStore store;
  private final SimStore.Backend backend;
  private final ModelBroker broker;
  private final Publisher partitioner;
  private final Topology topology;
  private final List<SimNode> nodes = new ArrayList<>();
  private final Map<String, Integer> knownPartitions = new HashMap<>();
  private final SplittableRandom nodeIds;
  private final Workload workload;
  private final Faults faults;
  private Runnable atEnd = () -> {};

  World(long seed, Wiring wiring, boolean keepsLines) {
    SplittableRandom random = new SplittableRandom(seed);
    this.wiring = wiring;
    this.scenario = Scenario.draw(random.split());
    this.kernel = new Kernel(random.split(), this::program);
    this.ledger = new Ledger(kernel, keepsLines);
    this.weather = new Weather(random.split(), scenario);
    this.trueTime = new SimClock(kernel);
    this.storeRules = new StoreRules(ledger, scenario, trueTime);
    this.store = new ModelStore(trueTime, storeRules);
    this.backend =
        new SimStore.Backend(
            wiring.messages(store), wiring.amendments(store), wiring.liveness(store));
    this.broker = new ModelBroker(trueTime);
    this.partitioner = broker.publisher(Transit.IMMEDIATE);
    this.topology = createTopics(random.split());
    this.publishRules =
        new PublishRules(
            ledger,
            scenario,
            storeRules,
            trueTime,
            partitioner,
            topology.pairs().stream().map(Topology.Pair::topics).toList());
    this.nodeIds = random.split();
    this.workload = new Workload(this, random.split());
    this.faults = new Faults(this, random.split());
    for (int i = 0; i < Scenario.NODES; i++) {
      nodes.add(new SimNode(this, "node-" + (i + 1)));
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

  /** Lets it run; the callback comes when all is over. */
  void start(Runnable whenOver) {
    atEnd = whenOver;
    kernel.start();
  }

  private void program() {
    try {
      for (SimNode node : nodes) {
        node.startAfter(weather.random().nextLong(2_000_000_000L));
      }
      workload.schedule();
      faults.schedule();
      kernel.runUntil(Scenario.HEAL_AT.toNanos());
      if (kernel.failure() == null) {
        heal();
        kernel.runUntil(Scenario.END_AT.toNanos());
      }
      if (kernel.failure() == null) {
        new FinalRules(ledger, scenario).check();
      }
    } catch (Throwable e) {
      kernel.fail(e);
    } finally {
      nodes.forEach(SimNode::end);
      kernel.killAll();
      atEnd.run();
    }
  }

  private void heal() {
    ledger.note(30, () -> "all faults end");
    faults.end();
    weather.heal();
    broker.setAway(false);
    for (SimNode node : nodes) {
      node.heal(weather.random().nextLong(-8_000_000, 8_000_000));
    }
  }

  Kernel kernel() {
    return kernel;
  }

  Wiring wiring() {
    return wiring;
  }

  Scenario scenario() {
    return scenario;
  }

  Ledger ledger() {
    return ledger;
  }

  Weather weather() {
    return weather;
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

  Faults faults() {
    return faults;
  }

  SimClock trueTime() {
    return trueTime;
  }

  List<SimNode> nodes() {
    return nodes;
  }

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
