package io.kairos.server.wiring;

import io.kairos.kafka.KafkaConfig;
import io.kairos.kafka.KafkaTopics;
import io.kairos.kafka.TopicRole;
import io.kairos.server.config.RouteConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The check of the topics of all routes, which creates those that are missing. */
record TopicsCheck(KafkaConfig kafka, Map<String, TopicRole> roles) {
  TopicsCheck {
    roles = Map.copyOf(roles);
  }

  static TopicsCheck of(KafkaConfig kafka, List<RouteConfig> routes) {
    Map<String, TopicRole> roles = new HashMap<>();
    for (RouteConfig route : routes) {
      route.allowedOutputs().forEach(topic -> roles.put(topic, TopicRole.OUTPUT));
      roles.put(route.output(), TopicRole.OUTPUT);
      if (route.resultsTopic() != null) {
        roles.put(route.resultsTopic(), TopicRole.RESULTS);
      }
      roles.put(route.deadLetterTopic(), TopicRole.DEAD_LETTER);
      roles.put(route.input(), TopicRole.INPUT);
    }
    return new TopicsCheck(kafka, roles);
  }

  /**
   * Asks the broker; each question waits for it for at most {@code kafka.topics.timeout}.
   *
   * @throws io.kairos.kafka.TopicsUnusable when the topics cannot be used, or the broker is away
   */
  void run() {
    var _ = new KafkaTopics(kafka).check(roles);
  }
}
