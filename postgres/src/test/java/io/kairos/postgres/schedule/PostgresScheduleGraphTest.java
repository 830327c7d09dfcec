package io.kairos.postgres.schedule;

import io.kairos.contracts.ScheduleGraphContract;
import io.kairos.contracts.ScheduleStores;

final class PostgresScheduleGraphTest extends ScheduleGraphContract {
  @Override
  protected ScheduleStores freshStores() {
    return ContractScheduleStores.fresh();
  }
}
