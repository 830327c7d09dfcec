package io.kairos.hashgraph;

import io.kairos.hashgraph.Event.Parent;
import io.kairos.hashgraph.HashgraphEngine.Decisions;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes requests, and puts them into events of this replica when it is time to make one. On the
 * log's thread only.
 */
final class OwnEvents {
  /**
   * Own events within one undecided round after which this replica only makes an event that brings
   * enough others together. While too many replicas are away, the graph so stops growing.
   */
  static final int EVENTS_BEFORE_STALL = 20;

  /**
   * How often the pause doubles while a stalled round fills up with events, when those that are
   * brought together have not built on this replica's: that is what one who lies in the place of
   * those who are away can have again and again. The last pause is of days, so that the round has
   * room when they are back. Each pause is about a twentieth of the time for which the round has
   * stood still.
   */
  private static final int DOUBLINGS = 26;

  /** So many times what checking events of others took is the pause between own events... */
  private static final int TIMES_CHECKING = 4;

  /** ... but no more than so many times the least pause, whoever floods. */
  private static final int MOST_TIMES_SLOWER = 20;

  /** The most that an event without requests takes of a round. */
  static final int HEAD_BYTES = EventGraph.EVENT_OVERHEAD + Event.MOST_HEAD_BYTES;

  private final HashgraphConfig config;
  private final HashgraphCore.Ports ports;
  private final EventGraph graph;
  private final DecidedRounds rounds;
  private final ReplicaMemory memory;
  private final PeerRounds peers;
  private final OccurrenceCounts counts;
  private final Deque<Queued> queue = new ArrayDeque<>();
  private final Map<EventHash, List<Queued>> inFlight = new HashMap<>();
  private long queuedBytes;
  private long madeNanos = Long.MIN_VALUE;
  private long nextNanos = Long.MIN_VALUE;

  /** Nanoseconds spent on checking events of others since the last own event. */
  private long checkingNanos;

  /** A request that waits for an event. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Queued(byte[] request, HashgraphCore.Submitter submitter) {}

  OwnEvents(
      HashgraphConfig config,
      HashgraphCore.Ports ports,
      EventGraph graph,
      DecidedRounds rounds,
      ReplicaMemory memory,
      PeerRounds peers,
      OccurrenceCounts counts) {
    this.config = config;
    this.ports = ports;
    this.graph = graph;
    this.rounds = rounds;
    this.memory = memory;
    this.peers = peers;
    this.counts = counts;
  }

  /** See {@link HashgraphCore#submit}. */
  void submit(byte[] request, HashgraphCore.Submitter submitter) {
    if (queuedBytes + request.length > config.bounds().queuedBytes()
        || request.length > config.bounds().requestBytes()) {
      counts.note(Occurrence.QUEUE_FULL);
      submitter.failed();
      return;
    }
    queuedBytes += request.length;
    queue.add(new Queued(request, submitter));
  }

  /** True when something is to be decided, so that time must not pass unused. */
  boolean hasWork() {
    return !queue.isEmpty() || graph.undecided() > 0;
  }

  /** Number of own events in the undecided round. */
  int inRound() {
    return graph.ownChain(rounds.round()).events();
  }

  void checked(long spentNanos) {
    checkingNanos += spentNanos;
  }

  /**
   * Makes an event, if it is time; it has to be accepted, and forced, before it is sent.
   *
   * <p>At once, when f+1 others are ahead and have new events: one of them tells the truth, and the
   * event that decides the round there is among these, or comes next. Only events of the last two
   * rounds count: pauses keep these few, so that they do not fill the round.
   *
   * <p>While no request is known that is not decided, an event is made only if one who is ahead has
   * a new one. A replica may wait for this one to come to its round, see {@link #isAlone}.
   */
  Optional<Event> create(long nanos) {
    if (!mayCreate()) {
      return Optional.empty();
    }
    Event last = memory.last();
    List<Parent> fresh = graph.freshHeads();
    List<Parent> ahead =
        fresh.stream().filter(head -> peers.of(head.creator()) > rounds.round()).toList();
    EventGraph.Chain chain = graph.ownChain(rounds.round());
    boolean isBehind =
        ahead.stream().filter(head -> head.birthRound() >= rounds.round() - 1).count()
            > config.cluster().mayFail();
    boolean isEnough =
        chain.events() < EVENTS_BEFORE_STALL
            ? !fresh.isEmpty() || !queue.isEmpty()
            : isEnoughInStall(fresh, !ahead.isEmpty(), nanos >= stalledUntil(chain));
    boolean isOfUse = hasWork() || !ahead.isEmpty();
    if (!isOfUse || !(isBehind || (isEnough && nanos >= nextNanos))) {
      return Optional.empty();
    }
    long room = room(chain);
    madeNanos = nanos;
    nextNanos = nanos + pauseNanos();
    List<Parent> parents = new ArrayList<>();
    if (last != null) {
      parents.add(new Parent(config.self(), last.birthRound(), last.hash()));
    }
    parents.addAll(fresh);
    List<Queued> taken = new ArrayList<>();
    Event event =
        Event.sign(
            new Event.Body(
                config.self(),
                rounds.round(),
                created(last),
                ports.random().nextLong(),
                parents,
                requests(taken, room - config.bounds().eventRoomBytes())),
            config.clusterName(),
            ports.keys());
    if (!taken.isEmpty()) {
      inFlight.put(event.hash(), taken);
    }
    if (chain.events() + 1 == EVENTS_BEFORE_STALL) {
      counts.note(Occurrence.STALLED);
    }
    if (room < HEAD_BYTES) {
      counts.note(Occurrence.CHAIN_FULL);
    }
    return Optional.of(event);
  }

