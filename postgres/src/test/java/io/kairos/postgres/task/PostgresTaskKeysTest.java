package io.kairos.postgres.task;

import io.kairos.contracts.TaskKeysContract;
import io.kairos.contracts.TaskStores;

final class PostgresTaskKeysTest extends TaskKeysContract {
  @Override
  protected TaskStores freshStores() {
    return ContractTaskStores.fresh();
  }
}
