package io.kairos.hashgraph;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.time.MonotonicClock;
import io.kairos.hashgraph.HashgraphEngine.Decisions;
import java.util.ArrayDeque;
import java.util.ArrayList;
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
  private final DecidedRounds rounds;
  private final ReplicaMemory memory;
  private final OwnEvents own;
  private final OccurrenceCounts counts;
  private final WaitingEvents waiting;

  private final Vouchers vouchers;

  private long checkingNanos;
  private long decidingNanos;

  EventIntake(
      HashgraphConfig config,
      HashgraphCore.Ports ports,
      EventGraph graph,
      DecidedRounds rounds,
      ReplicaMemory memory,
      OwnEvents own,
      OccurrenceCounts counts) {
    this.config = config;
    this.keys = ports.keys();
    this.stopwatch = ports.stopwatch();
    this.graph = graph;
    this.rounds = rounds;
    this.memory = memory;
    this.own = own;
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
      if (checked == Checked.ACCEPTED) {
        graph.passed(event.hash(), from);
      } else if (checked == Checked.WAITS && vouch(from, event)) {
        // The one that waits, which is verified: this one may have another signature.
        take(requireNonNull(waiting.get(event.hash())));
      } else if (checked == Checked.NEW) {
        vouch(from, event);
        own.checked(spent);
        long decided = decidingNanos;
        take(event);
        boolean isTaken = graph.has(event.hash()) || waiting.has(event.hash());
        if (from.equals(event.creator()) || !isTaken) {
          // But not for rounds that it decides, which have the requests of all.
          checkingNanos += stopwatch.nanos() - before - spent - (decidingNanos - decided);
        }
        isIncomplete |= !graph.has(event.hash());
      }
    }
    return isIncomplete;
  }

  /** The result of checking an event without its parents. */
  private enum Checked {
    NEW,
    WAITS,
    ACCEPTED,
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
      return waiting.has(event.hash()) ? Checked.WAITS : Checked.ACCEPTED;
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
      if (!waiting.add(event)) {
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
    boolean wasForker = graph.isForker(event.creator());
    EventGraph.Added added = graph.add(event, rounds.ancientBelow());
    added.backed().forEach(vouchers::settle);
    vouchers.of(event).ifPresent(voucher -> graph.passed(event.hash(), voucher));
    memory.append(event);
    if (wasForker) {
      counts.note(Occurrence.FORKED_VOUCHED, event.creator());
    } else if (graph.isForker(event.creator())) {
      counts.note(Occurrence.FORK, event.creator());
      memory.force(); // so that it is known after a restart too
    }
    if (event.creator().equals(config.self()) && memory.isAfterLast(event, rounds.isSilent())) {
      memory.last(event);
    }
    long before = stopwatch.nanos();
    Decisions decisions = rounds.add(event, added.generation());
    decidingNanos += stopwatch.nanos() - before;
    decisions.stale().forEach(graph::decided);
    own.decided(decisions);
    if (decisions.rounds().isEmpty()) {
      return false;
    }
    vouchers.prune(rounds.ancientBelow());
    graph.prune(Math.min(rounds.keeps(), rounds.ancientBelow()));
    return true;
  }

  /** Forgets all events, and returns them, parents before children. */
  List<Event> clear() {
    List<Event> had = new ArrayList<>(graph.clear());
    // They were accepted, whoever has made them.
    had.forEach(vouchers::settle);
    had.addAll(waiting.all());
    waiting.all().forEach(waiting::remove);
    return had;
  }
}
