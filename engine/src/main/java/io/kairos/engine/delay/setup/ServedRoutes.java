package io.kairos.engine.delay.setup;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.delay.RouteId;
import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.domain.task.queue.TopicName;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The routes that this node serves, by id. */
public final class ServedRoutes {
  private final Map<RouteId, Route> byId = new LinkedHashMap<>();
  private final Set<MessageOutput> outputs = new LinkedHashSet<>();
  private final Set<TopicName> sideTopics = new LinkedHashSet<>();

  public ServedRoutes(List<Route> routes) {
    for (Route route : routes) {
      require(
          byId.put(route.id(), route) == null, "two routes have the number ", route.id().value());
      outputs.add(route.outputTopic());
      outputs.addAll(route.allowedOutputs());
      sideTopics.add(route.deadLetterTopic());
      TopicName resultsTopic = route.resultsTopic();
      if (resultsTopic != null) {
        sideTopics.add(resultsTopic);
      }
    }
  }

  public Collection<Route> all() {
    return byId.values();
  }

  public Map<RouteId, Route> byId() {
    return byId;
  }

  public Set<RouteId> ids() {
    return byId.keySet();
  }

  /** Every output that delayed messages may go to. */
  public Set<MessageOutput> outputs() {
    return outputs;
  }

  /** The topics of dead letters and results. */
  public Set<TopicName> sideTopics() {
    return sideTopics;
  }

  /** The route with this id; throws {@link IllegalStateException} for one that is not served. */
  public Route get(RouteId id) {
    Route route = byId.get(id);
    if (route == null) {
      throw new IllegalStateException("this node does not serve route " + id.value());
    }
    return route;
  }

  public DeadLetters deadLetters(RouteId id) {
    return new DeadLetters(get(id));
  }
}
