package io.kairos.postgres.node;

import io.kairos.contracts.DelayStores;
import io.kairos.contracts.LivenessStoreContract;
import io.kairos.postgres.delay.ContractStores;

final class PostgresLivenessStoreTest extends LivenessStoreContract {
  @Override
  protected DelayStores freshStores() {
    return ContractStores.fresh();
  }
}
