package io.kairos.engine.delay.letter;

import java.util.List;
import java.util.Map;

/**
 * Some dead letters of a route.
 *
 * @param letters the latest first
 * @param groups of all letters of the route that were read, the most first, at most {@value
 *     #MOST_GROUPS}
 * @param read how many letters of the route were read
 * @param next by partition, where the next page begins; empty when all has been read
 */
public record LetterPage(
    List<LetterRecord> letters, List<Group> groups, long read, Map<Integer, Long> next) {
  static final int MOST_GROUPS = 100;

  public LetterPage {
    letters = List.copyOf(letters);
    groups = List.copyOf(groups);
    next = Map.copyOf(next);
  }

  /**
   * Letters that are alike.
   *
   * @param detail of the latest
   * @param earliestMillis when the earliest was parked
   * @param latestMillis when the latest was parked
   */
  public record Group(
      String reason,
      String fingerprint,
      String detail,
      long count,
      long earliestMillis,
      long latestMillis) {
    static Group of(LetterRecord letter) {
      return new Group(
          letter.reason(),
          letter.fingerprint(),
          letter.detail(),
          1,
          letter.timestampMillis(),
          letter.timestampMillis());
    }

    /** With another group of the same reason and fingerprint, of which this one came first. */
    Group plus(Group other) {
      return new Group(
          reason,
          fingerprint,
          detail,
          count + other.count,
          Math.min(earliestMillis, other.earliestMillis),
          Math.max(latestMillis, other.latestMillis));
    }
  }
}
