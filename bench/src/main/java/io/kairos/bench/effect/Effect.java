package io.kairos.bench.effect;

import java.util.UUID;

/**
 * An effect outside of the workers.
 *
 * @param sequence of the load that the task belongs to
 * @param pid of the worker or executor
 * @param nanos taken right before the effect, by the clock that all processes of this machine share
 *     and nobody sets (CLOCK_MONOTONIC)
 */
public record Effect(Kind kind, UUID task, long fence, long sequence, long pid, long nanos) {
  /** The kind of an effect. */
  public enum Kind {
    /** A handler begins. */
    BEGIN,
    /** A handler has had an effect. */
    EFFECT,
    /** A handler has had all its effects. */
    END
  }
}
