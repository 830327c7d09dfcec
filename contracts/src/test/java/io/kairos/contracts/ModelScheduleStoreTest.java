package io.kairos.contracts;

final class ModelScheduleStoreTest extends ScheduleStoreContract {
  @Override
  protected ScheduleStores freshStores() {
    return new ModelScheduleStores();
  }
}
