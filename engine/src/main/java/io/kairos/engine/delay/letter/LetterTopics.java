package io.kairos.engine.delay.letter;

import io.kairos.domain.delay.MessageHeader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads records of topics on request, beside the node's own consumers and without a group, and
 * publishes records one at a time. Thread-safe. Calls block, for at most some seconds, and throw
 * {@link LettersRefused}.
 */
public interface LetterTopics {
  /**
   * The latest records of a topic by their timestamps, in each partition by their offsets. Reads a
   * bounded number of records and bytes.
   *
   * @param before by partition, the offsets before which to read: {@link Page#next} of the page
   *     before; empty for the latest of all
   * @param valueBytes how much of each value to keep
   * @param most how many wanted records to return at most
   * @param wanted asked once for each record, in the order of the answer
   */
  Page latest(
      String topic,
      Map<Integer, Long> before,
      int valueBytes,
      int most,
      Predicate<LetterRecord> wanted);

  /** A whole record; empty when there is none at this place, any more or yet. */
  Optional<LetterRecord> at(String topic, RecordPlace place);

  /**
   * Publishes a record, with acknowledgement by all in-sync replicas, to the partition that the
   * standard partitioner chooses.
   */
  RecordPlace publish(
      String topic, byte @Nullable [] key, byte @Nullable [] value, List<MessageHeader> headers);

  /**
   * The records that one call has found.
   *
   * @param records the wanted ones, the latest first
   * @param next by partition, where the next page begins; empty when all has been read
   */
  record Page(List<LetterRecord> records, Map<Integer, Long> next) {
    public Page {
      records = List.copyOf(records);
      next = Map.copyOf(next);
    }
  }
}
