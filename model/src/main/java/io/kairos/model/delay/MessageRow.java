package io.kairos.model.delay;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.ClaimedMessage;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** One stored message. Only {@link MessageTable} changes it, because it keeps the index. */
final class MessageRow {
  /** No deferral: every due time is later. */
  static final long NOT_DEFERRED = Long.MIN_VALUE;

  /** In the order in which messages are claimed. */
  static final Comparator<MessageRow> EARLIEST_FIRST =
      Comparator.comparingLong(MessageRow::claimableFromMicros)
          .thenComparingInt(row -> row.message.route().value())
          .thenComparing(row -> row.message.id().value());

  static final Comparator<MessageRow> DUE_FIRST =
      Comparator.<MessageRow>comparingLong(row -> row.message.dueMicros())
          .thenComparing(EARLIEST_FIRST);

  DelayedMessage message;
  @Nullable Fence fence;
  long deferredUntilMicros = NOT_DEFERRED;
  boolean amended;
  boolean maybeFired;

  MessageRow(DelayedMessage message, @Nullable Fence fence) {
    this.message = message;
    this.fence = fence;
  }

  long claimableFromMicros() {
    return Math.max(message.dueMicros(), deferredUntilMicros);
  }

  @Nullable NodeId holder() {
    Fence held = fence;
    return held == null ? null : held.readiedBy();
  }

  boolean carries(Fence pair) {
    return pair.equals(fence);
  }

  ClaimedMessage asClaimed() {
    Fence held = fence;
    if (held == null) {
      throw new IllegalStateException("not held: " + message);
    }
    return new ClaimedMessage(message, held, amended, maybeFired);
  }
}
