package io.kairos.engine.cluster;

import io.kairos.engine.cluster.WaitingCounts.Count;
import java.util.List;

/**
 * A route as all nodes know it.
 *
 * @param told what the nodes tell that serve it, by their names; empty when none does
 */
public record RouteState(String name, Count waiting, List<RouteFigures> told) {
  public RouteState {
    told = List.copyOf(told);
  }
}
