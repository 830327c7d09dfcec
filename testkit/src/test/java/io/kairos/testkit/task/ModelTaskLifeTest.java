package io.kairos.testkit.task;

final class ModelTaskLifeTest extends TaskLifeContract {
  @Override
  protected TaskStores freshStores() {
    return new ModelTaskStores();
  }
}
