package io.kairos.contracts;

final class ModelTaskKeysTest extends TaskKeysContract {
  @Override
  protected TaskStores freshStores() {
    return new ModelTaskStores();
  }
}
