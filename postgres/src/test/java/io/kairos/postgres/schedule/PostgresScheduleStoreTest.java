package io.kairos.postgres.schedule;

import io.kairos.contracts.ScheduleStoreContract;
import io.kairos.contracts.ScheduleStores;

final class PostgresScheduleStoreTest extends ScheduleStoreContract {
  @Override
  protected ScheduleStores freshStores() {
    return ContractScheduleStores.fresh();
  }
}
