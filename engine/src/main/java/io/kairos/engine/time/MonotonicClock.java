package io.kairos.engine.time;

/**
 * Elapsed time in nanoseconds. Meaningful only as a difference within one process; never goes back,
 * and goes on while the process is paused.
 */
@FunctionalInterface
public interface MonotonicClock {
  long nanos();
}
