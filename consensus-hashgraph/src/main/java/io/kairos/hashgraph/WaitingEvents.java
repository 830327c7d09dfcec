package io.kairos.hashgraph;

import io.kairos.domain.replica.ReplicaGroup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Verified events that cannot be accepted yet: a parent has not come, or their round is ahead of
 * this replica. Bounded in bytes for each creator, whose signature stands for it: one who floods
 * only displaces itself. What finds no room is dropped, and comes again when its parents have.
 */
final class WaitingEvents {
  private final int mostBytes;
  private final long[] bytes;
  private final Map<EventHash, Event> events = new LinkedHashMap<>();

  /** Events by the parents that they wait for, or that wait themselves. */
  private final Map<EventHash, Set<EventHash>> byParent = new HashMap<>();

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

  /** Keeps an event; false when its creator has no room left. */
  boolean add(Event event) {
    long after = bytes[event.creator().number()] + event.heldBytes();
    if (after > mostBytes) {
      return false;
    }
    keep(event);
    return true;
  }

  /** Keeps an event, whether or not its creator has room left. */
  void keep(Event event) {
    bytes[event.creator().number()] += event.heldBytes();
    events.put(event.hash(), event);
    for (Event.Parent parent : event.body().parents()) {
      byParent.computeIfAbsent(parent.hash(), _ -> new LinkedHashSet<>()).add(event.hash());
    }
  }

  void remove(Event event) {
    if (events.remove(event.hash()) == null) {
      return;
    }
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
}
