package io.kairos.contracts;

import io.kairos.engine.delay.port.Publisher;
import io.kairos.model.delay.BrokerFixture;
import io.kairos.model.delay.ModelBroker;
import io.kairos.model.delay.RecordTransit;
import java.time.Duration;
import java.time.Instant;

final class ModelPublisherTest extends PublisherContract {
  private final ModelBroker broker = new ModelBroker(() -> Instant.EPOCH);

  @Override
  protected BrokerFixture broker() {
    return broker;
  }

  @Override
  protected Publisher publisher() {
    return broker.publisher(RecordTransit.IMMEDIATE);
  }

  @Override
  protected int tooLargeBytes() {
    return ModelBroker.DEFAULT_MAX_RECORD_BYTES + 1;
  }

  @Override
  protected Duration publishTimeout() {
    return Duration.ZERO;
  }
}
