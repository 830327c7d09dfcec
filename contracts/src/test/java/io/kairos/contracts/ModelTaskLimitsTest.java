package io.kairos.contracts;

final class ModelTaskLimitsTest extends TaskLimitsContract {
  @Override
  protected TaskStores freshStores() {
    return new ModelTaskStores();
  }
}
