package io.kairos.engine.delay.port;

import io.kairos.domain.delay.AmendmentOutcome;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the holder decided about one message and its pending amendments.
 *
 * @param message the message under the holder's pair; if the store no longer has it so, the
 *     decision changes nothing
 * @param change what becomes of the row
 * @param outcomes one per amendment, by its number
 */
public record AmendmentDecision(Claimed message, RowChange change, List<Decided> outcomes) {
  /** What becomes of the row. */
  public sealed interface RowChange {
    /** The firing had begun: the row stays as it is. */
    record Keep() implements RowChange {}

    /** Cancelled: the row goes. Amendments that came after the decided ones find an unknown id. */
    record Delete() implements RowChange {}

    /** Rescheduled; the holder keeps it under the same pair, or gives it back as waiting. */
    record Reschedule(long dueMicros, boolean keepClaim) implements RowChange {}
  }

  public record Decided(long number, AmendmentOutcome outcome) {}

  /** The new due time, if the decision gives one. */
  public OptionalLong newDueMicros() {
    return change instanceof RowChange.Reschedule reschedule
        ? OptionalLong.of(reschedule.dueMicros())
        : OptionalLong.empty();
  }
}
