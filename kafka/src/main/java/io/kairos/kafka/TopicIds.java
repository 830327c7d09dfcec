package io.kairos.kafka;

import io.kairos.engine.delay.port.TopicId;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the broker for the current id of a topic's name, with a separate client whose thread waits
 * for the answer. One request at a time. Used by the thread of its {@link GroupMembership}.
 */
final class TopicIds {
  /** Prefix of the thread's name before the client's id; Kafka's constant is not public. */
  private static final String THREAD = "kafka-admin-client-thread | ";

  private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(2);

  private final String topic;
  private final NetworkThread thread;
  private final Admin admin;
  private @Nullable KafkaFuture<TopicDescription> asked;

  /**
   * Creates the client without connecting.
   *
   * @param threadDied is notified when the client's thread has ended by an error; no answer comes
   *     any more
   */
  TopicIds(KafkaConfig config, String clientId, String topic, Consumer<Throwable> threadDied) {
    this.topic = topic;
    this.thread = new NetworkThread(THREAD + clientId, threadDied);
    this.admin = thread.of(() -> Admin.create(ClientSettings.admin(config, clientId)));
  }

  /** Drops a pending request, so that the next answer is a fresh one. */
  void forget() {
    asked = null;
  }

  /**
   * Asks for the id, unless a request is pending, and waits at most this long. Empty when the
   * answer has not come yet, when the broker is away, or when it has no such topic at the moment.
   *
   * @throws KafkaException when the broker refuses the request
   */
  Optional<TopicId> ask(Duration atMost) {
    KafkaFuture<TopicDescription> question = asked;
    if (question == null) {
      question =
          Objects.requireNonNull(
              admin
                  .describeTopics(
                      List.of(topic),
                      new DescribeTopicsOptions()
                          .timeoutMs(Math.toIntExact(ANSWERED_WITHIN.toMillis())))
                  .topicNameValues()
                  .get(topic));
      asked = question;
    }
    try {
      Uuid id = question.get(atMost.toNanos(), TimeUnit.NANOSECONDS).topicId();
      asked = null;
      return Optional.of(
          new TopicId(new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits())));
    } catch (TimeoutException e) {
      return Optional.empty();
    } catch (ExecutionException e) {
      asked = null;
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

  void close() {
    thread.mayEnd();
    admin.close(Duration.ZERO);
  }
}
