package io.kairos.testkit.task;

final class ModelTaskKeysTest extends TaskKeysContract {
  @Override
  protected TaskStores freshStores() {
    return new ModelTaskStores();
  }
}
