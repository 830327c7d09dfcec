package io.kairos.kafka;

import io.kairos.contracts.PublisherContract;
import io.kairos.embedded.EmbeddedKafka;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.model.delay.BrokerFixture;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class KafkaPublisherContractTest extends PublisherContract {
  private static final KafkaConfig CONFIG =
      Publishers.patient(
          KafkaConfig.at(EmbeddedKafka.shared().bootstrapServers(), "contract"),
          Duration.ofSeconds(30));

  private static KafkaPublisher publisher;
  private static KafkaFixture broker;

  @BeforeAll
  static void open() {
    publisher = Publishers.open(CONFIG);
    broker =
        new KafkaFixture(EmbeddedKafka.shared()) {
          // A send to a topic whose partitions nobody has asked for fails at once, since it must
          // not wait for the answer. A node asks before it chooses a partition; so do these tests.
          @Override
          public String newTopic(int partitions) {
            String topic = super.newTopic(partitions);
            Publishers.awaitKnown(publisher, topic);
            return topic;
          }
        };
  }

  @AfterAll
  static void close() {
    publisher.close();
    broker.close();
  }

  @Override
  protected BrokerFixture broker() {
    return broker;
  }

  @Override
  protected Publisher publisher() {
    return publisher;
  }

  @Override
  protected int tooLargeBytes() {
    return 2 << 20;
  }

  @Override
  protected Duration publishTimeout() {
    return CONFIG.output().publishTimeout();
  }
}
