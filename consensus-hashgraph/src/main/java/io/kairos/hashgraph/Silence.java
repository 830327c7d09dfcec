package io.kairos.hashgraph;

/**
 * The silence of a replica that has lost its memory. It may have made events that it does not know,
 * and any event that it makes now would be a second one in their place. So it only listens until
 * all that it can have made is ancient: first until it has been level with enough others for a
 * while, as one of them may lie and another one lag, then until the rounds up to there, and four
 * times as many more as may be undecided, are ancient.
 */
final class Silence {
  static final long NONE = 0;
  private static final long UNKNOWN = Long.MAX_VALUE;

  private long until;

  Silence(long until) {
    this.until = until;
  }

  static Silence unknown() {
    return new Silence(UNKNOWN);
  }

  long until() {
    return until;
  }

  /** True for one who has ever forgotten what it made, also long after that. */
  boolean hasEverForgotten() {
    return until != NONE;
  }

  boolean isSilentAt(long ancientBelow) {
    return ancientBelow <= until;
  }

  /** Notes that this replica has caught up at a round; true when that was not known. */
  boolean caughtUp(long round) {
    if (until != UNKNOWN) {
      return false;
    }
    until = round + 4L * HashgraphEngine.ROUNDS_NON_ANCIENT;
    return true;
  }
}
