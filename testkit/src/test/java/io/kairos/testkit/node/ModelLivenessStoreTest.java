package io.kairos.testkit.node;

import io.kairos.testkit.delay.DelayStores;
import io.kairos.testkit.delay.ModelStores;

final class ModelLivenessStoreTest extends LivenessStoreContract {
  @Override
  protected DelayStores freshStores() {
    return new ModelStores();
  }
}
