package io.kairos.domain.delay;

import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.domain.time.EpochMicros;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way from the input topic to the output topic. Key, value and headers are opaque
 * bytes, kept and relayed unchanged. Due times are microseconds since the epoch because they are
 * compared once per message on the hot path.
 *
 * @param route the input→output pair; ids are unique within it
 * @param id see {@link MessageId}
 * @param dueMicros the earliest moment of firing, which Chronos calls the <em>deadline</em>
 * @param output the destination in place of the route's output topic; null for the route's own
 * @param headers the relayed headers as {@link HeaderCodec} writes them
 * @param key null when the record had none
 * @param value null when the record had none (a tombstone)
 */
@SuppressWarnings(
    "ArrayRecordComponent") // opaque bytes, never compared and never copied on the hot path
public record DelayedMessage(
    RouteId route,
    MessageId id,
    long dueMicros,
    @Nullable MessageOutput output,
    byte[] headers,
    byte @Nullable [] key,
    byte @Nullable [] value) {

  /**
   * Memory that one held message costs beyond its bytes: objects, references, map entry. Measured,
   * rounded up.
   */
  private static final int OVERHEAD_BYTES = 320;

  public Instant dueAt() {
    return EpochMicros.toInstant(dueMicros);
  }

  /** Returns the size that counts for every bound in bytes. */
  public int sizeBytes() {
    return OVERHEAD_BYTES + payloadBytes();
  }

  /** Returns the bytes of key, value and headers. */
  public int payloadBytes() {
    return headers.length + (key == null ? 0 : key.length) + (value == null ? 0 : value.length);
  }

  public DelayedMessage dueAt(long newDueMicros) {
    return new DelayedMessage(route, id, newDueMicros, output, headers, key, value);
  }

  /** Never shows payload. */
  @Override
  public String toString() {
    return "DelayedMessage[route=" + route.value() + ", id=" + id + ", dueAt=" + dueAt() + "]";
  }
}
