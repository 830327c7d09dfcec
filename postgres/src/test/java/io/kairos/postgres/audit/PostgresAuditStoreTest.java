package io.kairos.postgres.audit;

import io.kairos.contracts.AuditStoreContract;
import io.kairos.engine.audit.AuditStore;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.TestDatabase;
import java.time.Duration;

class PostgresAuditStoreTest extends AuditStoreContract {
  private static final TestDatabase DATABASE = TestDatabase.create();
  private static final PostgresStores STORES = DATABASE.open();

  @Override
  protected AuditStore open() {
    DATABASE.execute("truncate audit_entry");
    return STORES.audit();
  }

  @Override
  protected void pass(Duration time) {
    DATABASE.execute("update audit_entry set began_at = began_at - " + time.toNanos() / 1_000);
  }
}
