package io.kairos.engine.delay;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.InputRecord;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.Submission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The part of a batch of input records that can be taken in as one: its effect is that of its
 * records handled one by one, in order. A record that names an id which an earlier record of the
 * batch amends ends the plan; it and all after it are read again.
 */
record IntakePlan(List<Entry> entries, Map<Integer, Long> readAgainFrom) {

  /** A record and what it asks for. */
  record Entry(InputRecord input, Submission submission) {}

  static IntakePlan of(List<Entry> batch) {
    List<Entry> entries = new ArrayList<>(batch.size());
    Set<MessageId> amended = new HashSet<>();
    for (int i = 0; i < batch.size(); i++) {
      Entry entry = batch.get(i);
      boolean conflicts =
          switch (entry.submission()) {
            case Submission.Delay(DelayedMessage message) -> amended.contains(message.id());
            case Submission.Amend(MessageId id, _) -> !amended.add(id);
            case Submission.Rejected _ -> false;
          };
      if (conflicts) {
        return new IntakePlan(entries, firstOffsets(batch.subList(i, batch.size())));
      }
      entries.add(entry);
    }
    return new IntakePlan(entries, Map.of());
  }

  /** Without the records from these offsets on: their partitions stop there. */
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

  /** Where each partition goes on once all entries are taken in. */
  Map<Integer, Long> nextOffsets() {
    Map<Integer, Long> last = firstMet(entries.reversed());
    last.replaceAll((_, offset) -> offset + 1);
    return last;
  }

  static Map<Integer, Long> firstOffsets(List<Entry> entries) {
    return firstMet(entries);
  }

  /**
   * The offset of the first entry of each partition. A partition's entries are in order and mostly
   * follow each other, so that few of them touch the map.
   */
  private static Map<Integer, Long> firstMet(List<Entry> entries) {
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
