package io.kairos.contracts;

final class ModelTaskStoreTest extends TaskStoreContract {
  @Override
  protected TaskStores freshStores() {
    return new ModelTaskStores();
  }
}
