package io.kairos.engine.delay;

import io.kairos.domain.task.TopicName;
import io.kairos.engine.delay.port.Publisher;
import org.jspecify.annotations.Nullable;

/** Partitions of topics that are written now and then: dead letters and results. */
final class Partitions {
  /** The topic's partitions are not known: such a send fails and is tried again. */
  static final int UNKNOWN = -1;

  private Partitions() {}

  /** By key as the standard partitioner does, the first for keyless records. */
  static int choose(Publisher publisher, TopicName topic, byte @Nullable [] key) {
    int count = publisher.partitions(topic);
    if (count == 0) {
      return UNKNOWN;
    }
    return key == null ? 0 : publisher.partitionFor(key, count);
  }
}
