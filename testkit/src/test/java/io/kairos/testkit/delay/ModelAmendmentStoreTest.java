package io.kairos.testkit.delay;

final class ModelAmendmentStoreTest extends AmendmentStoreContract {
  @Override
  protected DelayStores freshStores() {
    return new ModelStores();
  }
}
