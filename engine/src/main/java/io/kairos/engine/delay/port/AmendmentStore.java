package io.kairos.engine.delay.port;

import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where amendments wait for their decision and outcomes for their telling. An amendment of an
 * unclaimed message without other pending amendments is decided by the write that brings it; any
 * other waits for the message's holder. Same failure rules as {@link MessageStore}.
 */
public interface AmendmentStore {
  /**
   * Accepts one amendment outside any intake batch (replyTo must be {@link ReplyTo.Caller}).
   *
   * @return its number; ask {@link #outcome} for how it ended
   */
  long request(AmendRequest request);

  /** How the caller's amendment ended, empty while undecided. */
  Optional<AmendmentOutcome> outcome(long number);

  /**
   * Undecided amendments of messages that this node holds, in the order of their numbers, at most
   * {@code limit}.
   */
  List<PendingAmendment> undecided(NodeId holder, int limit);

  /**
   * Carries out decisions whose message still carries its pair; the others change nothing.
   *
   * @param by the deciding node, which tells the results
   * @return the decisions that were carried out
   */
  List<AmendmentDecision> decide(NodeId by, List<AmendmentDecision> decisions);

  /**
   * Outcomes for results topics that were decided by this node (in {@link #decide}, {@link
   * MessageStore#delete} or {@code accept}) and not yet told: those of one route, in the order of
   * their numbers, beginning after the given one.
   */
  List<AmendmentResult> untold(NodeId decidedBy, RouteId route, long afterNumber, int limit);

  /** Forgets amendments whose outcome has been told, or whose caller has read it. */
  void told(Collection<Long> numbers);

  /**
   * Makes the outcomes that a lapsed node decided this node's to tell, those of the routes that it
   * serves; the others wait for a node that does.
   */
  void adoptUntold(NodeId from, NodeId to, Set<RouteId> routes);
}
