package io.kairos.engine.delay;

import io.kairos.domain.delay.InputRecord;
import java.util.HashMap;
import java.util.Map;

/**
 * Input records that are on their way out already, acknowledged, while the position that moves over
 * them is not stored yet: dead letters and direct publishes. A store that fails makes the intake
 * step read them again, as often as it fails (a full disk for an hour); without this they would be
 * sent again each time. Bounded by one batch for each partition. The intake step's own.
 */
final class SentAhead {
  /** By partition: offset and timestamp. */
  private final Map<Integer, Map<Long, Long>> sent = new HashMap<>();

  void add(InputRecord input) {
    sent.computeIfAbsent(input.partition(), _ -> new HashMap<>())
        .put(input.offset(), input.timestampMillis());
  }

  /** The timestamp tells a record from one in the same place of a topic that was made anew. */
  boolean contains(InputRecord input) {
    Map<Long, Long> ofPartition = sent.get(input.partition());
    if (ofPartition == null) {
      return false;
    }
    Long timestampMillis = ofPartition.get(input.offset());
    return timestampMillis != null && timestampMillis == input.timestampMillis();
  }

  /** The store has moved the positions to these offsets. */
  void stored(Map<Integer, Long> next) {
    if (!sent.isEmpty()) {
      next.forEach((partition, offset) -> {
        Map<Long, Long> ofPartition = sent.get(partition);
        if (ofPartition != null) {
          ofPartition.keySet().removeIf(before -> before < offset);
          if (ofPartition.isEmpty()) {
            sent.remove(partition);
          }
        }
      });
    }
  }

  /** The partition has come from somebody else, or from nowhere. */
  void forget(int partition) {
    sent.remove(partition);
  }
}
