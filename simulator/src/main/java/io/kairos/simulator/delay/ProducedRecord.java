package io.kairos.simulator.delay;

import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One record that was produced to an input topic, with its history. A tag, which is a header that
 * Kairos relays, identifies the record whatever its id.
 */
final class ProducedRecord {
  static final long NEVER = Long.MIN_VALUE;

  /** A record as the producer wrote it, and its expected result. */
  @SuppressWarnings("ArrayRecordComponent") // opaque bytes, compared by content where they are
  record Submitted(
      long tag,
      RouteId route,
      int partition,
      long offset,
      long atNanos,
      Expected expected,
      byte @Nullable [] key,
      byte @Nullable [] value,
      List<MessageHeader> headers) {}

  /** The expected result of a record. */
  sealed interface Expected {
    /** The message fires: these headers go to this topic, unless the broker refuses it there. */
    record Fires(
        MessageId id, long dueMicros, String topic, List<MessageHeader> headers, boolean isRefused)
        implements Expected {}

    /** The record cannot be handled, for this reason. */
    record IsParked(String reason) implements Expected {}
  }

  final Submitted submitted;
  final List<MessageSend> sends = new ArrayList<>();

  /** When it was stored and removed, virtual nanoseconds. */
  long storedAt = NEVER;

  long removedAt = NEVER;
  boolean cancelled;

  /** When an amendment of it was last applied. */
  long appliedAt = NEVER;

  long dueMicros;
  @Nullable Fence holder;

  /** When the stored position passed the record, virtual nanoseconds. */
  long takenInAt = NEVER;

  /** Changes of owner under suspicion, and other causes for which a second copy may come. */
  int excuses;

  int written;
  int parked;
  boolean wasDeferred;

  /** True when an amendment was answered with too late, so that the message must come out. */
  boolean mustComeOut;

  ProducedRecord(Submitted submitted) {
    this.submitted = submitted;
    this.dueMicros = fires().map(Expected.Fires::dueMicros).orElse(0L);
  }

  Optional<Expected.Fires> fires() {
    return submitted.expected() instanceof Expected.Fires fires
        ? Optional.of(fires)
        : Optional.empty();
  }

  boolean isStored() {
    return storedAt != NEVER && removedAt == NEVER;
  }

  /** True when a send under this pair was acknowledged, and its sender knows it. */
  boolean isAcknowledgedTo(@Nullable Fence holder) {
    return holder != null
        && sends.stream().anyMatch(send -> send.acknowledged && holder.equals(send.under));
  }

  boolean wasStoredBetween(long fromNanos, long toNanos) {
    return storedAt != NEVER
        && storedAt <= toNanos
        && (removedAt == NEVER || removedAt >= fromNanos);
  }

  @Override
  public String toString() {
    return "message %s%s of route %s, input %s@%s"
        .formatted(
            submitted.tag(),
            fires().map(fires -> " (id " + fires.id() + ")").orElse(" (not a message)"),
            submitted.route().value(),
            submitted.partition(),
            submitted.offset());
  }
}
