package io.kairos.kafka;

import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits stored offsets to the broker, once a second, for lag tools and as start positions for a
 * store without any. Commits are asynchronous, and their errors are only logged. Used by the
 * polling thread.
 *
 * <p>Once every record that was read is stored, the committed offset also passes what the broker
 * never delivers: the ends of transactions and aborted records. A lag tool then shows no lag.
 */
final class LagOffsets {
  private static final Logger log = LoggerFactory.getLogger(LagOffsets.class);
  private static final long INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();

  /** No offset. */
  private static final long NONE = -1;

  private final MonotonicClock clock;
  private final Consumer<?, ?> consumer;
  private final Map<TopicPartition, Progress> read = new HashMap<>();
  private long toldAt;

  LagOffsets(MonotonicClock clock, Consumer<?, ?> consumer) {
    this.clock = clock;
    this.consumer = consumer;
    this.toldAt = clock.nanos();
  }

  /** Every record before this offset is stored. */
  void stored(TopicPartition place, long next) {
    of(place).stored = next;
  }

  /** Takes all records of a poll, and the positions that the client has read to. */
  <K, V> void polled(ConsumerRecords<K, V> polled) {
    polled
        .nextOffsets()
        .forEach((place, next) -> {
          Progress progress = of(place);
          progress.position = next.offset();
          List<ConsumerRecord<K, V>> records = polled.records(place);
          if (!records.isEmpty()) {
            progress.afterLastRecord = records.getLast().offset() + 1;
          }
        });
  }

  /** Drops a partition that was revoked, or will be read from another position. */
  void drop(TopicPartition place) {
    read.remove(place);
  }

  /**
   * @param mark metadata committed with the offsets: the id of their topic
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

  /** Commits and waits for the broker, at most this long. */
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
      if (next > progress.told) {
        progress.told = next;
        untold.put(place, new OffsetAndMetadata(next, mark));
      }
    });
    return untold;
  }

  private Progress of(TopicPartition place) {
    return read.computeIfAbsent(place, _ -> new Progress());
  }

  /** How far a partition has been read and stored since it was last positioned. */
  private static final class Progress {
    private long stored = NONE;
    private long afterLastRecord = NONE;
    private long position = NONE;
    private long told = NONE;

    /** Returns the offset before which every record is stored. */
    private long next() {
      return stored >= afterLastRecord ? Math.max(stored, position) : stored;
    }
  }
}
