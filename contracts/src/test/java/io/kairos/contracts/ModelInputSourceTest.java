package io.kairos.contracts;

import io.kairos.engine.delay.port.InputSource;
import io.kairos.engine.loop.Wakeup;
import io.kairos.model.delay.BrokerFixture;
import io.kairos.model.delay.ModelBroker;
import java.time.Duration;
import java.time.Instant;

final class ModelInputSourceTest extends InputSourceContract {
  /** In one thread nothing comes while a poll waits. */
  private static final Wakeup NO_WAIT =
      new Wakeup() {
        @Override
        public void signal() {}

        @Override
        public void await(Duration atMost) {}
      };

  private final ModelBroker broker = new ModelBroker(() -> Instant.EPOCH);

  @Override
  protected BrokerFixture broker() {
    return broker;
  }

  @Override
  protected InputSource open(String group, String topic) {
    return broker.join(group, topic, 100, () -> NO_WAIT);
  }
}
