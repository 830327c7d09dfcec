package io.kairos.contracts;

final class ModelTaskGraphTest extends TaskGraphContract {
  @Override
  protected TaskStores freshStores() {
    return new ModelTaskStores();
  }
}
