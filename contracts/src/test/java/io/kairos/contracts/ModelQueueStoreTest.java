package io.kairos.contracts;

final class ModelQueueStoreTest extends QueueStoreContract {
  @Override
  protected TaskStores freshStores() {
    return new ModelTaskStores();
  }
}
