package io.kairos.hashgraph;

import io.kairos.domain.check.HashFunction;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.RequestOrigin;
import io.kairos.engine.replica.SubmissionResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/**
 * Judges what replicas that tell the truth do, and knows nothing of how: equal order, states and
 * times, times within the range of the true clocks, no two events of one in one place.
 */
final class HashgraphJudge {
  /** Above a clock, for times that are raised so that they rise. */
  private static final Duration GIVE = Duration.ofMillis(50);

  private final Timeline timeline;
  private final Map<Long, Long> bySequence = new HashMap<>();
  private final Map<Long, String> firsts = new HashMap<>();
  private final Map<Long, Integer> eventsByRound = new HashMap<>();
  private final Map<Place, Event> places = new HashMap<>();
  private byte[] lastSent = {};
  private final Map<String, Instant> submitted = new HashMap<>();
  private final EnumMap<Rare, Integer> reached = new EnumMap<>(Rare.class);
  private Duration earliestClock = Duration.ZERO;
  private Duration latestClock = Duration.ZERO;
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

  void reached(Rare state) {
    reached.merge(state, 1, Integer::sum);
  }

  Map<Rare, Integer> reached() {
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

  void clock(Duration off) {
    earliestClock = off.compareTo(earliestClock) < 0 ? off : earliestClock;
    latestClock = off.compareTo(latestClock) > 0 ? off : latestClock;
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
        !agreed.isAfter(now().plus(latestClock).plus(GIVE)),
        "no later than a true clock",
        () -> "it is %s, and %s was agreed".formatted(now(), agreed));
    Instant from = submitted.get(origin.client().value() + "/" + origin.request());
    check(
        from == null || !agreed.isBefore(from.plus(earliestClock)),
        "no earlier than a true clock",
        () -> "submitted at %s, and %s was agreed".formatted(from, agreed));
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
    map(core, Occurrence.FORK, Rare.FORK_FOUND);
    map(core, Occurrence.MALFORMED, Rare.GARBAGE_REFUSED);
    map(core, Occurrence.BAD_SIGNATURE, Rare.BAD_SIGNATURE_REFUSED);
    map(core, Occurrence.DISAGREES, Rare.DISAGREEMENT_REFUSED);
    map(core, Occurrence.ANCIENT, Rare.ANCIENT_REFUSED);
    map(core, Occurrence.HASTE, Rare.HASTY);
    map(core, Occurrence.WAITED, Rare.WAITED);
    map(core, Occurrence.NO_ROOM, Rare.NO_ROOM_TO_WAIT);
    map(core, Occurrence.STALE, Rare.STALE_SUBMITTED_AGAIN);
    map(core, Occurrence.INSTALLED, Rare.SNAPSHOT_INSTALLED);
    map(core, Occurrence.NEEDED, Rare.FORKER_NEEDED);
    map(core, Occurrence.STALL, Rare.STALLED);
  }

  private void map(HashgraphCore core, Occurrence occurrence, Rare state) {
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
