package io.kairos.hashgraph;

/** Ways in which a simulated replica lies. */
enum Lie {
  /** Two replicas with one key, each of which talks to some of the others. */
  FORKS,
  /** Holds its events back for seconds. */
  WITHHOLDS,
  /** Dates its events forty years off. */
  WRONG_CLOCK,
  /** Sends bytes that are no message, and messages with some bytes changed. */
  GARBAGE,
  /** Sends again what anyone has sent. */
  REPLAYS,
  /** Talks to some of the others only. */
  SELECTIVE,
  /** Says nothing. */
  SILENT,
  /** Makes events that build on nobody else's, as fast as it may. */
  ALONE,
  /** Signs events that break a rule, signs for others, makes requests in the name of others. */
  FORGES,
  /** Claims rounds that are not decided, and sends snapshots that are not true. */
  FALSE_ROUNDS,
  /** Makes ten times as many events as it should. */
  HASTE,
  /** Ticks without end, again under the same numbers, and in the name of others; only with cron. */
  FLOODS_TICKS
}
