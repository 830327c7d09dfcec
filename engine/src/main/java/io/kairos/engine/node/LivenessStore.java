package io.kairos.engine.node;

import io.kairos.domain.node.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Stores the liveness of nodes. Only the store's clock decides who is alive, with the lapse that
 * each node gave when it enrolled: nodes may be configured differently for a while and must agree
 * on who is dead. The store has its own connection, so that many other statements cannot make a
 * live node look dead. The failure rules of {@link io.kairos.engine.delay.port.MessageStore} apply.
 */
public interface LivenessStore {
  /** The store's time. */
  Instant time();

  /**
   * Stores a new node as alive from now, and returns the store's time.
   *
   * @param lapse time after its last renewal at which the node counts as dead
   */
  Instant enrol(NodeId node, Duration lapse);

  /**
   * Renews the node's liveness and returns the store's time. Changes nothing and returns empty when
   * the node has lapsed or retired.
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
   * Removes nodes that departed longer than {@code grace} ago and hold nothing. Their unfinished
   * statements must have ended within the grace.
   */
  void bury(Duration grace);

  /**
   * A node that lapsed or retired.
   *
   * @param retired true when the node retired itself, false when it lapsed and is only suspected to
   *     be dead
   */
  record Departed(NodeId node, boolean retired) {}
}
