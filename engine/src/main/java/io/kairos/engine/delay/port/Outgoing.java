package io.kairos.engine.delay.port;

import io.kairos.domain.task.Output;
import io.kairos.domain.task.TopicName;
import org.jspecify.annotations.Nullable;

/**
 * A record to publish. Same bytes in, same bytes out.
 *
 * @param partition the partition to write to; the engine chooses it, see {@link
 *     Publisher#partitionFor}
 * @param headers as {@link io.kairos.domain.delay.HeaderCodec} writes them
 */
@SuppressWarnings(
    "ArrayRecordComponent") // opaque bytes, never compared and never copied on the hot path
public record Outgoing(
    Output output, int partition, byte @Nullable [] key, byte @Nullable [] value, byte[] headers) {

  /**
   * The name of the topic, for publishers that know only topics. Throws {@link
   * IllegalStateException} for a record that becomes a task.
   */
  public String topic() {
    return topic(output);
  }

  /** The name of a topic; throws {@link IllegalStateException} for any other output. */
  public static String topic(Output output) {
    if (output instanceof TopicName(String name)) {
      return name;
    }
    throw new IllegalStateException(output.label() + " is no topic to publish to");
  }
}
