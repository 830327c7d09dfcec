package io.kairos.kafka;

import io.kairos.domain.delay.InputRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;

/**
 * Cuts the records of a poll into batches within the bound in bytes, which the client only applies
 * to fetches, and keeps the rest for later batches. Bounded by one poll of the client.
 */
final class PollRest {
  private final int maxRecords;
  private final long maxBytes;
  private final Deque<ConsumerRecord<byte[], byte[]>> rest = new ArrayDeque<>();

  PollRest(int maxRecords, long maxBytes) {
    this.maxRecords = maxRecords;
    this.maxBytes = maxBytes;
  }

  boolean isEmpty() {
    return rest.isEmpty();
  }

  /** Returns a batch of polled records; must only be called when there is no rest. */
  List<InputRecord> take(Iterable<ConsumerRecord<byte[], byte[]>> polled) {
    Iterator<ConsumerRecord<byte[], byte[]>> records = polled.iterator();
    List<InputRecord> taken = new ArrayList<>();
    long bytes = 0;
    while (records.hasNext() && taken.size() < maxRecords) {
      ConsumerRecord<byte[], byte[]> next = records.next();
      InputRecord record = read(next);
      bytes += record.payloadBytes();
      if (bytes > maxBytes && !taken.isEmpty()) {
        rest.add(next);
        break;
      }
      taken.add(record);
    }
    records.forEachRemaining(rest::add);
    return taken;
  }

  /** Returns a batch of the rest. */
  List<InputRecord> take() {
    List<ConsumerRecord<byte[], byte[]>> carried = List.copyOf(rest);
    rest.clear();
    return take(carried);
  }

  /** Drops the records of a partition that is no longer read from their position. */
  void drop(int partition) {
    rest.removeIf(record -> record.partition() == partition);
  }

  private static InputRecord read(ConsumerRecord<byte[], byte[]> record) {
    boolean dated = record.timestampType() != TimestampType.NO_TIMESTAMP_TYPE;
    return new InputRecord(
        record.partition(),
        record.offset(),
        dated ? record.timestamp() : -1,
        record.key(),
        record.value(),
        KafkaHeaders.read(record.headers()));
  }
}
