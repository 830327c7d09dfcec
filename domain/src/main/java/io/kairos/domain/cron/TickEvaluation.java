package io.kairos.domain.cron;

/** The result of a tick. */
public sealed interface TickEvaluation {
  TickEvaluation IGNORED = new Ignored();

  /** The tick is for another component, or for one without a table. */
  record Ignored() implements TickEvaluation {}

  /**
   * The table was evaluated.
   *
   * @param entries the number of entries whose rules were evaluated
   * @param fired the number of entries whose actions ran to their end
   * @param failed the number of callbacks that threw
   */
  record Done(int entries, int fired, int failed) implements TickEvaluation {}
}
