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
    /** The firing has begun: the row stays as it is. */
    record Keep() implements RowChange {}

    /** Cancelled: the row goes. Amendments that came after the decided ones find an unknown id. */
    record Delete() implements RowChange {}

    /**
     * Given back as waiting, with this due time. It keeps its pair only while amendments are
     * undecided that came after the decided ones: the holder decides them next.
     */
    record Reschedule(long dueMicros) implements RowChange {}
  }

  public record Decided(long number, AmendmentOutcome outcome) {}

  /** The new due time, if the decision gives one. */
  public OptionalLong newDueMicros() {
    return change instanceof RowChange.Reschedule reschedule
        ? OptionalLong.of(reschedule.dueMicros())
        : OptionalLong.empty();
  }
}
