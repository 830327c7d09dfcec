package io.kairos.hashgraph;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.time.MonotonicClock;
import io.kairos.hashgraph.HashgraphEngine.Decisions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks events, lets those wait that cannot be accepted yet, and accepts the others. On the log's
 * thread only.
 */
final class EventIntake {
  private final HashgraphConfig config;
  private final EventKeys keys;
  private final MonotonicClock stopwatch;
  private final EventGraph graph;
  private final Reconciliation reconciliation;
  private final DecidedRounds rounds;
  private final ReplicaMemory memory;
  private final OwnEvents own;
  private final PeerRounds peers;
  private final OccurrenceCounts counts;
  private final WaitingEvents waiting;
  private final Vouchers vouchers;

  private long checkingNanos;
  private long decidingNanos;

  EventIntake(
      HashgraphConfig config,
      HashgraphCore.Ports ports,
      EventGraph graph,
      Reconciliation reconciliation,
      DecidedRounds rounds,
      ReplicaMemory memory,
      OwnEvents own,
      PeerRounds peers,
      OccurrenceCounts counts) {
    this.config = config;
    this.keys = ports.keys();
    this.stopwatch = ports.stopwatch();
    this.graph = graph;
    this.reconciliation = reconciliation;
    this.rounds = rounds;
    this.memory = memory;
    this.own = own;
    this.peers = peers;
    this.counts = counts;
    this.waiting = new WaitingEvents(config.cluster(), config.bounds().waitingBytes());
    this.vouchers = new Vouchers(config);
  }

  /** Nanoseconds spent on checking events of others, which may have been for nothing. */
  long checkingNanos() {
    return checkingNanos;
  }

  int waiting() {
    return waiting.size();
  }

  /** Takes events of another replica; true when something is missing that it should be asked. */
  boolean take(ReplicaId from, List<byte[]> events) {
    boolean isIncomplete = events.size() > config.cluster().size();
    for (byte[] bytes : events) {
      long before = stopwatch.nanos();
      Event event = Event.decode(bytes, config).orElse(null);
      Checked checked = check(from, event);
      long spent = stopwatch.nanos() - before;
      checkingNanos += spent;
      if (event == null || checked == Checked.FALSE) {
        break; // who tells the truth has checked it too, so the rest is worth nothing
      }
      if (checked == Checked.WAITS && vouch(from, event)) {
        // The one that waits, which is verified: this one may have another signature.
        take(requireNonNull(waiting.get(event.hash())));
      } else if (checked == Checked.NEW) {
        vouch(from, event);
        own.checked(spent);
        peers.shows(event.creator(), event.birthRound());
        long decided = decidingNanos;
        take(event);
        boolean isTaken = graph.has(event.hash()) || waiting.has(event.hash());
        if (from.equals(event.creator()) || !isTaken) {
          // But not for rounds that it decides, which have the requests of all.
          checkingNanos += stopwatch.nanos() - before - spent - (decidingNanos - decided);
        }
        isIncomplete |= !graph.has(event.hash());
      }
      reconciliation.sent(event.hash(), from);
    }
    return isIncomplete;
  }

  /** The result of checking an event without its parents. */
  private enum Checked {
    NEW,
    WAITS,
    OF_NO_USE,
    FALSE
  }

  private Checked check(ReplicaId from, @Nullable Event event) {
    if (event == null) {
      counts.note(Occurrence.MALFORMED, from);
      return Checked.FALSE;
    }
    if (graph.has(event.hash()) || waiting.has(event.hash())) {
      counts.note(Occurrence.DUPLICATE, from);
      return waiting.has(event.hash()) ? Checked.WAITS : Checked.OF_NO_USE;
    }
    if (event.birthRound() < rounds.ancientBelow()) {
      counts.note(Occurrence.ANCIENT, from);
      return Checked.OF_NO_USE;
    }
    if (event.birthRound() > rounds.round() + HashgraphEngine.ROUNDS_NON_ANCIENT) {
      // It comes again, after those that bring this replica there.
      counts.note(Occurrence.FUTURE, from);
      return Checked.OF_NO_USE;
    }
    if (!keys.verify(event.creator(), event.hash().bytes(), event.signature())) {
      counts.note(Occurrence.BAD_SIGNATURE, from);
      return Checked.FALSE;
    }
    return Checked.NEW;
  }

