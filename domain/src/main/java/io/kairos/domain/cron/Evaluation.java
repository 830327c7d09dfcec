package io.kairos.domain.cron;

/** What came of a tick. */
public sealed interface Evaluation {
  Evaluation IGNORED = new Ignored();

  /** The tick is for another component, or for one without a table (CC-5). */
  record Ignored() implements Evaluation {}

  /**
   * The table was evaluated.
   *
   * @param entries whose rules were asked
   * @param fired whose actions ran to their end
   * @param failed callbacks that threw
   */
  record Done(int entries, int fired, int failed) implements Evaluation {}
}
