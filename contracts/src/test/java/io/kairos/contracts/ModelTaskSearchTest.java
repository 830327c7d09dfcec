package io.kairos.contracts;

final class ModelTaskSearchTest extends TaskSearchContract {
  @Override
  protected TaskStores freshStores() {
    return new ModelTaskStores();
  }
}
