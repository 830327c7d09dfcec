package io.kairos.simulator;

import io.kairos.domain.delay.RouteId;
import io.kairos.domain.task.TopicName;
import io.kairos.engine.delay.Route;
import io.kairos.engine.delay.port.InputSource;
import java.util.List;
import java.util.Set;

/** The routes of the simulated cluster and their topics. */
record Topology(List<Pair> pairs) {
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
          source);
    }

    PublishRules.Topics topics() {
      return new PublishRules.Topics(id, results(), deadLetters());
    }
  }
}
