package io.kairos.engine.delay;

import io.kairos.domain.delay.InputRecord;
import java.util.HashMap;
import java.util.Map;

/**
 * Input records that were sent on, as dead letters or direct publishes, before the input position
 * beyond them was stored. While the store fails, the intake step reads these records again and
 * again. This class prevents that acknowledged records are sent each time, and remembers which
 * unanswered records may have been written. A partition that is assigned anew may be the one that
 * an outage of the store took away, so its records stay. Bounded by one batch for each partition,
 * since a position that is stored later covers them. Used by the intake step's thread.
 */
final class EarlySends {
  /** Sends by partition and offset. */
  private final Map<Integer, Map<Long, Send>> sent = new HashMap<>();

  /** The timestamp distinguishes a record from one at the same offset of a recreated topic. */
  private record Send(long timestampMillis, boolean acknowledged) {}

  void acknowledged(InputRecord input) {
    put(input, true);
  }

  /** Notes that the record was sent without an answer and may have been written. */
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

  /** Forgets the records before these offsets, by partition: their positions are stored. */
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
}
