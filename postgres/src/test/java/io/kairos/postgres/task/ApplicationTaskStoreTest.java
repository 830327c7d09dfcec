package io.kairos.postgres.task;

import io.kairos.contracts.TaskStoreContract;
import io.kairos.contracts.TaskStores;

final class ApplicationTaskStoreTest extends TaskStoreContract {
  @Override
  protected TaskStores freshStores() {
    return ContractTaskStores.freshWithinAnApplication();
  }
}
