package io.kairos.cli.option;

import static io.kairos.api.text.GivenValue.ifGiven;

import io.kairos.client.ScheduleSpec;
import io.kairos.client.task.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Policies of a schedule for overlapping runs, missed fire times and failures. */
public final class PolicyOptions {
  @Option(
      names = {"--overlap", "--overlap-policy"},
      description = "While a previous run is unfinished: ${COMPLETION-CANDIDATES} (default skip).")
  ScheduleSpec.@Nullable Overlap overlap;

  @Option(
      names = "--catch-up",
      description = "Which missed fire times fire: ${COMPLETION-CANDIDATES}; latest when left out.")
  ScheduleSpec.@Nullable CatchUp catchUp;

  @Option(
      names = {"--catch-up-window", "--catchup-window"},
      description = "How far back missed fire times are considered; 1d when left out.")
  @Nullable Duration catchUpWindow;

  @Option(
      names = "--catch-up-max",
      description = "With --catch-up all: maximum number, the latest ones; 100 when left out.")
  @Nullable Integer catchUpMax;

  @Option(
      names = "--max-attempts",
      description = "Maximum number of attempts of a task, including the first.")
  @Nullable Integer maxAttempts;

  @Option(
      names = "--start-deadline",
      description = "No attempt begins later than this after the due time.")
  @Nullable Duration startDeadline;

  @Option(names = "--timeout", description = "Maximum duration of one attempt.")
  @Nullable Duration timeout;

  @Option(
      names = "--pause-on-failure",
      description = "Pauses the schedule when a task has failed for good.")
  boolean pauseOnFailure;

  @Option(
      names = "--decider",
      description = "Decides that a fire time has come: ${COMPLETION-CANDIDATES} (default node).")
  ScheduleSpec.@Nullable Decider decider;

  /** Sets the given options on a schedule. */
  public void applyTo(ScheduleSpec.Builder spec) {
    ifGiven(overlap, spec::overlap);
    ifGiven(catchUp, spec::catchUp);
    ifGiven(catchUpWindow, spec::catchUpWindow);
    ifGiven(catchUpMax, spec::catchUpMax);
    ifGiven(maxAttempts, most -> spec.retryPolicy(RetryPolicy.attempts(most)));
    ifGiven(startDeadline, spec::startDeadline);
    ifGiven(timeout, spec::executionTimeout);
    if (pauseOnFailure) {
      spec.pauseOnFailure(true);
    }
    ifGiven(decider, spec::decider);
  }
}
