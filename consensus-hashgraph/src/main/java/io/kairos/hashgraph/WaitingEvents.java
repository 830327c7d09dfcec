package io.kairos.hashgraph;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Verified events that cannot be accepted yet: a parent has not come, their round is ahead of this
 * replica, or their creator has forked and nobody else has built on them. Bounded in bytes for each
 * creator, whose signature stands for it: one who floods only displaces itself. What finds no room
 * is dropped, and comes again when its parents have.
 */
final class WaitingEvents {
  private final int mostBytes;
  private final long[] bytes;
  private final Map<EventHash, Event> events = new LinkedHashMap<>();

  /** Events by the parents that they wait for, or that wait themselves. */
  private final Map<EventHash, Set<EventHash>> byParent = new HashMap<>();

  /** Those that one who has not forked has made, or has built on. */
  private final Set<EventHash> needed = new HashSet<>();

  /** Of each creator that has not forked, the event that needs others. */
  private final Map<ReplicaId, EventHash> turns = new HashMap<>();

  WaitingEvents(ReplicaGroup cluster, int mostBytes) {
    this.mostBytes = mostBytes;
    this.bytes = new long[cluster.size()];
  }

  @Nullable Event get(EventHash hash) {
    return events.get(hash);
  }

  boolean has(EventHash hash) {
    return events.containsKey(hash);
  }

  int size() {
    return events.size();
  }

  /**
   * Keeps an event; false when its creator has no room left.
   *
   * @param displaces whether it may be accepted once its parents are here, and others of its
   *     creator, who has forked, may not: these make room
   */
  boolean add(Event event, boolean displaces, Predicate<Event> mayBeAccepted) {
    if (!hasRoom(event) && displaces) {
      events.values().stream()
          .filter(each -> each.creator().equals(event.creator()) && !mayBeAccepted.test(each))
          .toList()
          .forEach(this::remove);
    }
    if (!hasRoom(event)) {
      return false;
    }
    bytes[event.creator().number()] += event.heldBytes();
    events.put(event.hash(), event);
    for (Event.Parent parent : event.body().parents()) {
      byParent.computeIfAbsent(parent.hash(), _ -> new LinkedHashSet<>()).add(event.hash());
    }
    return true;
  }

  private boolean hasRoom(Event event) {
    return bytes[event.creator().number()] + event.heldBytes() <= mostBytes;
  }

  void remove(Event event) {
    if (events.remove(event.hash()) == null) {
      return;
    }
    needed.remove(event.hash());
    turns.remove(event.creator(), event.hash());
    bytes[event.creator().number()] -= event.heldBytes();
    for (Event.Parent parent : event.body().parents()) {
      Set<EventHash> children = byParent.get(parent.hash());
      if (children != null) {
        children.remove(event.hash());
        if (children.isEmpty()) {
          byParent.remove(parent.hash());
        }
      }
    }
  }

  /** The waiting events that name an event as a parent. */
  List<Event> childrenOf(EventHash parent) {
    List<Event> children = new ArrayList<>();
    for (EventHash child : byParent.getOrDefault(parent, Set.of())) {
      Event event = events.get(child);
      if (event != null) {
        children.add(event);
      }
    }
    return children;
  }

  Collection<Event> all() {
    return List.copyOf(events.values());
  }

  /**
   * True for one event of each creator at a time, the first that asks: only this one makes what it
   * builds on needed. More would let an accomplice of a forker have any number of chains kept by
   * events that are never accepted themselves.
   */
  boolean hasTurn(Event event) {
    EventHash turn = turns.putIfAbsent(event.creator(), event.hash());
    return turn == null || turn.equals(event.hash());
  }

  /** True when a replica that has not forked is known to need the event. */
  boolean isNeeded(Event event) {
    return needed.contains(event.hash())
        || byParent.getOrDefault(event.hash(), Set.of()).stream().anyMatch(needed::contains);
  }

  /**
   * Notes that an event that waits is needed, and so are its ancestors. Returns those of them of
   * which that was not known: so nobody can have the same ones looked at again and again.
   */
  List<Event> need(Event event) {
    needed.add(event.hash());
    List<Event> found = new ArrayList<>();
    Deque<Event> down = new ArrayDeque<>(List.of(event));
    while (!down.isEmpty()) {
      for (Event.Parent parent : down.remove().body().parents()) {
        Event waiting = events.get(parent.hash());
        if (waiting != null && needed.add(parent.hash())) {
          found.add(waiting);
          down.add(waiting);
        }
      }
    }
    return found;
  }
}
