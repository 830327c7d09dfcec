package io.kairos.engine.task.port;

import java.util.List;

/** Tasks that are stored together or not at all. None has the idempotency key of another. */
public record InsertRequest(List<Arrival> arrivals) {
  public InsertRequest {
    arrivals = List.copyOf(arrivals);
  }
}
