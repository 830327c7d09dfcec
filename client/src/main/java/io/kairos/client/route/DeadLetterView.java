package io.kairos.client.route;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record that the delay queue could not take or could not deliver, on a dead-letter topic.
 *
 * @param partition partition on the dead-letter topic
 * @param offset offset on the dead-letter topic
 * @param at when it was parked; null when the record has no time
 * @param reason word such as {@code malformed-id}
 * @param detail the reason in a sentence
 * @param fingerprint equal for letters of one reason whose sentences differ only in what varies
 * @param source where the record came from
 * @param key key of the record, at most its first 1,024 bytes; null for none
 * @param headers the last headers of the record
 * @param valueBytes size of the value; -1 for none
 * @param value beginning of the value; null when none was asked for
 * @param isCut true when key or headers are shown in part
 * @param isTruncated true when the letter has only a part of its record
 */
@SuppressWarnings("ArrayRecordComponent") // opaque bytes, not copied
public record DeadLetterView(
    int partition,
    long offset,
    @Nullable Instant at,
    String reason,
    String detail,
    String fingerprint,
    String source,
    byte @Nullable [] key,
    List<HeaderView> headers,
    long valueBytes,
    byte @Nullable [] value,
    boolean isCut,
    boolean isTruncated) {
  public DeadLetterView {
    headers = List.copyOf(headers);
  }

  /** A header of a record. */
  @SuppressWarnings("ArrayRecordComponent") // opaque bytes, not copied
  public record HeaderView(String name, byte[] value) {}
}
