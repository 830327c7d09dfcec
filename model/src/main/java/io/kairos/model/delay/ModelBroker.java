package io.kairos.model.delay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.InputRecord;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.delay.port.SendResult;
import io.kairos.engine.delay.port.TopicId;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.loop.WakeupFactory;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A broker in memory: topics with partitions, consumer groups, and switches for faults (broker
 * away, one partition dead). Makes the two broker ports of the delay queue, which pass the same
 * contract suites as Kafka's. Thread-safe, one call at a time.
 */
public final class ModelBroker implements BrokerFixture {
  /** Kafka's default bound on a record ({@code message.max.bytes}), nearly. */
  public static final int DEFAULT_MAX_RECORD_BYTES = 1 << 20;

  private record GroupKey(String group, String topic) {}

  private record PartitionKey(String topic, int partition) {}

  private final InstantSource clock;

  @GuardedBy("this")
  private final Map<String, Integer> maxRecordBytes = new HashMap<>();

  @GuardedBy("this")
  private final Map<String, List<List<InputRecord>>> topics = new HashMap<>();

  @GuardedBy("this")
  private final Map<String, TopicId> ids = new HashMap<>();

  @GuardedBy("this")
  private final Map<GroupKey, ConsumerGroup> groups = new HashMap<>();

  @GuardedBy("this")
  private final Map<GroupKey, Map<Integer, Long>> committed = new HashMap<>();

  @GuardedBy("this")
  private final Map<String, List<Wakeup>> readers = new HashMap<>();

  @GuardedBy("this")
  private final Set<PartitionKey> dead = new HashSet<>();

  @GuardedBy("this")
  private final Map<PartitionKey, Set<Long>> aborted = new HashMap<>();

  @GuardedBy("this")
  private boolean away;

  @GuardedBy("this")
  private int lastTopic;

  @GuardedBy("this")
  private int lastId;

  /**
   * @param clock stamps the records that a {@link Publisher} writes
   */
  public ModelBroker(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public synchronized String newTopic(int partitions) {
    String name = "topic-" + ++lastTopic;
    createTopic(name, partitions);
    return name;
  }

  public synchronized void createTopic(String name, int partitions) {
    if (topics.putIfAbsent(name, emptyLogs(partitions)) != null) {
      throw new IllegalArgumentException("the topic exists: " + name);
    }
    ids.put(name, new TopicId(new UUID(0, ++lastId)));
  }

  private static List<List<InputRecord>> emptyLogs(int partitions) {
    List<List<InputRecord>> logs = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      logs.add(new ArrayList<>());
    }
    return logs;
  }

  @Override
  public synchronized void grow(String topic, int partitions) {
    List<List<InputRecord>> logs = logs(topic);
    while (logs.size() < partitions) {
      logs.add(new ArrayList<>());
    }
    wakeReaders(topic);
  }

  @Override
  public synchronized void recreate(String topic, int partitions) {
    topics.remove(topic);
    aborted.keySet().removeIf(key -> key.topic().equals(topic));
    createTopic(topic, partitions);
    groups.forEach((key, group) -> {
      if (key.topic().equals(topic)) {
        group.assignAnew(partitions);
      }
    });
    wakeReaders(topic);
  }

  @Override
  public synchronized long produce(
      String topic,
      int partition,
      long timestampMillis,
      byte @Nullable [] key,
      byte @Nullable [] value,
      List<MessageHeader> headers) {
    List<InputRecord> log = logs(topic).get(partition);
    long offset = log.size();
    log.add(new InputRecord(partition, offset, timestampMillis, key, value, List.copyOf(headers)));
    wakeReaders(topic);
    return offset;
  }

  @Override
  public synchronized void produceAborted(String topic, int partition, byte[] value) {
    long offset = produce(topic, partition, clock.millis(), null, value, List.of());
    aborted.computeIfAbsent(new PartitionKey(topic, partition), _ -> new HashSet<>()).add(offset);
  }

  @Override
  public synchronized List<InputRecord> records(String topic, int partition) {
    return List.copyOf(logs(topic).get(partition));
  }

  /** Takes the whole broker away, or brings it back. */
  public synchronized void setAway(boolean isAway) {
    away = isAway;
    if (!isAway) {
      topics.keySet().forEach(this::wakeReaders);
    }
  }

  public synchronized boolean isAway() {
    return away;
  }

  /** Makes a partition refuse records, or take them again; reading it goes on. */
  public synchronized void setDead(String topic, int partition, boolean isDead) {
    if (isDead) {
      dead.add(new PartitionKey(topic, partition));
    } else {
      dead.remove(new PartitionKey(topic, partition));
    }
  }

  /** Makes a topic refuse larger records of a {@link Publisher}. */
  public synchronized void limitRecords(String topic, int maxBytes) {
    maxRecordBytes.put(topic, maxBytes);
  }

  /** Moves every partition of the topic to another member of the group, if there is one. */
  public synchronized void rebalance(String group, String topic) {
    groupOf(group, topic).rotate(logs(topic).size());
    wakeReaders(topic);
  }

