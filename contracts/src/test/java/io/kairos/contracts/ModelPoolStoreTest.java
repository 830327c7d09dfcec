package io.kairos.contracts;

import io.kairos.engine.pool.port.PoolStore;
import io.kairos.model.pool.ModelPoolStore;
import java.time.Duration;
import java.time.Instant;

class ModelPoolStoreTest extends PoolStoreContract {
  private Instant now = Instant.parse("2026-03-01T12:00:00Z");

  @Override
  protected PoolStore open() {
    return new ModelPoolStore(() -> now);
  }

  @Override
  protected void pass(Duration time) {
    now = now.plus(time);
  }
}
