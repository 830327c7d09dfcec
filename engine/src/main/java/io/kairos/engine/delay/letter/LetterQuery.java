package io.kairos.engine.delay.letter;

import java.util.Map;

/**
 * A question for dead letters of one route.
 *
 * @param before by partition of the dead-letter topic, the offsets before which to read; empty for
 *     the latest of all
 * @param most how many to return at most
 * @param reason only those with this reason; empty for all
 * @param fingerprint only those with this fingerprint; empty for all
 * @param valueBytes how much of each value to show
 */
public record LetterQuery(
    Map<Integer, Long> before, int most, String reason, String fingerprint, int valueBytes) {
  public LetterQuery {
    before = Map.copyOf(before);
  }

  boolean matches(LetterRecord letter) {
    return (reason.isEmpty() || letter.reason().equals(reason))
        && (fingerprint.isEmpty() || letter.fingerprint().equals(fingerprint));
  }
}
