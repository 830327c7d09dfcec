package io.kairos.postgres.delay;

import io.kairos.testkit.delay.AmendmentStoreContract;
import io.kairos.testkit.delay.DelayStores;

final class PostgresAmendmentStoreTest extends AmendmentStoreContract {
  @Override
  protected DelayStores freshStores() {
    return ContractStores.fresh();
  }
}