  /** Number of partitions, 0 for a topic that does not exist. */
  public synchronized int partitions(String topic) {
    List<List<InputRecord>> logs = topics.get(topic);
    return logs == null ? 0 : logs.size();
  }

  /** Writes a record at once, or says why not. */
  public synchronized SendResult append(OutgoingRecord outgoing) {
    List<List<InputRecord>> logs = topics.get(outgoing.topic());
    if (away) {
      return new SendResult.Failed("the broker is away");
    }
    int partition = outgoing.partition();
    if (logs == null || partition < 0 || partition >= logs.size()) {
      return new SendResult.Failed("no such partition: " + placeOf(outgoing));
    }
    if (dead.contains(new PartitionKey(outgoing.topic(), outgoing.partition()))) {
      return new SendResult.Failed("the partition has no leader: " + placeOf(outgoing));
    }
    int most = maxRecordBytes.getOrDefault(outgoing.topic(), DEFAULT_MAX_RECORD_BYTES);
    if (sizeOf(outgoing) > most) {
      return new SendResult.Refused("the record is larger than " + most + " bytes");
    }
    produce(
        outgoing.topic(),
        outgoing.partition(),
        clock.millis(),
        outgoing.key(),
        outgoing.value(),
        HeaderCodec.decode(outgoing.headers()));
    return SendResult.Acknowledged.INSTANCE;
  }

  private static String placeOf(OutgoingRecord outgoing) {
    return outgoing.topic() + "-" + outgoing.partition();
  }

  private static long sizeOf(OutgoingRecord outgoing) {
    byte[] key = outgoing.key();
    byte[] value = outgoing.value();
    return (long) outgoing.headers().length
        + (key == null ? 0 : key.length)
        + (value == null ? 0 : value.length);
  }

  /** A publisher whose records travel as the given transit lets them. */
  public Publisher publisher(RecordTransit transit) {
    return new ModelPublisher(this, transit);
  }

  /** The positions of this group that lag tools see. */
  public synchronized Map<Integer, Long> committed(String group, String topic) {
    return Map.copyOf(committed.getOrDefault(new GroupKey(group, topic), Map.of()));
  }

  synchronized void commit(String group, String topic, Map<Integer, Long> next) {
    committed.computeIfAbsent(new GroupKey(group, topic), _ -> new HashMap<>()).putAll(next);
  }

  /**
   * A new member of the group, reading the topic from the start where no position is stored.
   *
   * @param maxRecords bound on one poll
   */
  public ModelInputSource join(String group, String topic, int maxRecords, WakeupFactory wakeups) {
    return new ModelInputSource(this, group, topic, maxRecords, wakeups.create());
  }

  // For ModelInputSource

  synchronized TopicId topicId(String topic) {
    return Objects.requireNonNull(ids.get(topic), topic);
  }

  synchronized int joinGroup(String group, String topic, Wakeup wakeup) {
    readers.computeIfAbsent(topic, _ -> new ArrayList<>()).add(wakeup);
    int member = groupOf(group, topic).join(logs(topic).size());
    wakeReaders(topic);
    return member;
  }

  synchronized void forget(String topic, Wakeup wakeup) {
    readers.computeIfAbsent(topic, _ -> new ArrayList<>()).remove(wakeup);
  }

  synchronized void leaveGroup(String group, String topic, int member) {
    groupOf(group, topic).leave(member, logs(topic).size());
    wakeReaders(topic);
  }

  /** Partitions and the generation of their assignment. */
  synchronized Map<Integer, Long> assignment(String group, String topic, int member) {
    ConsumerGroup of = groupOf(group, topic);
    of.ensureMember(member, logs(topic).size());
    return of.assignedTo(member);
  }

  synchronized List<InputRecord> read(String topic, int partition, long offset, int limit) {
    List<InputRecord> log = logs(topic).get(partition);
    int from = (int) Math.min(Math.max(offset, 0), log.size());
    Set<Long> hidden = aborted.getOrDefault(new PartitionKey(topic, partition), Set.of());
    if (hidden.isEmpty()) {
      return List.copyOf(log.subList(from, Math.min(log.size(), from + limit)));
    }
    return log.stream()
        .skip(from)
        .filter(one -> !hidden.contains(one.offset()))
        .limit(limit)
        .toList();
  }

  @GuardedBy("this")
  private ConsumerGroup groupOf(String group, String topic) {
    return groups.computeIfAbsent(new GroupKey(group, topic), _ -> new ConsumerGroup());
  }

  @GuardedBy("this")
  private List<List<InputRecord>> logs(String topic) {
    List<List<InputRecord>> logs = topics.get(topic);
    if (logs == null) {
      throw new IllegalArgumentException("no such topic: " + topic);
    }
    return logs;
  }

  @GuardedBy("this")
  private void wakeReaders(String topic) {
    readers.getOrDefault(topic, List.of()).forEach(Wakeup::signal);
  }
}
