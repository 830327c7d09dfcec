package io.kairos.contracts;

final class ModelTaskBatchTest extends TaskBatchContract {
  @Override
  protected TaskStores freshStores() {
    return new ModelTaskStores();
  }
}
