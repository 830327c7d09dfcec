package io.kairos.testkit.delay;

final class ModelMessageStoreTest extends MessageStoreContract {
  @Override
  protected DelayStores freshStores() {
    return new ModelStores();
  }
}
