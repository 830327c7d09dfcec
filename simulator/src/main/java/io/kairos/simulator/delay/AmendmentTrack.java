package io.kairos.simulator.delay;

import static io.kairos.simulator.delay.ProducedRecord.NEVER;

import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import org.jspecify.annotations.Nullable;

/** One request to amend a message, from a control record or a caller, and its outcome. */
final class AmendmentTrack {
  final RouteId route;
  final MessageId id;
  final Amendment amendment;
  final long requestedAtNanos;

  /** Partition of the control record; negative for a caller's request. */
  final int partition;

  final long offset;
  long takenInAt = NEVER;
  long decidedAt = NEVER;
  @Nullable AmendmentOutcome outcome;
  int told;

  AmendmentTrack(
      RouteId route,
      MessageId id,
      Amendment amendment,
      long requestedAtNanos,
      int partition,
      long offset) {
    this.route = route;
    this.id = id;
    this.amendment = amendment;
    this.requestedAtNanos = requestedAtNanos;
    this.partition = partition;
    this.offset = offset;
  }

  boolean isControlRecord() {
    return partition >= 0;
  }

  @Override
  public String toString() {
    return "%s of id %s of route %s%s"
        .formatted(
            amendment,
            id,
            route.value(),
            isControlRecord() ? ", input " + partition + "@" + offset : ", by a caller");
  }
}
