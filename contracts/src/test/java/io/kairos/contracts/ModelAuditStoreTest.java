package io.kairos.contracts;

import io.kairos.engine.audit.AuditStore;
import io.kairos.model.audit.ModelAuditStore;
import java.time.Duration;
import java.time.Instant;

class ModelAuditStoreTest extends AuditStoreContract {
  private Instant now = Instant.parse("2026-03-01T12:00:00Z");

  @Override
  protected AuditStore open() {
    return new ModelAuditStore(() -> now);
  }

  @Override
  protected void pass(Duration time) {
    now = now.plus(time);
  }
}
