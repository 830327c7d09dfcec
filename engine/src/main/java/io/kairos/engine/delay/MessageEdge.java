package io.kairos.engine.delay;

import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.PostedId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.engine.delay.letter.LetterEdge;
import io.kairos.engine.delay.port.KeptLetter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Access to a node's delay queue for edges other than the input topics. Thread-safe. Calls the
 * store on the caller's thread and throws {@link io.kairos.engine.node.StoreUnavailable} when the
 * store does not answer.
 */
public interface MessageEdge {
  /**
   * The first route of this node that may publish to all of these topics: its output topic and
   * those on its allow-list. Empty when there is none.
   */
  Optional<RouteId> routeTo(Set<TopicName> topics);

  /** The topics to which a route of this node may publish; empty for a route of others. */
  Set<TopicName> topics(RouteId route);

  /**
   * Accepts messages durably, all or none.
   *
   * @return their ids, in order
   */
  List<PostedId> post(RouteId route, List<NewMessage> messages);

  /**
   * Changes a message that was posted and has not been published. Waits for its holder's decision.
   *
   * @return empty when the holder has not decided in time; the amendment may still be applied
   */
  Optional<AmendmentOutcome> amend(PostedId id, Amendment amendment);

  /** A message that came by a call; empty when no route of this node has the id's number. */
  default Optional<MessageView> find(PostedId id) {
    return Optional.empty();
  }

  /** A message of a route by its own id; empty when this node has no route of this name. */
  default Optional<MessageView> find(String route, MessageId id) {
    return Optional.empty();
  }

  /** The dead letters of this node's routes; empty where they cannot be read. */
  default Optional<LetterEdge> letters() {
    return Optional.empty();
  }

  /** A record whose dead letter was truncated and that was kept whole. */
  default Optional<KeptLetter> letter(UUID id) {
    return Optional.empty();
  }
}
