package io.kairos.kafka;

import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.delay.port.SendCallback;
import io.kairos.engine.delay.port.SendResult;
import io.kairos.engine.time.MonotonicClock;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Publishes through one idempotent producer with {@code acks=all}. Any thread may call; nothing
 * waits: the producer is told to block for zero milliseconds, so a full buffer or an unknown
 * partition fails the send at once, and the producer's own refresh keeps the partition counts
 * fresh. Callbacks come on the producer's network thread, or on the caller's for what fails at
 * once.
 *
 * <p>A producer in a fatal state is replaced in the background; its sends under way end within the
 * publish timeout.
 */
public final class KafkaPublisher implements Publisher, AutoCloseable {
  /** How old a known partition count may be; the producer itself refreshes every two seconds. */
  private static final long FRESH_NANOS = 250_000_000;

  /** Asking for an unknown topic costs a request, an exception and a line in the client's log. */
  private static final long FIRST_ASK_NANOS = 20_000_000;

  private static final long LAST_ASK_NANOS = 1_000_000_000;

  private static final SendResult UNKNOWN_PARTITION =
      new SendResult.Failed("The topic's partitions are not known yet");

  private final MonotonicClock clock;
  private final ProducerSlot slot;
  private final ConcurrentMap<String, PartitionCount> counts = new ConcurrentHashMap<>();

  /**
   * Makes the first producer; needs no broker.
   *
   * @param background runs the replacement of a producer: short-lived tasks that may wait for as
   *     long as the publish timeout
   * @param networkThreadDied told when the producer's network thread has ended by an error, such as
   *     lack of memory. Sends under way then never end: the node must stop
   * @throws org.apache.kafka.common.KafkaException when the client's settings do not go together
   */
  public KafkaPublisher(
      KafkaConfig config,
      MonotonicClock clock,
      Executor background,
      Consumer<Throwable> networkThreadDied) {
    this.clock = clock;
    this.slot =
        new ProducerSlot(
            number ->
                WatchedProducer.make(
                    config, config.clientId() + "-out-" + number, networkThreadDied),
            config.output().publishTimeout(),
            clock,
            background);
  }

  @Override
  public int partitions(MessageOutput output) {
    String topic = OutgoingRecord.topic(output);
    long now = clock.nanos();
    PartitionCount known = counts.get(topic);
    if (known != null && now - known.askedAt < known.goodForNanos) {
      return known.count;
    }
    PartitionCount asked = ask(topic, known, now);
    counts.put(topic, asked);
    return asked.count;
  }

  /**
   * A known topic keeps its count: a producer whose brokers are all away starts again from the
   * bootstrap servers, and knows no topic until one of them answers.
   */
  private PartitionCount ask(String topic, @Nullable PartitionCount known, long now) {
    int count = slot.partitions(topic);
    if (count > 0) {
      return new PartitionCount(count, true, now, FRESH_NANOS);
    }
    if (known == null) {
      return new PartitionCount(0, false, now, FIRST_ASK_NANOS);
    }
    return new PartitionCount(
        known.count, false, now, Math.min(2 * known.goodForNanos, LAST_ASK_NANOS));
  }

  /**
   * True while the producer knows the partitions of a topic that it was asked for. It forgets all
   * of them soon after it has lost every broker, also when nothing is published.
   */
  public boolean answers() {
    return counts.values().stream().anyMatch(PartitionCount::answered);
  }

  private record PartitionCount(int count, boolean answered, long askedAt, long goodForNanos) {}

  @Override
  public int partitionFor(byte[] key, int partitions) {
    return partitionOf(key, partitions);
  }

  /** The standard partitioner's choice for a key, which needs no producer. */
  public static int partitionOf(byte[] key, int partitions) {
    return BuiltInPartitioner.partitionForKey(key, partitions);
  }

  @Override
  public void send(OutgoingRecord outgoing, SendCallback callback) {
    if (outgoing.partition() < 0) {
      callback.completed(UNKNOWN_PARTITION);
      return;
    }
    @Nullable List<Header> headers;
    try {
      headers = KafkaHeaders.write(outgoing.headers());
    } catch (IllegalArgumentException e) {
      callback.completed(
          new SendResult.Refused("The stored headers cannot be read: " + e.getMessage()));
      return;
    }
    slot.send(
        new ProducerRecord<>(
            outgoing.topic(), outgoing.partition(), outgoing.key(), outgoing.value(), headers),
        callback);
  }

  /** Waits for sends under way, at most the publish timeout, and closes. */
  @Override
  public void close() {
    slot.close();
  }
}
