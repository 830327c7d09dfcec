package io.kairos.simulator.kernel;

import io.kairos.domain.node.NodeId;
import java.util.HashMap;
import java.util.Map;

/**
 * The time at which each node's liveness was last renewed or ended, by the store's clock. Decides
 * which nodes may be declared dead.
 */
public final class LivenessHistory {
  private final Kernel kernel;
  private final long lapseNanos;
  private final Map<NodeId, Long> renewedAtNanos = new HashMap<>();
  private final Map<NodeId, Long> retiredAtNanos = new HashMap<>();

  LivenessHistory(Kernel kernel, long lapseNanos) {
    this.kernel = kernel;
    this.lapseNanos = lapseNanos;
  }

  void renewed(NodeId node) {
    renewedAtNanos.put(node, kernel.nowNanos());
  }

  void retired(NodeId node) {
    retiredAtNanos.putIfAbsent(node, kernel.nowNanos());
  }

  /** True when the store would call the node dead now. */
  public boolean hasDeparted(NodeId node) {
    Long renewed = renewedAtNanos.get(node);
    return retiredAtNanos.containsKey(node)
        || renewed == null
        || kernel.nowNanos() - renewed >= lapseNanos;
  }
}
