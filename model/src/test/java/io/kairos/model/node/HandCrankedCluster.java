package io.kairos.model.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.kairos.domain.delay.ControlHeaders;
import io.kairos.domain.delay.InputRecord;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.engine.delay.DelayNode;
import io.kairos.engine.delay.port.LongHeldMessage;
import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.delay.port.SendCallback;
import io.kairos.engine.delay.port.SendResult;
import io.kairos.engine.delay.setup.DelayConfig;
import io.kairos.engine.delay.setup.DelayEvents;
import io.kairos.engine.delay.setup.DelayPorts;
import io.kairos.engine.delay.setup.Route;
import io.kairos.engine.loop.StepActivity;
import io.kairos.engine.node.LivenessEvents;
import io.kairos.engine.node.LivenessPorts;
import io.kairos.engine.node.NodeLife;
import io.kairos.engine.poll.StepPolling;
import io.kairos.model.delay.ModelBroker;
import io.kairos.model.delay.ModelDelayStore;
import io.kairos.model.delay.ModelInputSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Nodes of one route that share a store and a broker. A send is answered after a millisecond, one
 * that finds its partition dead or the broker away after the publish timeout.
 */
final class HandCrankedCluster {
  static final String IN = "in";
  static final String OUT = "out";
  static final String ELSEWHERE = "elsewhere";
  static final String DEAD_LETTERS = "dead";
  private static final Duration ANSWER = Duration.ofMillis(1);

  final HandCrank time = new HandCrank();
  final ModelDelayStore store = new ModelDelayStore(time.clock());
  final ModelBroker broker = new ModelBroker(time.clock());
  final RouteId route = store.route("r");
  final DelayConfig config;

  /** Holders that other nodes suspected. */
  final List<NodeId> suspected = new ArrayList<>();

  /** Outputs allowed for nodes that are started from now on. */
  Set<MessageOutput> allowedOutputs = Set.of(new TopicName(ELSEWHERE));

  int deferred;

  /** Polling of each node, in the order of their start. */
  final List<StepPolling> pollings = new ArrayList<>();

  /** True when nodes that start from now on look for work without being polled. */
  boolean loopsInside = true;

  private final Map<DelayNode, NodeLife> lives = new HashMap<>();
  private int nodes;

  HandCrankedCluster(DelayConfig config) {
    this.config = config;
    broker.createTopic(IN, 1);
    broker.createTopic(OUT, 4);
    broker.createTopic(ELSEWHERE, 1);
    broker.createTopic(DEAD_LETTERS, 1);
  }

  DelayNode startNode() {
    return startNode(publisher -> publisher);
  }

  /** Starts a node with something between it and the broker; the first one reads the input. */
  DelayNode startNode(UnaryOperator<Publisher> around) {
    int number = ++nodes;
    ModelInputSource source = broker.join("kairos", IN, 1_000, time::wakeup);
    NodeLife life =
        new NodeLife(
            config.liveness(),
            new LivenessPorts(
                store,
                time.clock(),
                time::nanos,
                time::wakeup,
                () -> new NodeId(new UUID(number, number)),
                LivenessEvents.NONE));
    DelayNode node =
        new DelayNode(
            config,
            List.of(
                new Route(
                    route,
                    "r",
                    IN,
                    new TopicName(OUT),
                    allowedOutputs,
                    new TopicName(DEAD_LETTERS),
                    null,
                    false,
                    false,
                    null,
                    source)),
            life,
            new DelayPorts(
                store,
                store,
                around.apply(broker.publisher(this::carry)),
                time.clock(),
                time::nanos,
                time::wakeup,
                () -> Duration.ZERO,
                new Listener()));
    lives.put(node, life);
    List<StepActivity> activities = new ArrayList<>(life.activities());
    activities.addAll(node.activities());
    StepPolling polling = new StepPolling(activities, loopsInside);
    pollings.add(polling);
    polling.activities().forEach(time::drive);
    time.pass(Duration.ofSeconds(3)); // until it judges others
    return node;
  }

  /** The id under which a node lives at present. */
  NodeId idOf(DelayNode node) {
    return requireNonNull(lives.get(node)).id().orElseThrow();
  }

  private void carry(OutgoingRecord outgoing, Supplier<SendResult> write, SendCallback callback) {
    time.completeAfter(
        ANSWER,
        () -> {
          SendResult result = write.get();
          if (result instanceof SendResult.Failed) {
            time.completeAfter(config.firing().publishTimeout(), () -> callback.completed(result));
          } else {
            callback.completed(result);
          }
        });
  }

  /** Submits a message for that partition of the output. */
  void submit(String id, Duration delay, int partition) {
    submit(id, delay, keyOf(partition), null, 10);
  }

  void submit(
      String id, Duration delay, byte @Nullable [] key, @Nullable String output, int bytes) {
    List<MessageHeader> headers = new ArrayList<>();
    headers.add(new MessageHeader(ControlHeaders.ID, id.getBytes(UTF_8)));
    Instant due = time.clock().instant().plus(delay);
    headers.add(new MessageHeader(ControlHeaders.DUE_AT, due.toString().getBytes(UTF_8)));
    if (output != null) {
      headers.add(new MessageHeader(ControlHeaders.OUTPUT_TOPIC, output.getBytes(UTF_8)));
    }
    headers.add(new MessageHeader("name", id.getBytes(UTF_8)));
    broker.produce(IN, 0, time.clock().millis(), key, new byte[bytes], headers);
  }

  byte[] keyOf(int partition) {
    Publisher partitioner = broker.publisher(this::carry);
    int partitions = broker.partitions(OUT);
    return IntStream.range(0, 1_000)
        .mapToObj(i -> Integer.toString(i).getBytes(UTF_8))
        .filter(key -> partitioner.partitionFor(key, partitions) == partition)
        .findFirst()
        .orElseThrow();
  }

  /** Ids of what came out, in the order of the partitions. */
  List<String> published(String topic) {
    List<String> ids = new ArrayList<>();
    for (int partition = 0; partition < broker.partitions(topic); partition++) {
      ids.addAll(published(topic, partition));
    }
    return ids;
  }

  List<String> published(String topic, int partition) {
    return broker.records(topic, partition).stream().map(HandCrankedCluster::nameOf).toList();
  }

  private static String nameOf(InputRecord outgoing) {
    for (MessageHeader header : outgoing.headers()) {
      byte[] value = header.value();
      if (header.name().equals("name") && value != null) {
        return new String(value, UTF_8);
      }
    }
    throw new AssertionError("a record of nobody: " + outgoing);
  }

  private final class Listener implements DelayEvents {
    @Override
    public void suspected(NodeId holder, List<LongHeldMessage> reset) {
      suspected.add(holder);
    }

    @Override
    public void deferred(int count) {
      deferred += count;
    }
  }
}
