package io.kairos.contracts;

final class ModelLivenessStoreTest extends LivenessStoreContract {
  @Override
  protected DelayStores freshStores() {
    return new ModelDelayStores();
  }
}
