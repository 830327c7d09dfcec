package io.kairos.cli;

import io.kairos.client.RetryPolicy;
import io.kairos.client.ScheduleSpec;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a schedule fires when it is not as simple as it should be. */
final class PolicyOptions {
  @Option(
      names = {"--overlap", "--overlap-policy"},
      description =
          "While a former run is unfinished: ${COMPLETION-CANDIDATES}; skip when left out.")
  ScheduleSpec.@Nullable Overlap overlap;

  @Option(
      names = "--catch-up",
      description =
          "For fire times that were missed: ${COMPLETION-CANDIDATES}; latest when left out.")
  ScheduleSpec.@Nullable CatchUp catchUp;

  @Option(
      names = {"--catch-up-window", "--catchup-window"},
      converter = DurationWord.class,
      description = "How far back they are caught up; 1d when left out.")
  @Nullable Duration catchUpWindow;

  @Option(names = "--catch-up-max", description = "With --catch-up all: the latest so many; 100.")
  @Nullable Integer catchUpMax;

  @Option(names = "--max-attempts", description = "Of a task, the first time counted.")
  @Nullable Integer maxAttempts;

  @Option(
      names = "--start-deadline",
      converter = DurationWord.class,
      description = "No attempt begins so long after the task was due.")
  @Nullable Duration startDeadline;

  @Option(
      names = "--timeout",
      converter = DurationWord.class,
      description = "How long one attempt may take.")
  @Nullable Duration timeout;

  @Option(
      names = "--pause-on-failure",
      description = "Pauses the schedule when a task has failed for good.")
  boolean pauseOnFailure;

  @Option(
      names = "--decider",
      description = "Who says that a fire time has come: ${COMPLETION-CANDIDATES}; node.")
  ScheduleSpec.@Nullable Decider decider;

  /** Sets what is given. */
  void applyTo(ScheduleSpec.Builder spec) {
    if (overlap != null) {
      spec.overlap(overlap);
    }
    if (catchUp != null) {
      spec.catchUp(catchUp);
    }
    if (catchUpWindow != null) {
      spec.catchUpWindow(catchUpWindow);
    }
    if (catchUpMax != null) {
      spec.catchUpMax(catchUpMax);
    }
    if (maxAttempts != null) {
      spec.retryPolicy(RetryPolicy.attempts(maxAttempts));
    }
    if (startDeadline != null) {
      spec.startDeadline(startDeadline);
    }
    if (timeout != null) {
      spec.executionTimeout(timeout);
    }
    if (pauseOnFailure) {
      spec.pauseOnFailure(true);
    }
    if (decider != null) {
      spec.decider(decider);
    }
  }
}
