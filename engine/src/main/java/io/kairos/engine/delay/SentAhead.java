package io.kairos.engine.delay;

import io.kairos.domain.delay.InputRecord;
import java.util.HashMap;
import java.util.Map;

/**
 * Input records that are on their way out already while the position that moves over them is not
 * stored yet: dead letters and direct publishes. A store that fails makes the intake step read them
 * again, as often as it fails (a full disk for an hour); without this the acknowledged ones would
 * be sent again each time, and of those that had no answer nobody would know that they may have
 * been written. Bounded by one batch for each partition. The intake step's own.
 */
final class SentAhead {
  /** By partition and offset. */
  private final Map<Integer, Map<Long, Send>> sent = new HashMap<>();

  /** The timestamp tells a record from one in the same place of a topic that was made anew. */
  private record Send(long timestampMillis, boolean acknowledged) {}

  void acknowledged(InputRecord input) {
    put(input, true);
  }

  /** It may have been written. */
  void unanswered(InputRecord input) {
    put(input, false);
  }

  private void put(InputRecord input, boolean acknowledged) {
    sent.computeIfAbsent(input.partition(), _ -> new HashMap<>())
        .put(input.offset(), new Send(input.timestampMillis(), acknowledged));
  }

  boolean isAcknowledged(InputRecord input) {
    return is(input, true);
  }

  boolean isUnanswered(InputRecord input) {
    return is(input, false);
  }

  private boolean is(InputRecord input, boolean acknowledged) {
    Map<Long, Send> ofPartition = sent.get(input.partition());
    return ofPartition != null
        && new Send(input.timestampMillis(), acknowledged).equals(ofPartition.get(input.offset()));
  }

  /** The store has moved the positions to these offsets. */
  void stored(Map<Integer, Long> next) {
    if (!sent.isEmpty()) {
      next.forEach((partition, offset) -> {
        Map<Long, Send> ofPartition = sent.get(partition);
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
