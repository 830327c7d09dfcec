package io.kairos.examples.lease;

import java.time.Instant;

/**
 * The right of a holder to something, by its name.
 *
 * @param fence greater than that of every lease before it: who uses what the name stands for shows
 *     it there, and a lower one is refused
 * @param until in agreed time; from then on it has lapsed
 */
record Lease(String name, String holder, long fence, Instant until) {
  boolean isLiveAt(Instant now) {
    return now.isBefore(until);
  }

  /** Four words. */
  String encode() {
    return name + " " + holder + " " + fence + " " + until.toEpochMilli();
  }

  static Lease decode(String line) {
    String[] words = line.split(" ", -1);
    return new Lease(
        words[0],
        words[1],
        Long.parseLong(words[2]),
        Instant.ofEpochMilli(Long.parseLong(words[3])));
  }
}
