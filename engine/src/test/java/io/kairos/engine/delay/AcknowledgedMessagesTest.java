package io.kairos.engine.delay;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.ClaimedMessage;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class AcknowledgedMessagesTest {
  private final AcknowledgedMessages settled = new AcknowledgedMessages();

  @Test
  void what_is_being_deleted_counts_until_that_is_confirmed() {
    settled.add(
        new ClaimedMessage(
            new DelayedMessage(
                new RouteId(1), new MessageId("x"), 0, null, new byte[0], null, null),
            new Fence(new NodeId(new UUID(1, 2)), 3)));

    assertThat(settled.take(10)).hasSize(1);
    assertThat(settled.take(10)).isEmpty();
    assertThat(settled.isEmpty()).isFalse();

    settled.confirmed(1);
    assertThat(settled.isEmpty()).isTrue();
  }
}
