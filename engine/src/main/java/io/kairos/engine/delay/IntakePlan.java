package io.kairos.engine.delay;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.InputRecord;
import io.kairos.domain.delay.InputSubmission;
import io.kairos.domain.delay.MessageId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The part of a batch of input records that one transaction can store with the effect of handling
 * the records one by one, in order. A record that names an id which an earlier record amends ends
 * the plan. That record and all after it are read again.
 *
 * @param readAgainFrom by partition, the first offset to read again
 */
record IntakePlan(List<Entry> entries, Map<Integer, Long> readAgainFrom) {

  /** An input record and the submission read from it. */
  record Entry(InputRecord input, InputSubmission submission) {}

  static IntakePlan of(List<Entry> batch) {
    List<Entry> entries = new ArrayList<>(batch.size());
    Set<MessageId> amended = new HashSet<>();
    for (int i = 0; i < batch.size(); i++) {
      Entry entry = batch.get(i);
      boolean conflicts =
          switch (entry.submission()) {
            case InputSubmission.Delay(DelayedMessage message) -> amended.contains(message.id());
            case InputSubmission.Amend(MessageId id, _) -> !amended.add(id);
            case InputSubmission.Rejected _ -> false;
          };
      if (conflicts) {
        return new IntakePlan(entries, firstOffsets(batch.subList(i, batch.size())));
      }
      entries.add(entry);
    }
    return new IntakePlan(entries, Map.of());
  }

  /**
   * The plan without the records from each partition's stop on.
   *
   * @param stops the first offset that is left out, by partition
   */
  IntakePlan without(Map<Integer, Long> stops) {
    if (stops.isEmpty()) {
      return this;
    }
    List<Entry> kept = new ArrayList<>(entries.size());
    for (Entry entry : entries) {
      Long stop = stops.get(entry.input().partition());
      if (stop == null || entry.input().offset() < stop) {
        kept.add(entry);
      }
    }
    Map<Integer, Long> again = new HashMap<>(readAgainFrom);
    again.keySet().removeAll(stops.keySet());
    return new IntakePlan(kept, again);
  }

  /** By partition, the offset after its last entry. */
  Map<Integer, Long> nextOffsets() {
    Map<Integer, Long> last = firstOffsets(entries.reversed());
    last.replaceAll((_, offset) -> offset + 1);
    return last;
  }

  /**
   * By partition, the offset of its first entry. Entries of a partition are in order and mostly
   * adjacent, so that few of them touch the map.
   */
  static Map<Integer, Long> firstOffsets(List<Entry> entries) {
    Map<Integer, Long> offsets = new HashMap<>();
    int partition = -1;
    for (Entry entry : entries) {
      if (entry.input().partition() != partition) {
        partition = entry.input().partition();
        offsets.putIfAbsent(partition, entry.input().offset());
      }
    }
    return offsets;
  }
}
