package io.kairos.domain.delay;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record as it lies on the input topic.
 *
 * @param timestampMillis the record's timestamp, what {@code kairos-delay} counts from; negative
 *     when the record has none
 * @param cut what was left out of a record that is too large to be held; null when all is here
 */
@SuppressWarnings("ArrayRecordComponent") // opaque bytes, not copied
public record InputRecord(
    int partition,
    long offset,
    long timestampMillis,
    byte @Nullable [] key,
    byte @Nullable [] value,
    List<MessageHeader> headers,
    @Nullable Cut cut) {

  public InputRecord(
      int partition,
      long offset,
      long timestampMillis,
      byte @Nullable [] key,
      byte @Nullable [] value,
      List<MessageHeader> headers) {
    this(partition, offset, timestampMillis, key, value, headers, null);
  }

  /**
   * A key or value, or both, that are left out because the record is too large to be held.
   *
   * @param bytes their size
   * @param sha256 of the value, in hexadecimal; null when the value is not left out
   */
  public record Cut(long bytes, @Nullable String sha256) {}

  /** Key, value and headers, names included, with what is left out. */
  public long payloadBytes() {
    return heldBytes() + (cut == null ? 0 : cut.bytes());
  }

  /** Key, value and headers, names included, as far as they are here. */
  public long heldBytes() {
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
