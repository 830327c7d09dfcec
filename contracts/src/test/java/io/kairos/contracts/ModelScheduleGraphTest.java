package io.kairos.contracts;

final class ModelScheduleGraphTest extends ScheduleGraphContract {
  @Override
  protected ScheduleStores freshStores() {
    return new ModelScheduleStores();
  }
}
