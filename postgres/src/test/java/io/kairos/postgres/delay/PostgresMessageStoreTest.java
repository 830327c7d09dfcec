package io.kairos.postgres.delay;

import io.kairos.testkit.delay.DelayStores;
import io.kairos.testkit.delay.MessageStoreContract;

final class PostgresMessageStoreTest extends MessageStoreContract {
  @Override
  protected DelayStores freshStores() {
    return ContractStores.fresh();
  }
}
