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
  /** A record with more headers is too large: each is several objects, however short it is. */
  public static final int MAX_HEADERS = 1_000;

  /** Memory that one header costs beyond its bytes. */
  private static final int HEADER_OVERHEAD_BYTES = 128;

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
   * What is left out because the record is too large to be held.
   *
   * @param bytes size of key and value, of those that are left out
   * @param keyBytes size of the key; 0 when it is not left out
   * @param sha256 of the value, in hexadecimal; null when the value is not left out
   * @param headers how many headers are left out
   * @param headerBytes size of those headers, names included
   */
  public record Cut(
      long bytes, long keyBytes, @Nullable String sha256, int headers, long headerBytes) {}

  /** Key, value and headers, names included, with what is left out. */
  public long payloadBytes() {
    return bytesHere() + (cut == null ? 0 : cut.bytes() + cut.headerBytes());
  }

  /** The number of headers, with those that are left out. */
  public int headerCount() {
    return headers.size() + (cut == null ? 0 : cut.headers());
  }

  /** Memory for key, value and headers, as far as they are here. */
  public long heldBytes() {
    return bytesHere() + (long) HEADER_OVERHEAD_BYTES * headers.size();
  }

  private long bytesHere() {
    return (key == null ? 0 : key.length)
        + (value == null ? 0L : value.length)
        + MessageHeader.bytes(headers);
  }

  /** Never shows payload. */
  @Override
  public String toString() {
    return "InputRecord[partition=" + partition + ", offset=" + offset + "]";
  }
}
