package io.kairos.hashgraph;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.time.MonotonicClock;
import io.kairos.hashgraph.HashgraphEngine.Decisions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
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

  /** Events of forkers for which others have vouched, by the round of their birth. */
  private final TreeMap<Long, Vouched> vouched = new TreeMap<>();

  /** Those who have signed events that break a rule. */
  private final Set<ReplicaId> untrue = new HashSet<>();

  private long checkingNanos;
  private long decidingNanos;

  /**
   * Events with one round of birth, and how many bytes each replica has vouched for, by creator.
   */
  private static final class Vouched {
    private final Set<EventHash> events = new HashSet<>();
    private final long[][] bytesBy;

    Vouched(int replicas) {
      this.bytesBy = new long[replicas][replicas];
    }
  }

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
      if (checked == Checked.WAITS) {
        // The one that waits, which is verified: this one may have another signature.
        Event known = requireNonNull(waiting.get(event.hash()));
        if (vouch(from, known)) {
          take(known);
        }
      } else if (checked == Checked.NEW) {
        own.checked(spent);
        vouch(from, event);
        long decided = decidingNanos;
        take(event);
        if (from.equals(event.creator())) {
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
      if (graph.has(next.hash()) || next.birthRound() < rounds.ancientBelow()) {
        waiting.remove(next);
      } else if (isReady(next)) {
        waiting.remove(next);
        Optional<Occurrence> refused = graph.disagreement(next, rounds.ancientBelow());
        if (refused.isPresent()) {
          counts.note(refused.get(), next.creator());
          untrue.add(next.creator());
          continue;
        }
        boolean isDecided = accept(next);
        candidates.addAll(isDecided ? waiting.all() : waiting.childrenOf(next.hash()));
      } else if (isKept(next) && (waiting.isNeeded(next) || mayNeed(next))) {
        candidates.addAll(waiting.need(next));
      }
    }
  }

  /** Lets an event wait; false when there is no room for it. */
  private boolean isKept(Event event) {
    if (waiting.has(event.hash())) {
      return true;
    }
    counts.note(Occurrence.ORPHANED, event.creator());
    boolean displaces = graph.isForker(event.creator()) && mayBeAccepted(event);
    boolean isKept = waiting.add(event, displaces, this::mayBeAccepted);
    if (!isKept) {
      counts.note(Occurrence.ORPHANS_FULL, event.creator());
    }
    return isKept;
  }

  /** Whether what an event builds on is needed because of that event alone. */
  private boolean mayNeed(Event event) {
    return !graph.isForker(event.creator())
        && !untrue.contains(event.creator())
        && waiting.hasTurn(event);
  }

  private boolean isReady(Event event) {
    return event.birthRound() <= rounds.round()
        && graph.hasParents(event, rounds.ancientBelow())
        && mayBeAccepted(event);
  }

  /** False for an event of one who has forked, unless others have accepted it. */
  private boolean mayBeAccepted(Event event) {
    return memory.isReplaying() || isVouched(event) || isNeeded(event);
  }

  private boolean isVouched(Event event) {
    Vouched born = vouched.get(event.birthRound());
    return born != null && born.events.contains(event.hash());
  }

  /**
   * Notes that one who has not forked passes on an event of one who has, and so has accepted it.
   * Who tells the truth has accepted one chain before it knew, so an accomplice cannot make the
   * graph grow by more than that.
   *
   * @return whether that was new
   */
  private boolean vouch(ReplicaId from, Event event) {
    if (!graph.isForker(event.creator()) || from.equals(event.creator()) || graph.isForker(from)) {
      return false;
    }
    Vouched born = vouchedWith(event);
    long[] bytes = born.bytesBy[from.number()];
    long after = bytes[event.creator().number()] + event.heldBytes();
    boolean isNew = after <= config.bounds().roundBytes() && born.events.add(event.hash());
    if (isNew) {
      bytes[event.creator().number()] = after;
    }
    return isNew;
  }

  private Vouched vouchedWith(Event event) {
    return vouched.computeIfAbsent(event.birthRound(), _ -> new Vouched(config.cluster().size()));
  }

  /** True when a replica that has not forked made the event or has built on it. */
  private boolean isNeeded(Event event) {
    return !graph.isForker(event.creator()) || waiting.isNeeded(event);
  }

  /** Adds an event to the graph; true when rounds were decided. */
  private boolean accept(Event event) {
    boolean wasForker = graph.isForker(event.creator());
    EventGraph.Node node = graph.add(event, rounds.ancientBelow());
    memory.append(event);
    if (wasForker) {
      counts.note(Occurrence.FORKED_NEEDED, event.creator());
    } else if (graph.isForker(event.creator())) {
      counts.note(Occurrence.FORK, event.creator());
      memory.force(); // so that it is known after a restart too
    }
    if (event.creator().equals(config.self()) && memory.isAfterLast(event, rounds.isSilent())) {
      memory.last(event);
    }
    long before = stopwatch.nanos();
    Decisions decisions = rounds.add(event, node.generation);
    decidingNanos += stopwatch.nanos() - before;
    decisions.stale().forEach(graph::decided);
    own.decided(decisions);
    if (decisions.rounds().isEmpty()) {
      return false;
    }
    vouched.headMap(rounds.ancientBelow()).clear();
    graph.prune(Math.min(rounds.keeps(), rounds.ancientBelow()));
    return true;
  }

  /** Forgets all events, and returns them, parents before children. */
  List<Event> clear() {
    List<Event> had = new ArrayList<>(graph.clear());
    // They were accepted, whoever has made them.
    had.forEach(event -> vouchedWith(event).events.add(event.hash()));
    had.addAll(waiting.all());
    waiting.all().forEach(waiting::remove);
    return had;
  }
}
