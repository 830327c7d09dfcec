package io.kairos.postgres.schedule;

import io.kairos.testkit.schedule.ScheduleStoreContract;
import io.kairos.testkit.schedule.ScheduleStores;

final class PostgresScheduleStoreTest extends ScheduleStoreContract {
  @Override
  protected ScheduleStores freshStores() {
    return ContractScheduleStores.fresh();
  }
}
