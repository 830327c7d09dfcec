package io.kairos.domain.delay;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record as it lies on the input topic.
 *
 * @param timestampMillis the record's timestamp, what {@code kairos-delay} counts from; negative
 *     when the record has none
 */
@SuppressWarnings("ArrayRecordComponent") // opaque bytes, not copied
public record InputRecord(
    int partition,
    long offset,
    long timestampMillis,
    byte @Nullable [] key,
    byte @Nullable [] value,
    List<MessageHeader> headers) {

  /** Key, value and headers, names included. */
  public long payloadBytes() {
    long size = (key == null ? 0 : key.length) + (value == null ? 0L : value.length);
    for (MessageHeader header : headers) {
      byte[] headerValue = header.value();
      size += header.name().length() + (headerValue == null ? 0 : headerValue.length);
    }
    return size;
  }

  /** Never shows payload. */
  @Override
  public String toString() {
    return "InputRecord[partition=" + partition + ", offset=" + offset + "]";
  }
}
