package io.kairos.postgres.delay;

import io.kairos.contracts.AmendmentStoreContract;
import io.kairos.contracts.DelayStores;

final class PostgresAmendmentStoreTest extends AmendmentStoreContract {
  @Override
  protected DelayStores freshStores() {
    return ContractStores.fresh();
  }
}
