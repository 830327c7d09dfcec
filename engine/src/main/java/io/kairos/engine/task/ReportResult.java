package io.kairos.engine.task;

import io.kairos.engine.task.port.Holder;

/** What a report did. */
public sealed interface ReportResult {
  /** It counts, durably. */
  record Accepted() implements ReportResult {}

  /** The task is held by somebody else; the report changed nothing. */
  record HeldBy(Holder holder) implements ReportResult {}

  /** Nobody holds the task: it waits for another attempt, has ended, or is unknown. */
  record NotHeld() implements ReportResult {}
}
