package io.kairos.client;

/**
 * What one of a node's steps did for a poll.
 *
 * @param rounds how often it looked
 * @param done how many things it did; which, is told by docs/operations.md
 */
public record PolledStep(String name, Outcome outcome, int rounds, int done) {
  /** How far it came. */
  public enum Outcome {
    /** Nothing is left to do at the moment. */
    AT_REST,
    /** The poll was over first; the step goes on by itself. */
    UNFINISHED,
    /** It tries again by itself; the node's log says more. */
    FAILED,
    /** Something that a newer node knows. */
    OTHER
  }
}
