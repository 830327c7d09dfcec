package io.kairos.contracts;

final class ModelMessageStoreTest extends MessageStoreContract {
  @Override
  protected DelayStores freshStores() {
    return new ModelDelayStores();
  }
}
