package io.kairos.engine.delay.port;

import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.MessageId;
import java.util.List;
import java.util.Set;

/** What became of an intake batch. */
public sealed interface IntakeResult {
  /**
   * Everything is stored.
   *
   * @param inserted ids that were new; the others were duplicates of pending messages and are
   *     ignored (CH-12)
   * @param decided outcomes of the amendments that needed no holder, for counting
   */
  record Stored(Set<MessageId> inserted, List<AmendmentOutcome> decided) implements IntakeResult {}

  /**
   * Another node has moved a position: it owns the partition now. Or the fence's node has been
   * buried: nobody would look after what it takes in. Nothing was changed.
   */
  record Superseded() implements IntakeResult {}
}
