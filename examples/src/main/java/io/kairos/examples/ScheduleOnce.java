package io.kairos.examples;

import io.kairos.client.Idempotency;
import io.kairos.client.KairosClient;
import io.kairos.client.TaskRequest;
import io.kairos.client.task.TaskId;
import java.time.Duration;

/** Charges an order once, however often it is asked for within a day. */
public final class ScheduleOnce {
  private ScheduleOnce() {}

  /** Returns the task that does it, the same for every call. */
  public static TaskId charge(KairosClient kairos, String order) {
    return kairos.schedule(
        TaskRequest.to("charge")
            .payload(order)
            .idempotency(Idempotency.key("charge " + order).forTime(Duration.ofDays(1)))
            .build());
  }
}
