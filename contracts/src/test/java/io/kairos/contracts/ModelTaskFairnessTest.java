package io.kairos.contracts;

final class ModelTaskFairnessTest extends TaskFairnessContract {
  @Override
  protected TaskStores freshStores() {
    return new ModelTaskStores();
  }
}
