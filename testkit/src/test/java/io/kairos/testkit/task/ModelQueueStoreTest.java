package io.kairos.testkit.task;

final class ModelQueueStoreTest extends QueueStoreContract {
  @Override
  protected TaskStores freshStores() {
    return new ModelTaskStores();
  }
}
