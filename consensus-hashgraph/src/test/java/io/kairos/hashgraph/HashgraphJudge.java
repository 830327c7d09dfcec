package io.kairos.hashgraph;

import io.kairos.domain.check.HashFunction;
import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.Tick;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.RequestOrigin;
import io.kairos.engine.replica.SubmissionResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/**
 * Judges what replicas that tell the truth do, and knows nothing of how: equal order, states and
 * times, times within the range of the true clocks, no two events of one in one place.
 */
final class HashgraphJudge {
  /** Above a clock, for times that are raised so that they rise. */
  private static final Duration GIVE = Duration.ofMillis(50);

  /** Times of ticks are whole milliseconds. */
  private static final Duration A_MILLI = Duration.ofMillis(1);

  private final Timeline timeline;
  private final Map<Long, Long> bySequence = new HashMap<>();
  private final Map<Long, String> firsts = new HashMap<>();
  private final Map<Long, Integer> eventsByRound = new HashMap<>();
  private final Map<Place, Event> places = new HashMap<>();
  private byte[] lastSent = {};
  private final Map<String, Instant> submitted = new HashMap<>();
  private final EnumMap<RareState, Integer> reached = new EnumMap<>(RareState.class);
  private final TreeMap<Long, Instant> ticks = new TreeMap<>();
  private final Map<ReplicaId, Instant> lastTicks = new HashMap<>();
  private final Map<ReplicaId, Duration> clocks = new HashMap<>();
  private final Set<ReplicaId> wiped = new HashSet<>();
  private boolean hasLied;
  private long decidedAfterLie;
  private long history = HashFunction.FNV_OFFSET;

  /** Where one replica makes one event only: after one, or at the beginning. */
  private record Place(ReplicaId creator, Optional<EventHash> after) {}

  /** A rule was broken. */
  static final class Broken extends RuntimeException {
    private static final long serialVersionUID = 1;

    final String rule;

    Broken(String rule, String what) {
      super(rule + ": " + what);
      this.rule = rule;
    }
  }

  HashgraphJudge(Timeline timeline) {
    this.timeline = timeline;
  }

  void reached(RareState state) {
    reached.merge(state, 1, Integer::sum);
  }

  Map<RareState, Integer> reached() {
    return reached;
  }

  boolean hasLied() {
    return hasLied;
  }

  void lied() {
    hasLied = true;
  }

  long decidedAfterLie() {
    return decidedAfterLie;
  }

  /** Equal for equal runs. */
  long history() {
    return history;
  }

  /** It may make an event in the place of one that it has forgotten, once that is ancient. */
  void wiped(ReplicaId replica) {
    wiped.add(replica);
  }

  /** One who tells the truth has a clock that is so far ahead. */
  void clock(ReplicaId replica, Duration off) {
    clocks.put(replica, off);
  }

  private Duration earliestClock() {
    return Collections.min(clocks.values());
  }

  private Duration latestClock() {
    return Collections.max(clocks.values());
  }

  private Instant now() {
    return SimulatedReplica.START.plusNanos(timeline.nowNanos());
  }

  void submitted(long client, long request) {
    submitted.putIfAbsent(client + "/" + request, now());
  }

  void executed(
      ReplicaId by, RequestOrigin origin, SubmissionResult.Done done, long state, Instant agreed) {
    long line = HashFunction.mixed(state ^ agreed.getEpochSecond());
    line = HashFunction.mixed(line ^ agreed.toEpochMilli());
    line = HashFunction.mixed(line ^ (origin.replica() == null ? -1 : origin.replica().number()));
    Long before = bySequence.putIfAbsent(done.sequence(), line);
    check(
        before == null || before == line,
        "same order",
        () ->
            "%s has executed another request, or at another time, at %d: %d/%d, %s, state %016x; the first was %s"
                .formatted(
                    by,
                    done.sequence(),
                    origin.client().value(),
                    origin.request(),
                    agreed,
                    state,
                    firsts.get(done.sequence())));
    firsts.computeIfAbsent(
        done.sequence(),
        _ ->
            "%d/%d, %s, state %016x by %s"
                .formatted(origin.client().value(), origin.request(), agreed, state, by));
    history = HashFunction.mixed(history ^ line);
    check(
        !agreed.isAfter(now().plus(latestClock()).plus(GIVE)),
        "no later than a true clock",
        () -> "it is %s, and %s was agreed".formatted(now(), agreed));
    Instant from = submitted.get(origin.client().value() + "/" + origin.request());
    check(
        from == null || !agreed.isBefore(from.plus(earliestClock())),
        "no earlier than a true clock",
        () -> "submitted at %s, and %s was agreed".formatted(from, agreed));
  }

