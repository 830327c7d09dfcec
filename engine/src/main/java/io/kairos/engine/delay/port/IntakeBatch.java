package io.kairos.engine.delay.port;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import java.util.List;
import java.util.Set;

/**
 * Messages and amendments that one transaction stores. All messages are stored before the
 * amendments are applied. The caller ensures that no message follows an amendment of its id in one
 * batch, and that no id occurs twice among the messages or the amendments.
 *
 * @param fence the fence of {@code claimed} messages
 * @param moves positions of one topic to move; if any move fails, the whole batch changes nothing
 * @param claimed messages stored as held under the fence (claim-on-insert)
 * @param waiting messages stored unclaimed
 * @param maybeFired ids of messages in either list whose direct publish may have been written: they
 *     are stored as {@linkplain ClaimedMessage#maybeFired maybe fired}
 */
public record IntakeBatch(
    RouteId route,
    Fence fence,
    List<OffsetMove> moves,
    List<DelayedMessage> claimed,
    List<DelayedMessage> waiting,
    List<AmendRequest> amendments,
    Set<MessageId> maybeFired) {}
