package io.kairos.postgres.task;

import io.kairos.contracts.TaskLifeContract;
import io.kairos.contracts.TaskStores;

final class ApplicationTaskLifeTest extends TaskLifeContract {
  @Override
  protected TaskStores freshStores() {
    return ContractTaskStores.freshWithinAnApplication();
  }
}