  private boolean mayCreate() {
    return !isFollowing() && !isAlone();
  }

  /**
   * True while rounds are decided by events of others, as this replica can make none: it has
   * forgotten those that it made, the last one is not accepted although the journal was read, or
   * the round has no room for another one.
   */
  boolean isFollowing() {
    Event recent = recent();
    boolean isCutOff = !memory.isReplaying() && recent != null && !graph.has(recent.hash());
    return rounds.isSilent() || isCutOff || isFull();
  }

  /**
   * True while fewer than f+1 others are known to have come to the round of one who once forgot
   * what it made, so that perhaps nobody has who tells the truth: a liar's event that no one else
   * accepts may have brought it there while it was silent. It makes no event and follows nobody
   * further. The others come there without it, as it does not count yet.
   *
   * <p>Once it has made an event that is not ancient, this is over. A snapshot can make all its
   * events ancient, and it waits again, as it cannot tell this from the end of a silence. The own
   * event by which one who tells the truth has decided that round brings f+1 there.
   */
  boolean isAlone() {
    return recent() == null
        && memory.silence().hasEverForgotten()
        && peersAt(rounds.round()) <= config.cluster().mayFail();
  }

  /** The last own event; null when it is ancient, or there is none. */
  private @Nullable Event recent() {
    Event last = memory.last();
    return last == null || last.birthRound() < rounds.ancientBelow() ? null : last;
  }

  /** How many others are known to have come to a round. */
  private long peersAt(long round) {
    return config.cluster().replicas().stream()
        .filter(each -> !each.equals(config.self()) && peers.of(each) >= round)
        .count();
  }

  private boolean isFull() {
    return room(graph.ownChain(rounds.round())) < 0;
  }

  private long room(EventGraph.Chain chain) {
    return config.bounds().roundBytes() - chain.bytes() - HEAD_BYTES;
  }

  /** One event of one who has decided the round can be all that is missing. */
  private boolean isEnoughInStall(List<Parent> fresh, boolean isDecidedByAny, boolean hasWaited) {
    boolean isQuorum = fresh.size() >= config.quorum() - 1;
    return hasWaited
        ? isQuorum || isDecidedByAny
        : isQuorum && graph.afterOwn(fresh) >= config.quorum() - 1;
  }

  private long stalledUntil(EventGraph.Chain chain) {
    int most = config.bounds().eventRoomBytes() / HEAD_BYTES - EVENTS_BEFORE_STALL;
    int doublings = Math.min(DOUBLINGS, DOUBLINGS * (chain.events() - EVENTS_BEFORE_STALL) / most);
    return madeNanos + (config.pace().create().toNanos() << doublings);
  }

  /** Longer when checking the events of others takes long, so that a slow machine keeps up. */
  private long pauseNanos() {
    long least = config.pace().create().toNanos();
    long pause = Math.clamp(checkingNanos * TIMES_CHECKING, least, least * MOST_TIMES_SLOWER);
    checkingNanos = 0;
    return pause;
  }

  /**
   * The next requests, as many as fit. Events without any always have room, or a round that is full
   * of requests could never be decided.
   */
  private List<byte[]> requests(List<Queued> taken, long room) {
    List<byte[]> requests = new ArrayList<>();
    int bytes = 0;
    long left = room;
    for (Queued next = queue.peek(); next != null; next = queue.peek()) {
      int length = next.request().length;
      if (next.submitter().isWanted()) {
        left -= length + Integer.BYTES + EventGraph.REQUEST_OVERHEAD;
        if (left < 0 || !Event.fits(requests.size(), bytes, length, config.bounds().eventBytes())) {
          return requests;
        }
        bytes += length;
        requests.add(next.request());
        taken.add(next);
      }
      queue.remove();
      queuedBytes -= length;
    }
    return requests;
  }

  private Instant created(@Nullable Event last) {
    Instant now = ports.clock().instant();
    Instant bounded = now.isBefore(Instant.EPOCH) ? Instant.EPOCH : now;
    Instant latest = bounded.isAfter(Event.LATEST) ? Event.LATEST : bounded;
    return last == null || latest.isAfter(last.body().created())
        ? latest
        : last.body().created().plusNanos(1);
  }

  /** Takes note of what became of own events; tells of those that were not ordered. */
  void decided(Decisions decisions) {
    decisions.rounds().stream()
        .flatMap(each -> each.events().stream())
        .forEach(ordered -> inFlight.remove(ordered.hash()));
    for (EventHash stale : decisions.stale()) {
      List<Queued> requests = inFlight.remove(stale);
      if (requests != null) {
        counts.note(Occurrence.STALE);
        requests.forEach(each -> each.submitter().failed());
      }
    }
  }

  /** Begins again after a snapshot of others; returns whom to tell of requests of unknown fate. */
  List<HashgraphCore.Submitter> restart() {
    List<HashgraphCore.Submitter> unknown =
        inFlight.values().stream().flatMap(List::stream).map(Queued::submitter).toList();
    inFlight.clear();
    return unknown;
  }
}
