package io.kairos.engine.cluster;

import java.time.Instant;
import java.util.List;

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

  /**
   * What all nodes have told of periods, the earliest first.
   *
   * @param from number of the first period
   * @param to number of the last period, less than an hour after the first
   */
  List<NodePeriod> figures(long from, long to);

  /**
   * Removes what nodes that are gone have told of the same periods of earlier hours.
   *
   * @param from number of the first period
   * @param to number of the last period
   * @return the number of removed entries
   */
  int prune(long from, long to);

  /**
   * Nodes that live, and those that died and have told figures after this period. A node that died
   * more than two minutes ago may be missing when it had told figures for less than a minute. Their
   * order is not defined.
   */
  List<ClusterNode> nodes(long after);

  /** Counts what waits. Reads some million entries at most, and takes no locks. */
  WaitingCounts waiting(WaitingSpan span);
}
