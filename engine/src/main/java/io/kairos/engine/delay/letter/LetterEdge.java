package io.kairos.engine.delay.letter;

/**
 * Access to the dead letters of a node's routes, for its edges. Thread-safe. Calls block on the
 * broker and the store, and throw {@link LettersRefused} and {@link
 * io.kairos.engine.node.StoreUnavailable}.
 */
public interface LetterEdge {
  /** The latest dead letters of a route. */
  LetterPage list(String route, LetterQuery query);

  /**
   * A dead letter of a route, in parts as in a list.
   *
   * @param valueBytes how much of its value to show
   */
  LetterRecord get(String route, RecordPlace letter, int valueBytes);

  /**
   * Publishes a dead letter to its route's input topic again.
   *
   * @param again true to publish one that was published again before, too
   * @return where it was published
   */
  RecordPlace republish(
      String route, RecordPlace letter, LetterCorrection correction, boolean again);
}
