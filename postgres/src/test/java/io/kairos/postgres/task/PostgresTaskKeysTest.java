package io.kairos.postgres.task;

import io.kairos.testkit.task.TaskKeysContract;
import io.kairos.testkit.task.TaskStores;

final class PostgresTaskKeysTest extends TaskKeysContract {
  @Override
  protected TaskStores freshStores() {
    return ContractTaskStores.fresh();
  }
}
