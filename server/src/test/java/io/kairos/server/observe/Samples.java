package io.kairos.server.observe;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.port.LongHeldMessage;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/** Things for listeners to be told of. */
final class Samples {
  static final RouteId ROUTE = new RouteId(1);
  static final NodeId NODE = new NodeId(new UUID(0, 1));

  private Samples() {}

  static DelayedMessage message(int number) {
    return new DelayedMessage(
        ROUTE, new MessageId("m" + number), 1_000_000, null, new byte[0], null, null);
  }

  /** Messages m1, m2 and so on. */
  static List<ClaimedMessage> claimed(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(number -> new ClaimedMessage(message(number), new Fence(NODE, number)))
        .toList();
  }

  static List<LongHeldMessage> suspects(int count) {
    return claimed(count).stream()
        .map(claim -> new LongHeldMessage(ROUTE, claim.message().id(), claim.fence()))
        .toList();
  }
}
