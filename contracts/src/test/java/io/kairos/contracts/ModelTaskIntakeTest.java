package io.kairos.contracts;

final class ModelTaskIntakeTest extends TaskIntakeContract {
  @Override
  protected TaskStores freshStores() {
    return new ModelTaskStores();
  }
}
