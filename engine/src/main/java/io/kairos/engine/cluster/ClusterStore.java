package io.kairos.engine.cluster;

import io.kairos.domain.node.NodeId;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Shares the figures of all nodes, and counts what waits. Nothing of it is needed to do any work:
 * the store may lose all figures when it fails. Thread-safe; calls block. Throws {@link
 * io.kairos.engine.node.StoreUnavailable}.
 */
public interface ClusterStore {
  /** The store's clock. */
  Instant now();

  /**
   * Keeps what a node tells of its periods, each for an hour. A period of a node that is told again
   * replaces what was told before.
   */
  void write(List<NodeFigures> told);

  /** Keeps what a node tells of its last minute, in place of what it told before. */
  void tell(NodeDetails told);

  /**
   * What nodes have told last of their last minutes, of those that have told it at the end of this
   * period or later and are not known to have ended. Their order is not defined.
   */
  List<NodeDetails> details(long from);

  /**
   * What all nodes have told of periods, the earliest first.
   *
   * @param from number of the first period
   * @param to number of the last period, less than an hour after the first
   */
  List<NodePeriod> figures(long from, long to);

  /**
   * Removes what nodes that are gone have told of the same periods of earlier hours, and what nodes
   * have told of their last minute and of routes before the first period.
   *
   * @param from number of the first period
   * @param to number of the last period
   * @return the number of removed entries, without those of last minutes
   */
  int prune(long from, long to);

  /**
   * Nodes that live, and those that died and have told figures after this period. A node that died
   * more than two minutes ago may be missing when it had told figures for less than a minute. Their
   * order is not defined.
   */
  List<ClusterNode> nodes(long after);

  /**
   * Keeps what a node tells of its routes, in the place of what it told before.
   *
   * @param period in which it is told
   * @param routes none for a node that stops
   */
  void tellRoutes(NodeId node, long period, List<RouteFigures> routes);

  /** What nodes have told of their routes since this period. Their order is not defined. */
  List<RouteFigures> toldRoutes(long from);

  /** Messages that are stored, by route, those of no message included; an estimate of many. */
  Map<String, WaitingCounts.Count> messagesByRoute();

  /** Counts what waits. Reads some million entries at most, and takes no locks. */
  WaitingCounts waiting(WaitingSpan span);
}
