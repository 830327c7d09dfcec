package io.kairos.engine.poll;

/**
 * A step's report to a poll.
 *
 * @param step the step's name
 * @param rounds number of rounds ended
 * @param done number of items handled in these rounds; docs/operations.md lists the kinds of items
 */
public record StepReport(String step, int rounds, int done, Outcome outcome) {
  /** Progress of the step. */
  public enum Outcome {
    /** Nothing is left to do at the moment. */
    AT_REST,
    /** The poll ended first; the step goes on by itself until it is at rest. */
    UNFINISHED,
    /** A round failed; the step retries by itself. */
    FAILED
  }

  static StepReport none(String step) {
    return new StepReport(step, 0, 0, Outcome.UNFINISHED);
  }

  /** The report after one more round. */
  StepReport after(int things, boolean atRest) {
    return new StepReport(
        step, rounds + 1, done + things, atRest ? Outcome.AT_REST : Outcome.UNFINISHED);
  }

  /** The report after a failed round. */
  StepReport failed() {
    return new StepReport(step, rounds, done, Outcome.FAILED);
  }
}
