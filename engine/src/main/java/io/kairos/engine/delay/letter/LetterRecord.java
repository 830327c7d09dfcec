package io.kairos.engine.delay.letter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.domain.delay.ControlHeaders;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.task.ErrorFingerprint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record of a dead-letter topic, whole or in part. Never shows payload as text.
 *
 * @param timestampMillis when it was parked; negative when the record has no timestamp
 * @param key null for none; its begin in a list
 * @param value null for none; its begin in a list
 * @param headers the last ones in a list, with the beginnings of their values
 * @param valueBytes size of the whole value; -1 for none
 * @param isCut true when key or headers are here in part
 */
@SuppressWarnings("ArrayRecordComponent") // opaque bytes, not copied
public record LetterRecord(
    RecordPlace place,
    long timestampMillis,
    byte @Nullable [] key,
    byte @Nullable [] value,
    List<MessageHeader> headers,
    long valueBytes,
    boolean isCut) {
  /** The reason in a word; empty for a record that is no dead letter. */
  public String reason() {
    return text(ControlHeaders.REASON);
  }

  /** The reason in a sentence. */
  public String detail() {
    return text(ControlHeaders.REASON_DETAIL);
  }

  /** The topic that the record came from; empty for a record that is no dead letter. */
  public String sourceTopic() {
    return text(ControlHeaders.SOURCE_TOPIC);
  }

  /** Where the record came from, in words. */
  public String source() {
    String partition = text(ControlHeaders.SOURCE_PARTITION);
    String offset = text(ControlHeaders.SOURCE_OFFSET);
    return partition.isEmpty() && offset.isEmpty()
        ? sourceTopic()
        : sourceTopic() + ", partition " + partition + ", offset " + offset;
  }

  /** Equal for letters of one reason whose sentences differ only in what varies. */
  public String fingerprint() {
    return ErrorFingerprint.of(reason(), detail());
  }

  /** True when the letter has only a part of its record, which was too large for its topic. */
  public boolean isTruncated() {
    return headers.stream().anyMatch(header -> header.name().equals(ControlHeaders.ORIGINAL_BYTES));
  }

  /** True when a truncated letter has no key, though its record has one. */
  boolean hasLostItsKey() {
    return key == null && !text(ControlHeaders.KEY_BYTES).isEmpty();
  }

  /** The text of the last header of a name, which Kairos has added; empty for none. */
  String text(String name) {
    for (MessageHeader header : headers.reversed()) {
      byte[] bytes = header.value();
      if (header.name().equals(name) && bytes != null) {
        return new String(bytes, UTF_8);
      }
    }
    return "";
  }

  @Override
  public String toString() {
    return "LetterRecord[" + place + "]";
  }
}
