package io.kairos.engine.task.edge;

import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.FencedTask;
import io.kairos.engine.task.port.ReportedBy;

/** A worker's report on an attempt. */
public record AttemptReport(FencedTask task, AttemptOutcome outcome, ReportedBy by) {
  /** A report for which a token or the node itself stands. */
  public AttemptReport(FencedTask task, AttemptOutcome outcome) {
    this(task, outcome, ReportedBy.ANY);
  }

  /** Bytes of its value or its texts, about. */
  public long bytes() {
    return switch (outcome) {
      case AttemptOutcome.Again again ->
          again.error().length() + again.errorClass().length() + again.stack().length();
      case AttemptOutcome.Failed failed ->
          failed.error().length() + failed.errorClass().length() + failed.stack().length();
      case AttemptOutcome.Succeeded succeeded -> succeeded.result().value().length;
      case AttemptOutcome.Cancelled _, AttemptOutcome.NotBegun _, AttemptOutcome.Snoozed _ -> 0;
    };
  }
}
