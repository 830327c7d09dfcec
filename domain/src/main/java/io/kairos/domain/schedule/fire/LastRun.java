package io.kairos.domain.schedule.fire;

import io.kairos.domain.task.TaskState;
import java.time.Instant;

/**
 * The end of a schedule's last run.
 *
 * @param state a finished state
 */
public record LastRun(TaskState state, Instant endedAt) {
  boolean hasFailed() {
    return state == TaskState.FAILED || state == TaskState.DEAD;
  }
}