  /**
   * One who tells the truth has evaluated its table, at a time that must be the same for all, rise,
   * and lie between the clocks of those who tell the truth.
   *
   * @param reading the clock of the sender, when it sent the tick
   */
  void ticked(ReplicaId by, ReplicaId from, long reading, Tick tick) {
    if (!(tick.time() instanceof AgreedTime.At(Instant time))) {
      throw new Broken("ticks have a time", by + " has evaluated " + tick);
    }
    Instant before = ticks.putIfAbsent(tick.sequence(), time);
    check(
        before == null || before.equals(time),
        "same agreed time",
        () -> "%s has %s at %d, and the first had %s".formatted(by, time, tick.sequence(), before));
    Map.Entry<Long, Instant> earlier = ticks.lowerEntry(tick.sequence());
    Map.Entry<Long, Instant> later = ticks.higherEntry(tick.sequence());
    check(
        (earlier == null || earlier.getValue().isBefore(time))
            && (later == null || later.getValue().isAfter(time)),
        "agreed time rises",
        () -> "%s at %d, between %s and %s".formatted(time, tick.sequence(), earlier, later));
    check(
        !time.isAfter(now().plus(latestClock()).plus(GIVE)),
        "no tick later than a true clock",
        () -> "it is %s, and a tick has %s".formatted(now(), time));
    Duration off = clocks.get(from);
    if (off != null) {
      Instant sent = Instant.ofEpochMilli(reading).minus(off);
      check(
          !time.isBefore(sent.plus(earliestClock()).minus(A_MILLI)),
          "no tick earlier than a true clock",
          () -> "sent at %s by %s, and it has %s".formatted(sent, from, time));
    }
    lastTicks.merge(by, time, (one, other) -> one.isAfter(other) ? one : other);
  }

  /** Whether a replica has evaluated a tick that no true clock can have put before a moment. */
  boolean hasTickedAt(ReplicaId by, Instant moment) {
    Instant last = lastTicks.get(by);
    return last != null && last.isAfter(moment.plus(latestClock()));
  }

  /** Number of ticks by which the table was evaluated. */
  long evaluations() {
    return ticks.size();
  }

  /** A tick of a replica was executed, or found to have been: so many of one round. */
  void tickOfRound(ReplicaId from, int count) {
    check(
        count <= SimulatedReplica.BOUNDS.roundTicks(),
        "budget of ticks",
        () -> "%d ticks of %s in a round".formatted(count, from));
    if (count == SimulatedReplica.BOUNDS.roundTicks()) {
      reached(RareState.TICK_BUDGET_SPENT);
    }
  }

  /** A request was skipped; nobody who tells the truth makes any that is. */
  void skipped(ReplicaId creator) {
    check(!clocks.containsKey(creator), "only liars' requests are skipped", creator::toString);
    reached(RareState.REQUEST_SKIPPED);
  }

  void round(ReplicaId by, long round, int events) {
    Integer before = eventsByRound.putIfAbsent(round, events);
    check(
        before == null || before == events,
        "same rounds",
        () -> "%s has %d events in round %d, and others %d".formatted(by, events, round, before));
    if (before == null && hasLied) {
      decidedAfterLie += events;
    }
  }

  /** Looks at what one who tells the truth sends. */
  void sent(ReplicaId by, byte[] message, HashgraphConfig config) {
    if (Arrays.equals(message, lastSent)) {
      return; // to another
    }
    lastSent = message;
    for (Event event : eventsOf(message, config, creator -> creator == by.number())) {
      Place place = new Place(by, event.selfParent().map(Event.Parent::hash));
      Event before = places.putIfAbsent(place, event);
      boolean isAncient =
          before != null
              && wiped.contains(by)
              && Math.abs(event.birthRound() - before.birthRound())
                  > HashgraphEngine.ROUNDS_NON_ANCIENT;
      check(
          before == null || before.hash().equals(event.hash()) || isAncient,
          "no fork",
          () ->
              "%s has sent two events, of rounds %d and %d"
                  .formatted(place, before == null ? 0 : before.birthRound(), event.birthRound()));
    }
  }

  /** The events of a message whose creator, which is their second byte, is looked for. */
  static List<Event> eventsOf(byte[] message, HashgraphConfig config, IntPredicate creator) {
    return PeerMessage.decode(message, config.bounds())
        .filter(PeerMessage.Events.class::isInstance)
        .map(PeerMessage.Events.class::cast)
        .map(PeerMessage.Events::events)
        .orElse(List.of())
        .stream()
        .filter(bytes -> creator.test(bytes[1]))
        .flatMap(bytes -> Event.decode(bytes, config).stream())
        .toList();
  }

  /** What a replica counts becomes states that were reached. */
  void counted(HashgraphCore core) {
    map(core, Occurrence.FORK, RareState.FORK_FOUND);
    map(core, Occurrence.MALFORMED, RareState.GARBAGE_REFUSED);
    map(core, Occurrence.BAD_SIGNATURE, RareState.BAD_SIGNATURE_REFUSED);
    map(core, Occurrence.PARENT_MISMATCH, RareState.DISAGREEMENT_REFUSED);
    map(core, Occurrence.OVER_BUDGET, RareState.DISAGREEMENT_REFUSED);
    map(core, Occurrence.ANCIENT, RareState.ANCIENT_REFUSED);
    map(core, Occurrence.TOO_SOON, RareState.HASTY);
    map(core, Occurrence.FALSE_SNAPSHOT, RareState.FALSE_PIECE_FOUND);
    map(core, Occurrence.ORPHANED, RareState.WAITED);
    map(core, Occurrence.ORPHANS_FULL, RareState.NO_ROOM_TO_WAIT);
    map(core, Occurrence.STALE, RareState.STALE_SUBMITTED_AGAIN);
    map(core, Occurrence.SNAPSHOT_INSTALLED, RareState.SNAPSHOT_INSTALLED);
    map(core, Occurrence.FORKED_VOUCHED, RareState.FORKER_VOUCHED);
    map(core, Occurrence.STALLED, RareState.STALLED);
  }

  private void map(HashgraphCore core, Occurrence occurrence, RareState state) {
    if (core.count(occurrence) > 0) {
      reached(state);
    }
  }

  static void check(boolean holds, String rule, Supplier<String> what) {
    if (!holds) {
      throw new Broken(rule, what.get());
    }
  }
}
