package io.kairos.postgres.task;

import io.kairos.testkit.task.TaskIntakeContract;
import io.kairos.testkit.task.TaskStores;

final class PostgresTaskIntakeTest extends TaskIntakeContract {
  @Override
  protected TaskStores freshStores() {
    return ContractTaskStores.fresh();
  }
}
