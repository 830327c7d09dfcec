package io.kairos.engine.node;

import io.kairos.domain.node.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Stores the liveness of nodes. A node departs when it retires or when another node declares it
 * dead. No clock of the store decides it: who declares a node dead has watched it for the lapse
 * that the node gave when it enrolled, and all nodes see the same verdict. Renewals have their own
 * connection, so that many other statements cannot make a live node look dead. Every method may
 * throw {@link StoreUnavailable} and may then have taken effect. Thread-safe.
 */
public interface LivenessStore {
  /** The store's time. */
  Instant time();

  /**
   * Stores a new node as alive from now, and returns the store's time.
   *
   * @param lapse time without a renewal after which another node may declare this one dead
   */
  Instant enrol(NodeId node, Duration lapse);

  /**
   * Renews the node's liveness and returns the store's time. Changes nothing and returns empty when
   * the node has departed.
   */
  Optional<Instant> renew(NodeId node);

  /**
   * Ends the node's liveness at once: its messages may be taken over without waiting for a verdict.
   * Idempotent.
   */
  void retire(NodeId node);

  /** The latest renewal of each node that has not departed. */
  List<Renewal> alive();

  /**
   * Declares a node dead, unless it has been renewed since that renewal or has departed already.
   * The caller has seen this renewal as the node's latest for the node's lapse.
   */
  void declareDead(Renewal last);

  /** Nodes that have departed and have not been buried. */
  List<Departed> departed();

  /**
   * Removes nodes that departed longer than {@code grace} ago and hold nothing. Their unfinished
   * statements must have ended within the grace.
   */
  void bury(Duration grace);

  /**
   * The latest renewal of a node, or its enrolment.
   *
   * @param at by the store's clock; says only whether two renewals are the same
   */
  record Renewal(NodeId node, Instant at, Duration lapse) {}

  /**
   * A node that has departed.
   *
   * @param retired true when the node retired itself, false when it was declared dead and is only
   *     suspected to be so
   */
  record Departed(NodeId node, boolean retired) {}
}
