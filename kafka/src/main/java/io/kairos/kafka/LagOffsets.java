package io.kairos.kafka;

import io.kairos.engine.time.Monotonic;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is stored, told to the broker once a second for lag tools and for a store that has
 * forgotten. Nothing depends on it, so nothing waits for it and its errors are only of interest to
 * those who wonder about a lag tool.
 */
final class LagOffsets {
  private static final Logger log = LoggerFactory.getLogger(LagOffsets.class);
  private static final long INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();

  private final Monotonic clock;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Map<TopicPartition, OffsetAndMetadata> untold = new HashMap<>();
  private long toldAt;

  LagOffsets(Monotonic clock, KafkaConsumer<byte[], byte[]> consumer) {
    this.clock = clock;
    this.consumer = consumer;
    this.toldAt = clock.nanos();
  }

  void stored(TopicPartition place, OffsetAndMetadata next) {
    untold.put(place, next);
  }

  /** The partition is another's, or will be read from elsewhere. */
  void drop(TopicPartition place) {
    untold.remove(place);
  }

  void tellWhenDue() {
    if (untold.isEmpty() || clock.nanos() - toldAt < INTERVAL_NANOS) {
      return;
    }
    toldAt = clock.nanos();
    consumer.commitAsync(
        Map.copyOf(untold),
        (_, error) -> {
          if (error != null) {
            log.atDebug().setCause(error).log("Offsets were not committed");
          }
        });
    untold.clear();
  }

  /** Waits for the broker, but not longer than this. */
  void tellLast(Duration timeout) {
    if (untold.isEmpty()) {
      return;
    }
    try {
      consumer.commitSync(untold, timeout);
    } catch (KafkaException e) {
      log.atDebug().setCause(e).log("Last offsets were not committed");
    }
  }
}
