package io.kairos.engine.task.edge;

import io.kairos.engine.task.port.TaskHolder;

/** The result of a report. */
public sealed interface ReportResult {
  /** The report counts and is durable. */
  record Accepted() implements ReportResult {}

  /** Another worker or node holds the task; the report changed nothing. */
  record HeldBy(TaskHolder holder) implements ReportResult {}

  /**
   * The task has no holder: it waits for another attempt, has ended, or is unknown. The report
   * changed nothing.
   */
  record NotHeld() implements ReportResult {}
}
