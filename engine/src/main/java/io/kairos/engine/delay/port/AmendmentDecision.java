package io.kairos.engine.delay.port;

import io.kairos.domain.delay.AmendmentOutcome;
import java.util.List;

/**
 * A holder's decision about one message and its pending amendments.
 *
 * @param message the message under the holder's fence; the decision changes nothing if the stored
 *     fence differs
 * @param change the change to the message's row
 * @param outcomes one per amendment
 */
public record AmendmentDecision(ClaimedMessage message, RowChange change, List<Decided> outcomes) {
  /** A change to the message's row. */
  public sealed interface RowChange {
    /** The firing has begun: the row stays as it is. */
    record Keep() implements RowChange {}

    /** Cancelled: the row is deleted. Amendments after the decided ones find an unknown id. */
    record Delete() implements RowChange {}

    /**
     * Given back as waiting, with this due time. The row keeps its fence only while later
     * amendments are undecided: the holder decides them next.
     */
    record Reschedule(long dueMicros) implements RowChange {}
  }

  public record Decided(long number, AmendmentOutcome outcome) {}
}
