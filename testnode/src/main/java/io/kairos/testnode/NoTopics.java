package io.kairos.testnode;

import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.PostedId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.engine.delay.MessageEdge;
import io.kairos.engine.delay.NewMessage;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Topics of a node without Kafka: publishing is not allowed to any. */
final class NoTopics implements MessageEdge {
  @Override
  public Optional<RouteId> routeTo(Set<TopicName> topics) {
    return Optional.empty();
  }

  @Override
  public List<PostedId> post(RouteId route, List<NewMessage> messages) {
    throw new IllegalStateException("there is no route");
  }

  @Override
  public Optional<AmendmentOutcome> amend(PostedId id, Amendment amendment) {
    return Optional.of(AmendmentOutcome.UNKNOWN_ID);
  }
}
