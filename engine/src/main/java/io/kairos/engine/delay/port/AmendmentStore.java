package io.kairos.engine.delay.port;

import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Stores undecided amendments, and outcomes that are not yet reported. An amendment of an unclaimed
 * message without other pending amendments is decided by the write that stores it; any other waits
 * for the message's holder. The failure rules of {@link MessageStore} apply.
 */
public interface AmendmentStore {
  /**
   * Accepts one amendment outside any intake batch (replyTo must be {@link ReplyTo.Caller}).
   *
   * @return its number; ask {@link #outcome} for how it ended
   */
  long request(AmendRequest request);

  /** The outcome of a caller's amendment, empty while undecided. */
  Optional<AmendmentOutcome> outcome(long number);

  /**
   * Undecided amendments of messages that {@code holder} holds, in the order of their numbers, at
   * most {@code limit}.
   */
  List<PendingAmendment> undecided(NodeId holder, int limit);

  /**
   * Carries out decisions whose message still has its fence; the others change nothing.
   *
   * @param by the deciding node, which publishes the results
   * @return the decisions that were carried out
   */
  List<AmendmentDecision> decide(NodeId by, List<AmendmentDecision> decisions);

  /**
   * Unpublished outcomes of one route that {@code decidedBy} decided in {@link #decide}, {@link
   * MessageStore#delete} or {@link MessageStore#accept}, in the order of their numbers, beginning
   * after {@code afterNumber}, at most {@code limit}.
   */
  List<AmendmentResult> untold(NodeId decidedBy, RouteId route, long afterNumber, int limit);

  /** Deletes amendments whose outcome has been published, or read by the caller. */
  void told(Collection<Long> numbers);

  /**
   * Transfers unpublished outcomes of these routes from a departed node to another, which then
   * publishes them. Outcomes of other routes wait for a node that serves their route.
   */
  void adoptUntold(NodeId from, NodeId to, Set<RouteId> routes);
}