  /** Accepts a verified event and what waited for it, or lets it wait. */
  void take(Event event) {
    Deque<Event> candidates = new ArrayDeque<>(List.of(event));
    while (!candidates.isEmpty()) {
      Event next = candidates.remove();
      boolean isOfUse = !graph.has(next.hash()) && next.birthRound() >= rounds.ancientBelow();
      if (!isOfUse || !mayBeAccepted(next)) {
        waiting.remove(next);
      } else if (!isReady(next)) {
        await(next);
      } else {
        waiting.remove(next);
        Optional<Occurrence> refused = graph.disagreement(next, rounds.ancientBelow());
        if (refused.isPresent()) {
          counts.note(refused.get(), next.creator());
        } else {
          boolean isDecided = accept(next);
          candidates.addAll(isDecided ? waiting.all() : waiting.childrenOf(next.hash()));
        }
      }
    }
  }

  /** Lets an event wait, if there is room. */
  private void await(Event event) {
    if (!waiting.has(event.hash())) {
      counts.note(Occurrence.ORPHANED, event.creator());
      if (memory.isReplaying()) {
        waiting.keep(event); // what an own event may stand on, and the journal bounds it
      } else if (!waiting.add(event)) {
        counts.note(Occurrence.ORPHANS_FULL, event.creator());
      }
    }
  }

  private boolean isReady(Event event) {
    return event.birthRound() <= rounds.round() && graph.hasParents(event, rounds.ancientBelow());
  }

  /** False for an event of one who has forked, unless others vouch for it. */
  private boolean mayBeAccepted(Event event) {
    return memory.isReplaying() || !graph.isForker(event.creator()) || vouchers.isVouchedFor(event);
  }

  /** Notes that one who has not forked passes on an event of one who has; false if it may not. */
  private boolean vouch(ReplicaId from, Event event) {
    return graph.isForker(event.creator())
        && !from.equals(event.creator())
        && !graph.isForker(from)
        && vouchers.vouch(from, event);
  }

  /** Adds an event to the graph; true when rounds were decided. */
  private boolean accept(Event event) {
    boolean isOwn = event.creator().equals(config.self());
    boolean wasForker = graph.isForker(event.creator());
    boolean isBacked = memory.isReplaying() || !wasForker;
    List<Event> backed = graph.add(event, rounds.ancientBelow(), isBacked);
    if (!isBacked) {
      counts.note(Occurrence.FORKED_VOUCHED, event.creator());
      return false;
    }
    backed.forEach(memory::append);
    backed.forEach(vouchers::settle);
    boolean isFork = !wasForker && graph.isForker(event.creator());
    if (isFork) {
      counts.note(Occurrence.FORK, event.creator());
    }
    if (isOwn && memory.isAfterLast(event, rounds.isSilent())) {
      memory.last(event);
    }
    if (isFork || isOwn) {
      memory.force(); // who has forked is known after a restart too, and what own events stand on
    }
    return (isOwn || mayDecide(event)) && decide(event.hash());
  }

  /**
   * True when rounds are decided by an event of another one, which no own event stands on. One who
   * forked is named by nobody who knows it, so that others may never accept its event.
   */
  private boolean mayDecide(Event event) {
    return own.isFollowing() && !graph.isForker(event.creator());
  }

  /** Has events decided that are here, if this replica follows others. */
  void look() {
    if (!own.isFollowing()) {
      return;
    }
    for (Event head : graph.heads()) {
      if (graph.has(head.hash()) && mayDecide(head) && decide(head.hash())) {
        waiting.all().forEach(this::take);
      }
    }
  }

  /** Gives the engine an event with its ancestors; true when rounds were decided. */
  private boolean decide(EventHash top) {
    boolean isDecided = false;
    for (EventGraph.Fed next : graph.feed(top)) {
      if (next.event().birthRound() < rounds.ancientBelow()) {
        continue;
      }
      long before = stopwatch.nanos();
      Decisions decisions = rounds.add(next.event(), next.generation());
      decidingNanos += stopwatch.nanos() - before;
      decisions.stale().forEach(graph::decided);
      own.decided(decisions);
      if (!decisions.rounds().isEmpty()) {
        isDecided = true;
        vouchers.prune(rounds.ancientBelow());
        graph.prune(Math.min(rounds.keeps(), rounds.ancientBelow()), rounds.ancientBelow());
      }
    }
    return isDecided;
  }

  /** Forgets all events, and returns those that wait. */
  List<Event> clear() {
    graph.clear();
    reconciliation.clear();
    List<Event> waited = List.copyOf(waiting.all());
    waited.forEach(waiting::remove);
    return waited;
  }
}
