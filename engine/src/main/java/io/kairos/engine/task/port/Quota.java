package io.kairos.engine.task.port;

/**
 * How many unfinished tasks a handler may have, and how many it has.
 *
 * @param maxUnfinished 0 lets nothing in
 */
public record Quota(long maxUnfinished, long unfinished) {
  public Quota {
    if (maxUnfinished < 0) {
      throw new IllegalArgumentException("a quota must not be negative");
    }
  }

  public boolean allows(long more) {
    return unfinished + more <= maxUnfinished;
  }
}
