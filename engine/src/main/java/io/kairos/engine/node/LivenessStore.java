package io.kairos.engine.node;

import io.kairos.domain.node.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Who is believed alive, judged by the store's clock alone (law 4), and by the lapse with which it
 * enrolled: nodes may be configured differently for a while, and must agree on who is dead. Has its
 * own connection, so that a crowd of other statements cannot make a live node look dead. Same
 * failure rules as {@link io.kairos.engine.delay.port.MessageStore}.
 */
public interface LivenessStore {
  /** The store's time. */
  Instant time();

  /**
   * Enters a new node as alive from now, and returns the store's time.
   *
   * @param lapse how long after its last renewal all are to count it as dead
   */
  Instant enrol(NodeId node, Duration lapse);

  /**
   * Renews the node's liveness unless it has lapsed or retired; then returns empty and changes
   * nothing. Otherwise the store's time.
   */
  Optional<Instant> renew(NodeId node);

  /**
   * Ends the node's liveness at once: its messages may be taken over without waiting for the lapse.
   * Idempotent.
   */
  void retire(NodeId node);

  /** Nodes that are alive: enrolled, neither lapsed nor retired. */
  Set<NodeId> alive();

  /** Nodes that have lapsed or retired and have not been buried. */
  List<Departed> departed();

  /**
   * Removes nodes that departed longer than {@code grace} ago and hold nothing. The grace covers
   * statements of theirs that may still be under way.
   */
  void bury(Duration grace);

  /**
   * A node that is gone.
   *
   * @param retired true when it said so itself, false when it lapsed, which is suspicion only
   *     (CH-53)
   */
  record Departed(NodeId node, boolean retired) {}
}
