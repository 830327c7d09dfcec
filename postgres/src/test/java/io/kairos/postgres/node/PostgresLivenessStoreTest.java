package io.kairos.postgres.node;

import io.kairos.postgres.delay.ContractStores;
import io.kairos.testkit.delay.DelayStores;
import io.kairos.testkit.node.LivenessStoreContract;

final class PostgresLivenessStoreTest extends LivenessStoreContract {
  @Override
  protected DelayStores freshStores() {
    return ContractStores.fresh();
  }
}
