package io.kairos.testkit.task;

final class ModelTaskIntakeTest extends TaskIntakeContract {
  @Override
  protected TaskStores freshStores() {
    return new ModelTaskStores();
  }
}
