package io.kairos.model.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import io.kairos.domain.delay.InputRecord;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.delay.setup.DelayConfig;
import io.kairos.engine.delay.setup.DelayEvents;
import io.kairos.engine.delay.setup.DelayPorts;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.node.LivenessConfig;
import io.kairos.engine.node.LivenessEvents;
import io.kairos.engine.node.LivenessPorts;
import io.kairos.engine.node.NodeLife;
import io.kairos.engine.time.MonotonicClock;
import io.kairos.model.delay.ModelBroker;
import io.kairos.model.delay.ModelDelayStore;
import io.kairos.model.delay.RecordTransit;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The models and a clock that stands still until somebody waits: then it moves on by the length of
 * the wait, and what a test wants to happen meanwhile happens. One thread.
 */
final class CrankedWorld {
  /** The bound of routes that are made from now on; null for none. */
  @Nullable Duration rejectBeyond;

  private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

  private long nanos;
  private Duration wallOffset = Duration.ZERO;
  private @Nullable Runnable meanwhile;
  private long lastNode;
  private Predicate<OutgoingRecord> silent = _ -> false;
  private final List<Runnable> unanswered = new ArrayList<>();

  /** The nodes' clock; the store's is without the offset. */
  final InstantSource clock = () -> trueTime().plus(wallOffset);

  final MonotonicClock monotonic = () -> nanos;
  final ModelDelayStore store = new ModelDelayStore(this::trueTime);
  final ModelBroker broker = new ModelBroker(this::trueTime);

  Instant trueTime() {
    return START.plusNanos(nanos);
  }

  void letPass(Duration duration) {
    nanos += duration.toNanos();
  }

  /** Steps the nodes' wall clock. */
  void setWallOffset(Duration offset) {
    wallOffset = offset;
  }

  /** From now on no send is answered, or all are again. */
  void setSilent(boolean isSilent) {
    silent = _ -> isSilent;
  }

  /** From now on this partition answers no send, all others do. */
  void setSilent(String topic, int partition) {
    silent = record -> record.topic().equals(topic) && record.partition() == partition;
  }

  /** Delivers and answers now what was sent without an answer. */
  void answer() {
    List<Runnable> all = List.copyOf(unanswered);
    unanswered.clear();
    all.forEach(Runnable::run);
  }

  /** Happens once, when next somebody waits. */
  void meanwhile(Runnable action) {
    meanwhile = action;
  }

  /** Ports on the models; a test may wrap some of them. */
  DelayPorts ports(DelayEvents events) {
    return new DelayPorts(
        store,
        store,
        broker.publisher((record, write, callback) -> {
          if (silent.test(record)) {
            unanswered.add(() -> callback.completed(write.get()));
          } else {
            callback.completed(write.get());
          }
        }),
        clock,
        monotonic,
        this::wakeup,
        () -> Duration.ZERO,
        events);
  }

  /** The life of a node in this world. */
  NodeLife life(LivenessConfig config) {
    return new NodeLife(
        config,
        new LivenessPorts(
            store,
            clock,
            monotonic,
            this::wakeup,
            () -> new NodeId(new UUID(0x4000, 0x8000_0000_0000_0000L | ++lastNode)),
            LivenessEvents.NONE));
  }

  /** A node with routes of these names, whose topics are named after them. */
  CrankedNode node(DelayPorts ports, String... routes) {
    return new CrankedNode(this, DelayConfig.defaults(), ports, routes);
  }

  CrankedNode node(String... routes) {
    return node(ports(DelayEvents.NONE), routes);
  }

  /** Copies the ports with another message store. */
  static DelayPorts with(MessageStore messages, DelayPorts ports) {
    return new DelayPorts(
        messages,
        ports.amendments(),
        ports.publisher(),
        ports.clock(),
        ports.monotonic(),
        ports.wakeups(),
        ports.pollJitter(),
        ports.events());
  }

  void createTopics(String route, int partitions) {
    for (String role : List.of("-in", "-out", "-dead", "-results")) {
      broker.createTopic(route + role, partitions);
    }
  }

  /** Sends a record with these headers, name by name, to partition 0 of the route's input. */
  void send(String route, String key, String... headers) {
    List<MessageHeader> list = new ArrayList<>();
    for (int i = 0; i < headers.length; i += 2) {
      list.add(new MessageHeader(headers[i], headers[i + 1].getBytes(UTF_8)));
    }
    broker.produce(
        route + "-in", 0, trueTime().toEpochMilli(), key.getBytes(UTF_8), new byte[1], list);
  }

  /** A key that the standard partitioner sends to this one of so many partitions. */
  String keyOf(int partition, int partitions) {
    Publisher partitioner = broker.publisher(RecordTransit.IMMEDIATE);
    int i = 0;
    while (partitioner.partitionFor(("key" + i).getBytes(UTF_8), partitions) != partition) {
      i++;
    }
    return "key" + i;
  }

  List<InputRecord> records(String topic) {
    return broker.records(topic, 0);
  }

  /** The values of these headers of each record, as one text. */
  List<String> headers(String topic, String... names) {
    return records(topic).stream()
        .map(record -> Arrays.stream(names).map(name -> header(record, name)).collect(joining(" ")))
        .toList();
  }

  private static String header(InputRecord record, String name) {
    for (MessageHeader header : record.headers()) {
      byte[] value = header.value();
      if (header.name().equals(name) && value != null) {
        return new String(value, UTF_8);
      }
    }
    return "-";
  }

  Wakeup wakeup() {
    return new Wakeup() {
      private boolean signalled;

      @Override
      public void signal() {
        signalled = true;
      }

      @Override
      public void await(Duration atMost) {
        Runnable now = meanwhile;
        meanwhile = null;
        if (now != null) {
          now.run();
        }
        if (!signalled) {
          letPass(atMost);
        }
        signalled = false;
      }
    };
  }
}
