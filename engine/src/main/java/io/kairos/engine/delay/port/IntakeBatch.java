package io.kairos.engine.delay.port;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import java.util.List;
import java.util.Set;

/**
 * What one transaction takes in from an input topic. First all messages are stored, then all
 * amendments applied; the caller sees to it that no amendment and message of the same batch name
 * the same id in another order, and that no id occurs twice in either list.
 *
 * @param fence the pair that {@code claimed} messages get
 * @param moves positions of one topic to move; if any of them fails the whole batch changes nothing
 * @param claimed messages stored as held by the fence at once (claim-on-insert)
 * @param waiting messages stored unclaimed
 * @param maybeFired ids among both whose direct publish may have been written: they are stored with
 *     the mark of {@link Claimed#maybeFired}
 */
public record IntakeBatch(
    RouteId route,
    Fence fence,
    List<OffsetMove> moves,
    List<DelayedMessage> claimed,
    List<DelayedMessage> waiting,
    List<AmendRequest> amendments,
    Set<MessageId> maybeFired) {
  /** A batch of which nothing has been sent. */
  public IntakeBatch(
      RouteId route,
      Fence fence,
      List<OffsetMove> moves,
      List<DelayedMessage> claimed,
      List<DelayedMessage> waiting,
      List<AmendRequest> amendments) {
    this(route, fence, moves, claimed, waiting, amendments, Set.of());
  }
}
