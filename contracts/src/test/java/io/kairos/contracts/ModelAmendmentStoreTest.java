package io.kairos.contracts;

final class ModelAmendmentStoreTest extends AmendmentStoreContract {
  @Override
  protected DelayStores freshStores() {
    return new ModelDelayStores();
  }
}
