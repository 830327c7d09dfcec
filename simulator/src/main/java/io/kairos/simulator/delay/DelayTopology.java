package io.kairos.simulator.delay;

import io.kairos.domain.delay.RouteId;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.engine.delay.port.InputSource;
import io.kairos.engine.delay.setup.Route;
import java.util.List;
import java.util.Set;

/** The routes of the simulated cluster and their topics. */
record DelayTopology(List<Pair> pairs) {
  /** A topic that messages may name as their own output. */
  static final String ELSEWHERE = "elsewhere";

  record Pair(RouteId id, String name, boolean relayId) {
    String input() {
      return name + "-in";
    }

    String output() {
      return name + "-out";
    }

    String deadLetters() {
      return name + "-dead";
    }

    String results() {
      return name + "-results";
    }

    Route route(InputSource source) {
      return new Route(
          id,
          name,
          input(),
          new TopicName(output()),
          Set.of(new TopicName(ELSEWHERE)),
          new TopicName(deadLetters()),
          new TopicName(results()),
          relayId,
          false,
          null,
          source);
    }
  }
}
