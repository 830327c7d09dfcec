package io.kairos.engine.cluster;

import java.time.Instant;
import java.util.List;

/**
 * The nodes, and what is wrong.
 *
 * @param nodes the one that answers first, then those that live, then those that died, by name
 * @param alarms the most severe first, at most {@value ClusterAlarms#MOST}
 * @param at by the store's clock, or by the node's while the store does not answer
 * @param ownOnly true while the store does not answer: then only this node is shown
 */
public record ClusterState(
    List<ClusterNode> nodes, List<ClusterAlarm> alarms, Instant at, boolean ownOnly) {
  public ClusterState {
    nodes = List.copyOf(nodes);
    alarms = List.copyOf(alarms);
  }
}
