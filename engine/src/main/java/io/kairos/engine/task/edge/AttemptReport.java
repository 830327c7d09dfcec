package io.kairos.engine.task.edge;

import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.FencedTask;
import org.jspecify.annotations.Nullable;

/**
 * A worker's report on an attempt.
 *
 * @param worker its name; null when a token or the node itself stands for it
 */
public record AttemptReport(FencedTask task, AttemptOutcome outcome, @Nullable String worker) {
  /** A report for which a token or the node itself stands. */
  public AttemptReport(FencedTask task, AttemptOutcome outcome) {
    this(task, outcome, null);
  }
}
