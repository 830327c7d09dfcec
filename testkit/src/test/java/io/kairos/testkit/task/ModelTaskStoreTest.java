package io.kairos.testkit.task;

final class ModelTaskStoreTest extends TaskStoreContract {
  @Override
  protected TaskStores freshStores() {
    return new ModelTaskStores();
  }
}
