package io.kairos.domain.schedule.fire;

import io.kairos.domain.task.TaskState;
import java.time.Instant;

/**
 * How the last run of a schedule ended.
 *
 * @param state a finished one
 */
public record LastRun(TaskState state, Instant endedAt) {
  boolean hasFailed() {
    return state == TaskState.FAILED || state == TaskState.DEAD;
  }
}
