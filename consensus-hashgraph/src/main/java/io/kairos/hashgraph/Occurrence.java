package io.kairos.hashgraph;

/** What a replica counts, for its metrics and for whoever asks who misbehaves. */
public enum Occurrence {
  /** A message or an event that is none. */
  MALFORMED,
  /** An event whose creator has not signed it. */
  BAD_SIGNATURE,
  /** An event that was known. */
  DUPLICATE,
  /** An event that is too old to be ordered. */
  ANCIENT,
  /** An event that says of its parents what is not so, or that is too much for a round. */
  DISAGREES,
  /** An event that had to wait. */
  WAITED,
  /** An event that should wait, but whose creator has too many that do. */
  NO_ROOM,
  /** A creator was found to have made two events in one place. */
  FORK,
  /** An event of one who has forked was accepted, because others had built on it. */
  NEEDED,
  /** Enough own events were made without a round being decided: from now on few are. */
  STALL,
  /** An own event was the last for which an undecided round has room. */
  CHAIN_FULL,
  /** An event of this replica was not ordered, and its requests are put into another one. */
  STALE,
  /** A request that was refused because too many wait. */
  PRESSURE,
  /** A question that came too soon after the one before. */
  HASTE,
  /** A snapshot came from one who had offered another. */
  FALSE_SNAPSHOT,
  /** A snapshot of others was taken over. */
  INSTALLED
}
