package io.kairos.kafka;

import io.kairos.engine.time.Monotonic;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits what is stored to the broker, once a second, for lag tools and for a store that has
 * forgotten. Nothing depends on it, so nothing waits for it and its errors are only of interest to
 * those who wonder about a lag tool. Used by the thread that polls.
 *
 * <p>Once every record that was read is stored, the committed offset also passes what the broker
 * never delivers: the ends of transactions and aborted records. A lag tool then shows no lag.
 */
final class LagOffsets {
  private static final Logger log = LoggerFactory.getLogger(LagOffsets.class);
  private static final long INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();

  /** No offset. */
  private static final long NONE = -1;

  private final Monotonic clock;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Map<TopicPartition, Progress> read = new HashMap<>();
  private long toldAt;

  LagOffsets(Monotonic clock, KafkaConsumer<byte[], byte[]> consumer) {
    this.clock = clock;
    this.consumer = consumer;
    this.toldAt = clock.nanos();
  }

  /** Every record before this offset is stored. */
  void stored(TopicPartition place, long next) {
    of(place).stored = next;
  }

  /** What the client has delivered, all of it, and how far it has read. */
  void polled(ConsumerRecords<byte[], byte[]> polled) {
    polled
        .nextOffsets()
        .forEach((place, next) -> {
          Progress progress = of(place);
          progress.position = next.offset();
          List<ConsumerRecord<byte[], byte[]>> records = polled.records(place);
          if (!records.isEmpty()) {
            progress.afterLastRecord = records.getLast().offset() + 1;
          }
        });
  }

  /** The partition is another's, or will be read from elsewhere. */
  void drop(TopicPartition place) {
    read.remove(place);
  }

  /**
   * @param mark what the offsets are committed with: which topic they are of
   */
  void tellWhenDue(String mark) {
    if (clock.nanos() - toldAt < INTERVAL_NANOS) {
      return;
    }
    Map<TopicPartition, OffsetAndMetadata> untold = untold(mark);
    if (untold.isEmpty()) {
      return;
    }
    toldAt = clock.nanos();
    consumer.commitAsync(
        untold,
        (_, error) -> {
          if (error != null) {
            log.atDebug().setCause(error).log("Offsets were not committed");
          }
        });
  }

  /** Waits for the broker, but not longer than this. */
  void tellLast(String mark, Duration timeout) {
    Map<TopicPartition, OffsetAndMetadata> untold = untold(mark);
    if (untold.isEmpty()) {
      return;
    }
    try {
      consumer.commitSync(untold, timeout);
    } catch (KafkaException e) {
      log.atDebug().setCause(e).log("Last offsets were not committed");
    }
  }

  private Map<TopicPartition, OffsetAndMetadata> untold(String mark) {
    Map<TopicPartition, OffsetAndMetadata> untold = new HashMap<>();
    read.forEach((place, progress) -> {
      long next = progress.next();
      if (next != progress.told) {
        progress.told = next;
        untold.put(place, new OffsetAndMetadata(next, mark));
      }
    });
    return untold;
  }

  private Progress of(TopicPartition place) {
    return read.computeIfAbsent(place, _ -> new Progress());
  }

  /** How far a partition is read and stored since it was last positioned. */
  private static final class Progress {
    private long stored = NONE;
    private long afterLastRecord = NONE;
    private long position = NONE;
    private long told = NONE;

    /** The offset before which every record is stored. */
    private long next() {
      return stored >= afterLastRecord ? Math.max(stored, position) : stored;
    }
  }
}
