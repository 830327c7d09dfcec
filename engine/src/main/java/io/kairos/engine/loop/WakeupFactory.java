package io.kairos.engine.loop;

/** Creates wakeups: with parked threads in production, with the virtual clock in the simulator. */
@FunctionalInterface
public interface WakeupFactory {
  Wakeup create();
}
