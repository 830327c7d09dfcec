package io.kairos.postgres.task;

import io.kairos.testkit.task.TaskLifeContract;
import io.kairos.testkit.task.TaskStores;

final class PostgresTaskLifeTest extends TaskLifeContract {
  @Override
  protected TaskStores freshStores() {
    return ContractTaskStores.fresh();
  }
}
