package io.kairos.engine.task.port;

import java.util.List;

/** Tasks to be stored together or not at all. No two of them have one idempotency key. */
public record InsertRequest(List<ArrivingTask> arrivals) {
  public InsertRequest {
    arrivals = List.copyOf(arrivals);
  }
}
