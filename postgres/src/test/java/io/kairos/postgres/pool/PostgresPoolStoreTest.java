package io.kairos.postgres.pool;

import io.kairos.contracts.PoolStoreContract;
import io.kairos.engine.pool.port.PoolStore;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.TestDatabase;
import java.time.Duration;

class PostgresPoolStoreTest extends PoolStoreContract {
  private static final TestDatabase DATABASE = TestDatabase.create();
  private static final PostgresStores STORES = DATABASE.open();

  @Override
  protected PoolStore open() {
    DATABASE.execute("truncate http_pool, http_pool_key, http_endpoint, push_secret");
    return STORES.pools();
  }

  @Override
  protected void pass(Duration time) {
    String past = " - " + time.toNanos() / 1_000;
    DATABASE.execute("update http_endpoint set lease_until = lease_until" + past);
    DATABASE.execute("update http_pool_key set retires_at = retires_at" + past);
  }
}
