package io.kairos.kafka;

import io.kairos.contracts.InputSourceContract;
import io.kairos.embedded.EmbeddedKafka;
import io.kairos.engine.delay.port.InputSource;
import io.kairos.model.delay.BrokerFixture;

class KafkaInputContractTest extends InputSourceContract {
  @Override
  protected BrokerFixture broker() {
    return KafkaFixture.shared();
  }

  @Override
  protected InputSource open(String group, String topic) {
    KafkaConfig config = KafkaConfig.at(EmbeddedKafka.shared().bootstrapServers(), "test");
    return new KafkaInput(config, group, topic, System::nanoTime, Publishers.THREAD_DIED);
  }
}
