package io.kairos.inprocess;

import io.kairos.api.v1.NextWorkRequest;
import io.kairos.api.v1.ScheduleTaskRequest;

/** The messages of the API, whose descriptors protobuf builds when the first of them is used. */
final class ApiMessages {
  private ApiMessages() {}

  static void load() {
    var _ = NextWorkRequest.getDefaultInstance().getAllFields();
    var _ = ScheduleTaskRequest.getDefaultInstance().getAllFields();
  }
}
