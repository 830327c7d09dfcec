package io.kairos.kafka;

import io.kairos.contracts.PublisherContract;
import io.kairos.domain.delay.InputRecord;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.embedded.EmbeddedKafka;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.model.delay.BrokerFixture;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class KafkaPublisherContractTest extends PublisherContract {
  private static final KafkaConfig CONFIG =
      Publishers.patient(
          KafkaConfig.at(EmbeddedKafka.shared().bootstrapServers(), "contract"),
          Duration.ofSeconds(30));

  private static KafkaPublisher publisher;

  @BeforeAll
  static void open() {
    publisher = Publishers.open(CONFIG);
  }

  @AfterAll
  static void close() {
    publisher.close();
  }

  @Override
  protected BrokerFixture broker() {
    return new WithTopicsKnown(KafkaFixture.shared());
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

  /**
   * A send to a topic whose partitions nobody has asked for fails at once, since it must not wait
   * for the answer. A node asks before it chooses a partition; so do these tests.
   */
  private record WithTopicsKnown(BrokerFixture broker) implements BrokerFixture {
    @Override
    public String newTopic(int partitions) {
      String topic = broker.newTopic(partitions);
      Publishers.awaitKnown(publisher, topic);
      return topic;
    }

    @Override
    public void grow(String topic, int partitions) {
      broker.grow(topic, partitions);
    }

    @Override
    public void recreate(String topic, int partitions) {
      broker.recreate(topic, partitions);
    }

    @Override
    public long produce(
        String topic,
        int partition,
        long timestampMillis,
        byte @Nullable [] key,
        byte @Nullable [] value,
        List<MessageHeader> headers) {
      return broker.produce(topic, partition, timestampMillis, key, value, headers);
    }

    @Override
    public void produceAborted(String topic, int partition, byte[] value) {
      broker.produceAborted(topic, partition, value);
    }

    @Override
    public List<InputRecord> records(String topic, int partition) {
      return broker.records(topic, partition);
    }
  }
}
