package io.kairos.bench.byzantine;

import io.kairos.hashgraph.LinkFault;
import io.kairos.hashgraph.Occurrence;
import java.util.List;
import java.util.Locale;

/**
 * Attacks of a {@link HostileReplica}, in the order of the demo: {@link #REPLAYS} and {@link
 * #REPEATS} leave messages behind that come before those of the next attack, which needs none for
 * that reason, and after {@link #FORKS} no replica names an event of the hostile one any more.
 */
enum Attack {
  WRONG_CLOCK("dates its events 40 years ahead, then 40 years back"),
  FLOODS_TICKS(
      "floods the log with ticks in its own name, some of them again, and with those of others",
      kind(Occurrence.SKIPPED)),
  FORGES_REQUESTS(
      "makes requests in the name of other replicas, and of no form", kind(Occurrence.SKIPPED)),
  WITHHOLDS("holds back most of what it says, for up to two seconds"),
  SELECTIVE("talks to one replica at a time, in turn"),
  SILENT("says nothing"),
  FORGES(
      "signs events that break a rule: their parents, round, date or size",
      kind(Occurrence.PARENT_MISMATCH),
      kind(Occurrence.MALFORMED)),
  FALSE_ROUNDS(
      "claims rounds that nobody has decided, and offers and sends false snapshots",
      kind(Occurrence.TOO_SOON)),
  CORRUPTS(
      "changes a byte in what it sends",
      kind(Occurrence.MALFORMED),
      kind(Occurrence.BAD_SIGNATURE),
      kind(LinkFault.GARBAGE)),
  GARBAGE("sends messages of random bytes", kind(Occurrence.MALFORMED), kind(LinkFault.GARBAGE)),
  OVERSIZED("sends messages longer than any can be", kind(LinkFault.OVERSIZED)),
  REPLAYS("sends twenty old messages with each new one", kind(Occurrence.TOO_SOON)),
  REPEATS("sends each message two hundred times", kind(Occurrence.TOO_SOON)),
  RANDOM_BYTES("connects without TLS and sends random bytes", ofStrangers(LinkFault.UNTRUSTED)),
  SLOW_LORIS("keeps connections open, and sends a byte a second", ofStrangers(LinkFault.CROWDED)),
  CONNECTIONS("opens hundreds of connections a second", ofStrangers(LinkFault.CROWDED)),
  FORKS(
      "signs two chains of events, and shows one to some and the other to the rest",
      kind(Occurrence.FORK));

  /** One who keeps the rules is too soon now and then, where others are busy. */
  private static final long OFTEN = 20;

  private final String words;

  @SuppressWarnings("ImmutableEnumChecker") // by List.of
  private final List<String> signs;

  Attack(String words, String... signs) {
    this.words = words;
    this.signs = List.of(signs);
  }

  private static String kind(Enum<?> counted) {
    return counted.name().toLowerCase(Locale.ROOT);
  }

  private static String ofStrangers(LinkFault fault) {
    return AttackRecord.STRANGER + kind(fault);
  }

  String words() {
    return words;
  }

  /**
   * Kinds of which the others count at least {@link #least} together, and of a replica that keeps
   * the rules fewer; empty for what shows in no count.
   */
  List<String> signs() {
    return signs;
  }

  long least() {
    return signs.contains(kind(Occurrence.TOO_SOON)) ? OFTEN : 1;
  }

  /** True when it needs no key. */
  boolean isOfStrangers() {
    return this == RANDOM_BYTES || this == SLOW_LORIS || this == CONNECTIONS;
  }
}
