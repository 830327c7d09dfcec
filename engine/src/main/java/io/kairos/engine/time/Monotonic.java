package io.kairos.engine.time;

/**
 * Elapsed time in nanoseconds: meaningful only as a difference within one process, never goes back,
 * goes on while the process is paused.
 */
@FunctionalInterface
public interface Monotonic {
  long nanos();
}
