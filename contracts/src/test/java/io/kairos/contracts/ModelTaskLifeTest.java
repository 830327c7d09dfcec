package io.kairos.contracts;

final class ModelTaskLifeTest extends TaskLifeContract {
  @Override
  protected TaskStores freshStores() {
    return new ModelTaskStores();
  }
}
