package io.kairos.bench.graph;

import java.util.UUID;

/**
 * What a worker of a fault run has noted of an attempt.
 *
 * @param micros by the wall clock of this machine, as Postgres has it
 */
public record GraphEvent(Kind kind, UUID task, long fence, int attempt, long micros) {
  /** The kind of an event. */
  public enum Kind {
    BEGAN,
    /** The handler has done its work; it may be about to report a failure. */
    ENDED
  }
}
