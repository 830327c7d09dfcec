package io.kairos.engine.delay.port;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.domain.task.queue.TopicName;
import org.jspecify.annotations.Nullable;

/**
 * A record to publish. Key, value and headers are published unchanged.
 *
 * @param partition the partition to write to; the engine chooses it, see {@link
 *     Publisher#partitionFor}
 * @param headers as {@link io.kairos.domain.delay.HeaderCodec} writes them
 * @param dueMicros the due time of the message; {@link Long#MIN_VALUE} for records that are no
 *     messages
 */
@SuppressWarnings(
    "ArrayRecordComponent") // opaque bytes, never compared and never copied on the hot path
public record OutgoingRecord(
    MessageOutput output,
    int partition,
    byte @Nullable [] key,
    byte @Nullable [] value,
    byte[] headers,
    long dueMicros) {
  /** A record that is no message. */
  public OutgoingRecord(
      MessageOutput output,
      int partition,
      byte @Nullable [] key,
      byte @Nullable [] value,
      byte[] headers) {
    this(output, partition, key, value, headers, Long.MIN_VALUE);
  }

  /** The message as it is fired. */
  public static OutgoingRecord of(DelayedMessage message, MessageOutput output, int partition) {
    return new OutgoingRecord(
        output, partition, message.key(), message.value(), message.headers(), message.dueMicros());
  }

  /**
   * The name of the topic, for publishers that know only topics. Throws {@link
   * IllegalStateException} for any other output.
   */
  public String topic() {
    return topic(output);
  }

  /** The name of an output that is a topic; throws {@link IllegalStateException} for any other. */
  public static String topic(MessageOutput output) {
    if (output instanceof TopicName(String name)) {
      return name;
    }
    throw new IllegalStateException(output.label() + " is no topic to publish to");
  }
}
