package io.kairos.bench.byzantine;

/** The lies of a {@link HostileReplica}, in the order of the demo: a fork is known for ever. */
enum Lie {
  DATES("dates its events 40 years ahead, then 40 years back"),
  REQUESTS("makes requests in the name of other replicas, and of no form"),
  SELECTION("talks to one replica at a time, in turn"),
  SILENCE("says nothing"),
  CORRUPTION("changes a byte in what it sends"),
  GARBAGE("sends messages of random bytes"),
  REPLAY("sends twenty old messages with each new one"),
  HASTE("sends each message two hundred times"),
  OVERSIZE("sends messages longer than any can be"),
  RANDOM_BYTES("connects without TLS and sends random bytes"),
  SLOW_LORIS("keeps connections open, and sends a byte a second"),
  CONNECTIONS("opens hundreds of connections a second"),
  FORKS("signs two chains of events, and shows one to some and the other to the rest");

  private final String words;

  Lie(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }
}
