package io.kairos.kafka;

import io.kairos.domain.delay.InputRecord;
import io.kairos.domain.delay.MessageHeader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * Collects the records of several small polls and cuts them into batches within the bounds, which
 * the client does not apply to what it has decompressed. Keeps the rest for later batches. Bounded
 * by one batch and one poll. Of headers that together are beyond {@code maxPart} bytes, or are more
 * than {@link InputRecord#MAX_HEADERS}, only what a dead letter needs is kept.
 */
final class PollRest {
  private final int maxRecords;
  private final long maxBytes;
  private final int maxPart;
  private final Deque<InputRecord> rest = new ArrayDeque<>();
  private long bytes;

  PollRest(int maxRecords, long maxBytes, int maxPart) {
    this.maxRecords = maxRecords;
    this.maxBytes = maxBytes;
    this.maxPart = maxPart;
  }

  boolean isEmpty() {
    return rest.isEmpty();
  }

  /** True when there is enough for a batch. */
  boolean isFull() {
    return rest.size() >= maxRecords || bytes >= maxBytes;
  }

  void add(ConsumerRecord<ReadBytes, ReadBytes> polled) {
    InputRecord record = read(polled);
    rest.add(record);
    bytes += record.heldBytes();
  }

  /** Returns a batch; at least one record of those that there are. */
  List<InputRecord> take() {
    List<InputRecord> taken = new ArrayList<>(Math.min(rest.size(), maxRecords));
    long takenBytes = 0;
    for (InputRecord next = rest.peek();
        next != null
            && taken.size() < maxRecords
            && (taken.isEmpty() || takenBytes + next.heldBytes() <= maxBytes);
        next = rest.peek()) {
      taken.add(rest.remove());
      takenBytes += next.heldBytes();
    }
    bytes -= takenBytes;
    return taken;
  }

  /** Drops the records of a partition that is no longer read from their position. */
  void drop(int partition) {
    rest.removeIf(record -> record.partition() == partition);
    bytes = rest.stream().mapToLong(InputRecord::heldBytes).sum();
  }

  private InputRecord read(ConsumerRecord<ReadBytes, ReadBytes> record) {
    boolean dated = record.timestampType() != TimestampType.NO_TIMESTAMP_TYPE;
    Header[] theirs = record.headers().toArray();
    boolean whole =
        theirs.length <= InputRecord.MAX_HEADERS && KafkaHeaders.bytes(theirs) <= maxPart;
    List<MessageHeader> headers =
        whole ? KafkaHeaders.read(theirs) : KafkaHeaders.readNeeded(theirs);
    return new InputRecord(
        record.partition(),
        record.offset(),
        dated ? record.timestamp() : -1,
        bytes(record.key()),
        bytes(record.value()),
        headers,
        cut(record.key(), record.value(), theirs, headers));
  }

  private static byte @Nullable [] bytes(@Nullable ReadBytes read) {
    return read == null ? null : read.bytes();
  }

  private static InputRecord.@Nullable Cut cut(
      @Nullable ReadBytes key,
      @Nullable ReadBytes value,
      Header[] theirs,
      List<MessageHeader> headers) {
    long left = left(key) + left(value);
    int headersLeft = theirs.length - headers.size();
    if (left == 0 && headersLeft == 0) {
      return null;
    }
    long headerBytes =
        headersLeft == 0 ? 0 : KafkaHeaders.bytes(theirs) - MessageHeader.bytes(headers);
    return new InputRecord.Cut(
        left, left(key), value == null ? null : value.sha256(), headersLeft, headerBytes);
  }

  private static long left(@Nullable ReadBytes read) {
    return read == null || read.sha256() == null ? 0 : read.size();
  }
}
