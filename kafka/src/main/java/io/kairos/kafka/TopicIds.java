package io.kairos.kafka;

import io.kairos.engine.delay.port.TopicId;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Asks the broker which topic bears a name now. Seldom: whenever partitions are assigned, so the
 * client that asks lives no longer than the question.
 */
record TopicIds(KafkaConfig config, String clientId) {
  /**
   * Waits at most this long; empty when the broker is away or has no such topic at the moment.
   *
   * @throws KafkaException when the broker refuses to tell
   */
  Optional<TopicId> ask(String topic, Duration atMost) {
    try (Admin admin = Admin.create(ClientSettings.admin(config, clientId))) {
      Uuid id =
          Objects.requireNonNull(
                  admin
                      .describeTopics(
                          List.of(topic),
                          new DescribeTopicsOptions().timeoutMs(Math.toIntExact(atMost.toMillis())))
                      .topicNameValues()
                      .get(topic))
              .get()
              .topicId();
      return Optional.of(
          new TopicId(new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits())));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RetriableException) {
        return Optional.empty();
      }
      if (e.getCause() instanceof KafkaException told) {
        throw told;
      }
      throw new KafkaException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
