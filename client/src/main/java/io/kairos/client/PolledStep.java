package io.kairos.client;

/**
 * The result of one of a node's steps for a poll.
 *
 * @param name name of the step, as in docs/operations.md
 * @param rounds number of rounds of the step
 * @param done number of items handled; docs/operations.md says of which kind
 */
public record PolledStep(String name, Outcome outcome, int rounds, int done) {
  /** How far the step came. */
  public enum Outcome {
    /** Nothing is left to do at the moment. */
    AT_REST,
    /** The poll was over first; the step goes on by itself. */
    UNFINISHED,
    /** The step failed and tries again by itself; the node's log says more. */
    FAILED,
    /** An outcome that this version of the client does not know. */
    OTHER
  }
}
