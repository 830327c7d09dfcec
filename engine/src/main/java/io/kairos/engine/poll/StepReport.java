package io.kairos.engine.poll;

/**
 * What a step has done for a poll.
 *
 * @param step its name
 * @param rounds how many it has ended
 * @param done how many things it has done in them; which, is told by docs/operations.md
 */
public record StepReport(String step, int rounds, int done, Outcome outcome) {
  /** How far it has come. */
  public enum Outcome {
    /** Nothing is left to do at the moment. */
    AT_REST,
    /** The poll was over first; the step goes on by itself until it is at rest. */
    UNFINISHED,
    /** Trouble outside, or a broken node; the step tries again by itself. */
    FAILED
  }

  static StepReport none(String step) {
    return new StepReport(step, 0, 0, Outcome.UNFINISHED);
  }

  /** After one more round. */
  StepReport after(int things, boolean atRest) {
    return new StepReport(
        step, rounds + 1, done + things, atRest ? Outcome.AT_REST : Outcome.UNFINISHED);
  }

  /** After a round that did not end well. */
  StepReport failed() {
    return new StepReport(step, rounds, done, Outcome.FAILED);
  }
}
