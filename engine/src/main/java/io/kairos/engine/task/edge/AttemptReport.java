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

  /** Bytes of its text, about. */
  public long bytes() {
    return switch (outcome) {
      case AttemptOutcome.Again again -> again.error().length() + again.errorClass().length();
      case AttemptOutcome.Failed failed -> failed.error().length() + failed.errorClass().length();
      case AttemptOutcome.Succeeded succeeded -> succeeded.text().length();
      case AttemptOutcome.Cancelled _, AttemptOutcome.NotBegun _ -> 0;
    };
  }
}
