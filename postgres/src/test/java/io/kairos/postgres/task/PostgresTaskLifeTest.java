package io.kairos.postgres.task;

import io.kairos.contracts.TaskLifeContract;
import io.kairos.contracts.TaskStores;

final class PostgresTaskLifeTest extends TaskLifeContract {
  @Override
  protected TaskStores freshStores() {
    return ContractTaskStores.fresh();
  }
}
