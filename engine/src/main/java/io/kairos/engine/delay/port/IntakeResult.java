package io.kairos.engine.delay.port;

import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.MessageId;
import java.util.List;
import java.util.Set;

/** The outcome of storing an intake batch. */
public sealed interface IntakeResult {
  /**
   * Everything is stored.
   *
   * @param inserted ids that were new; the others were duplicates of pending messages and are
   *     ignored
   * @param decided outcomes of the amendments that needed no holder's decision, for counting
   */
  record Stored(Set<MessageId> inserted, List<AmendmentOutcome> decided) implements IntakeResult {}

  /**
   * Nothing was changed, because another node has moved a position and owns the partition now, or
   * because the fence's node has been buried.
   */
  record Superseded() implements IntakeResult {}
}
