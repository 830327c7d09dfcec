package io.kairos.testkit.delay;

final class ModelLivenessStoreTest extends LivenessStoreContract {
  @Override
  protected DelayStores freshStores() {
    return new ModelStores();
  }
}
