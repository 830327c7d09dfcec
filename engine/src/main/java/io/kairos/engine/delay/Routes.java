package io.kairos.engine.delay;

import io.kairos.domain.delay.RouteId;
import io.kairos.domain.task.Output;
import io.kairos.domain.task.TopicName;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The routes that this node serves, by number. */
final class Routes {
  private final Map<RouteId, Route> byId = new LinkedHashMap<>();
  private final Set<Output> outputs = new LinkedHashSet<>();
  private final Set<TopicName> sideTopics = new LinkedHashSet<>();

  Routes(List<Route> routes) {
    for (Route route : routes) {
      if (byId.put(route.id(), route) != null) {
        throw new IllegalArgumentException("two routes have the number " + route.id().value());
      }
      outputs.add(route.outputTopic());
      outputs.addAll(route.allowedOutputs());
      sideTopics.add(route.deadLetterTopic());
      TopicName resultsTopic = route.resultsTopic();
      if (resultsTopic != null) {
        sideTopics.add(resultsTopic);
      }
    }
  }

  Collection<Route> all() {
    return byId.values();
  }

  Map<RouteId, Route> byId() {
    return byId;
  }

  Set<RouteId> ids() {
    return byId.keySet();
  }

  /** Everything that delayed messages may go to. */
  Set<Output> outputs() {
    return outputs;
  }

  /** Every topic that is written now and then: dead letters and results. */
  Set<TopicName> sideTopics() {
    return sideTopics;
  }

  Route get(RouteId id) {
    Route route = byId.get(id);
    if (route == null) {
      throw new IllegalStateException("this node does not serve route " + id.value());
    }
    return route;
  }

  DeadLetters deadLetters(RouteId id) {
    return new DeadLetters(get(id));
  }
}
