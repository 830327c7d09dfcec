package io.kairos.domain.cron;

import static java.util.Objects.requireNonNull;

/**
 * A tick of one component, equal on every replica. Its cron table is evaluated with it.
 *
 * @param component the component whose table is evaluated
 * @param sequence the tick's place among all requests that the replicas execute, from 1, dense
 * @param time agreed upon by the replicas
 */
public record Tick(ComponentId component, long sequence, AgreedTime time) {
  public Tick {
    requireNonNull(component, "component");
    requireNonNull(time, "time");
  }
}
