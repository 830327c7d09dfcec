package io.kairos.contracts;

import io.kairos.engine.delay.port.AmendmentStore;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.node.LivenessStore;
import io.kairos.model.delay.ModelDelayStore;
import java.time.Duration;
import java.time.Instant;

/** A fresh {@link ModelDelayStore} on a clock that stands still until a test moves it. */
public final class ModelDelayStores implements DelayStores {
  private Instant now = Instant.parse("2026-01-01T12:00:00Z");
  private final ModelDelayStore store = new ModelDelayStore(() -> now);

  @Override
  public MessageStore messages() {
    return store;
  }

  @Override
  public AmendmentStore amendments() {
    return store;
  }

  @Override
  public LivenessStore liveness() {
    return store;
  }

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public void letPass(Duration duration) {
    now = now.plus(duration);
  }
}
