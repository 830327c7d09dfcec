package io.kairos.engine.loop;

/** Makes places to wait: on parked threads in production, on the virtual clock in the simulator. */
@FunctionalInterface
public interface Wakeups {
  Wakeup create();
}
