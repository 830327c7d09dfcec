package io.kairos.examples;

import io.kairos.client.Idempotency;
import io.kairos.client.KairosClient;
import io.kairos.client.Scheduled;
import io.kairos.client.TaskRequest;
import java.time.Duration;

/** Charges an order once, however often it is asked for within a day. */
public final class ScheduleOnce {
  private ScheduleOnce() {}

  /** Returns whether this call was the first. */
  public static boolean charge(KairosClient kairos, String order) {
    Scheduled task =
        kairos.accept(
            TaskRequest.to("charge")
                .payload(order)
                .idempotency(Idempotency.key("charge " + order).forTime(Duration.ofDays(1)))
                .build());
    return !task.duplicate();
  }
}
