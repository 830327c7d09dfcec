package io.kairos.engine.cluster;

import io.kairos.domain.node.NodeId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A view of all nodes, for the edges of one. Thread-safe. Calls ask the store on the caller's
 * thread; a caller should not ask for {@link #state}, {@link #routes} or {@link #waiting} more than
 * once in some seconds.
 */
public interface ClusterEdge {
  /** The id of the answering node's present life; empty while it has none. */
  Optional<NodeId> self();

  /** The nodes, and what is wrong; while the store does not answer, this node and that alone. */
  ClusterState state();

  /**
   * Figures of the last hour; while the store does not answer, those of this node.
   *
   * @param after only periods that begin after it; null for the whole hour
   */
  ClusterFigures figures(@Nullable Instant after);

  /**
   * What all nodes did in the last minute by handler and endpoint, as they have told it some
   * seconds ago. May be called often: the store is asked once in two seconds.
   *
   * @throws io.kairos.engine.node.StoreUnavailable when the store does not answer
   */
  DetailFigures lastMinute();

  /**
   * The routes of the delay queue by name, those that no node serves included.
   *
   * @throws io.kairos.engine.node.StoreUnavailable when the store does not answer
   */
  List<RouteState> routes();

  /**
   * Counts what waits.
   *
   * @throws io.kairos.engine.node.StoreUnavailable when the store does not answer
   */
  WaitingCounts waiting(WaitingSpan span);
}
