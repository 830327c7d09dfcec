package io.kairos.engine.delay.setup;

import io.kairos.domain.task.queue.TopicName;
import io.kairos.engine.delay.port.Publisher;
import org.jspecify.annotations.Nullable;

/** Chooses partitions of the topics of dead letters and results. */
public final class TopicPartitions {
  /** Stands for a topic whose partitions are unknown: the send fails and is retried. */
  static final int UNKNOWN = -1;

  private TopicPartitions() {}

  /**
   * Chooses by key as the standard partitioner does, and the first partition for keyless records.
   */
  public static int choose(Publisher publisher, TopicName topic, byte @Nullable [] key) {
    int count = publisher.partitions(topic);
    if (count == 0) {
      return UNKNOWN;
    }
    return key == null ? 0 : publisher.partitionFor(key, count);
  }
}
