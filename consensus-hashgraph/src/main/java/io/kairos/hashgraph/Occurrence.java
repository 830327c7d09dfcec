package io.kairos.hashgraph;

/** Counted kinds of events, for metrics and for operators who ask who misbehaves. */
public enum Occurrence {
  /** A message or an event that is none. */
  MALFORMED,
  /** An event whose creator has not signed it. */
  BAD_SIGNATURE,
  /** An event that was known. */
  DUPLICATE,
  /** An event that is too old to be ordered. */
  ANCIENT,
  /** An event that is too new to wait for its round. */
  FUTURE,
  /** An event that says of its parents what is not so, or names one whom these show to fork. */
  PARENT_MISMATCH,
  /** An event with which its creator's chain has more bytes than it may have in a round. */
  OVER_BUDGET,
  /** An event that had to wait. */
  ORPHANED,
  /** An event that should wait, but whose creator has too many that do. */
  ORPHANS_FULL,
  /** A creator was found to have made two events in one place. */
  FORK,
  /** An event of one who has forked was accepted, because another one vouched for it. */
  FORKED_VOUCHED,
  /** Enough own events were made without a round being decided: from now on few are. */
  STALLED,
  /** An own event was the last for which an undecided round has room. */
  CHAIN_FULL,
  /** A request was skipped: it is none, in the name of another, or a tick beyond the budget. */
  SKIPPED,
  /** An event of this replica was not ordered, and its requests are put into another one. */
  STALE,
  /** A request that was refused because too many wait. */
  QUEUE_FULL,
  /** A question that came too soon or for a piece that is not kept, or an answer to no question. */
  TOO_SOON,
  /** A snapshot came from one who had offered another. */
  FALSE_SNAPSHOT,
  /** A snapshot of others was taken over. */
  SNAPSHOT_INSTALLED
}
