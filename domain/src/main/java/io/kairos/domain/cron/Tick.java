package io.kairos.domain.cron;

import static java.util.Objects.requireNonNull;

/**
 * What a cron table is evaluated with (CC-13): the same on every replica.
 *
 * @param component whose table is meant
 * @param sequence the tick's place among all requests that the replicas execute, from 1, dense
 * @param time agreed upon by the replicas
 */
public record Tick(ComponentId component, long sequence, AgreedTime time) {
  public Tick {
    requireNonNull(component, "component");
    requireNonNull(time, "time");
  }
}
