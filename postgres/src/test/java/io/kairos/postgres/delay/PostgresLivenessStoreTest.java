package io.kairos.postgres.delay;

import io.kairos.testkit.delay.DelayStores;
import io.kairos.testkit.delay.LivenessStoreContract;

final class PostgresLivenessStoreTest extends LivenessStoreContract {
  @Override
  protected DelayStores freshStores() {
    return ContractStores.fresh();
  }
}
