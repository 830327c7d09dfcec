package io.kairos.engine.trace;

import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TraceContext;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Begins the traces of runs: a run has no caller, so its fire is the root. Called on the engine's
 * threads; must not block.
 */
public interface RunSpans {
  /** Begins no traces. */
  RunSpans NONE = (schedule, fireAt, run, sinceMicros) -> null;

  /**
   * Begins the trace of a run that is about to be stored.
   *
   * @param sinceMicros microseconds since 1970
   * @return null for a run without a trace
   */
  @Nullable RunSpan firing(ScheduleName schedule, Instant fireAt, TaskId run, long sinceMicros);

  /** The span of a fire. Dropped when {@link #stored} is never called. */
  interface RunSpan {
    /** The context that the run's task or message carries. */
    TraceContext context();

    /**
     * The run is durable.
     *
     * @param untilMicros microseconds since 1970
     */
    void stored(long untilMicros);
  }
}
