package io.kairos.engine.delay.setup;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.domain.delay.ControlHeaders;
import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.InputRecord;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.delay.RecordRejection;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.Publisher;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Builds dead letters: the record's key, value and all headers, followed by headers with the reason
 * and the source. A dead letter can be sent to the input topic again as it is: the added headers
 * are ignored there. One that is too large is truncated, and is refused when it is sent again.
 */
public record DeadLetters(Route route) {
  /** Longest key and header value of a truncated letter. */
  private static final int LONGEST_KEPT = 1_024;

  public OutgoingRecord ofRejected(
      InputRecord input, RecordRejection rejection, Publisher publisher) {
    List<MessageHeader> headers = new ArrayList<>(input.headers());
    headers.removeIf(header -> header.name().equals(ControlHeaders.KEY_BYTES));
    addReason(headers, rejection.reason(), rejection.detail());
    headers.add(text(ControlHeaders.SOURCE_TOPIC, route.inputTopic()));
    headers.add(text(ControlHeaders.SOURCE_PARTITION, Integer.toString(input.partition())));
    headers.add(text(ControlHeaders.SOURCE_OFFSET, Long.toString(input.offset())));
    OutgoingRecord letter = letter(input.key(), input.value(), headers, publisher);
    InputRecord.Cut cut = input.cut();
    if (cut == null) {
      return letter;
    }
    String sha256 = cut.sha256();
    return truncated(
        letter,
        bytes(letter) + cut.bytes(),
        cut.keyBytes(),
        sha256 == null ? sha256(input.value()) : sha256);
  }

  /**
   * Builds what is parked in place of a letter that its topic does not take as it is: reason and
   * place, the headers for Kairos, a short key, and the size and hash of what is left out.
   */
  public static OutgoingRecord truncated(OutgoingRecord letter) {
    byte[] key = letter.key();
    return truncated(
        letter,
        bytes(letter),
        key == null || isShort(key) ? 0 : key.length,
        sha256(letter.value()));
  }

  /** True for a header of the record that its truncated letter has as well. */
  public static boolean keeps(MessageHeader header) {
    return ControlHeaders.isKnown(header.name()) && isShort(header.value());
  }

  /** Adds the id under which the store keeps the whole record. */
  public static OutgoingRecord kept(OutgoingRecord truncated, UUID id) {
    List<MessageHeader> headers = new ArrayList<>(HeaderCodec.decode(truncated.headers()));
    headers.add(text(ControlHeaders.KEPT_LETTER, id.toString()));
    return new OutgoingRecord(
        truncated.output(),
        truncated.partition(),
        truncated.key(),
        truncated.value(),
        HeaderCodec.encode(headers));
  }

  private static OutgoingRecord truncated(
      OutgoingRecord letter, long bytes, long keyBytes, String sha256) {
    Map<String, MessageHeader> headers = new LinkedHashMap<>();
    for (MessageHeader header : HeaderCodec.decode(letter.headers())) {
      if (keeps(header)) {
        headers.put(header.name(), header);
      }
    }
    headers.put(
        ControlHeaders.ORIGINAL_BYTES, text(ControlHeaders.ORIGINAL_BYTES, Long.toString(bytes)));
    if (keyBytes > 0) {
      headers.put(
          ControlHeaders.KEY_BYTES, text(ControlHeaders.KEY_BYTES, Long.toString(keyBytes)));
    }
    headers.put(ControlHeaders.VALUE_SHA256, text(ControlHeaders.VALUE_SHA256, sha256));
    return new OutgoingRecord(
        letter.output(),
        letter.partition(),
        isShort(letter.key()) ? letter.key() : null,
        null,
        HeaderCodec.encode(List.copyOf(headers.values())));
  }

  /** Size of key and value. */
  public static long bytes(OutgoingRecord letter) {
    byte[] key = letter.key();
    byte[] value = letter.value();
    return (key == null ? 0L : key.length) + (value == null ? 0 : value.length);
  }

  private static boolean isShort(byte @Nullable [] bytes) {
    return bytes == null || bytes.length <= LONGEST_KEPT;
  }

  private static String sha256(byte @Nullable [] value) {
    if (value == null) {
      return "null";
    }
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(value));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }

  /**
   * Builds the dead letter of a stored message that is not fired, such as one that its output
   * refuses. Headers carry its id, its due time and the output topic, handler or pool that it
   * named. Stored headers that cannot be decoded are left out, and the reason says so.
   */
  public OutgoingRecord ofRefused(
      DelayedMessage message,
      MessageOutput output,
      RecordRejection.Reason reason,
      String why,
      Publisher publisher) {
    List<MessageHeader> headers = new ArrayList<>();
    String detail = output.label() + ": " + why;
    try {
      headers.addAll(HeaderCodec.decode(message.headers()));
    } catch (IllegalArgumentException e) {
      detail += "; its own headers are left out: " + e.getMessage();
    }
    headers.removeIf(header -> header.name().equals(ControlHeaders.ID));
    headers.add(text(ControlHeaders.ID, message.id().value()));
    headers.add(text(ControlHeaders.DUE_AT, message.dueAt().toString()));
    MessageOutput own = message.output();
    if (own != null) {
      headers.add(header(own));
    }
    addReason(headers, reason, detail);
    headers.add(text(ControlHeaders.SOURCE_TOPIC, route.inputTopic()));
    return letter(message.key(), message.value(), headers, publisher);
  }

  /** The header that names the output. */
  private static MessageHeader header(MessageOutput output) {
    return switch (output) {
      case TopicName(String topic) -> text(ControlHeaders.OUTPUT_TOPIC, topic);
      case HandlerName(String handler) -> text(ControlHeaders.HANDLER, handler);
      case PoolName(String pool) -> text(ControlHeaders.POOL, pool);
    };
  }

  private OutgoingRecord letter(
      byte @Nullable [] key,
      byte @Nullable [] value,
      List<MessageHeader> headers,
      Publisher publisher) {
    TopicName topic = route.deadLetterTopic();
    return new OutgoingRecord(
        topic,
        TopicPartitions.choose(publisher, topic, key),
        key,
        value,
        HeaderCodec.encode(headers));
  }

  private static void addReason(
      List<MessageHeader> headers, RecordRejection.Reason reason, String detail) {
    headers.add(text(ControlHeaders.REASON, reason.label()));
    headers.add(text(ControlHeaders.REASON_DETAIL, detail));
  }

  private static MessageHeader text(String name, String value) {
    return new MessageHeader(name, value.getBytes(UTF_8));
  }
}
