package io.kairos.model.delay;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.ClaimRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rows of {@link ModelDelayStore}, unique by route and id, and one index like the real table's:
 * per route and holder (or nobody), in claim order. Not thread-safe: its owner locks.
 */
final class MessageTable {
  private record Key(RouteId route, MessageId id) {}

  /** Rows of one route that one node, or nobody, holds. */
  private record Shelf(RouteId route, @Nullable NodeId holder) {}

  private final DelayStoreObserver observer;
  private final Map<Key, MessageRow> rows = new HashMap<>();
  private final Map<Shelf, NavigableSet<MessageRow>> shelves = new LinkedHashMap<>();

  MessageTable(DelayStoreObserver observer) {
    this.observer = observer;
  }

  @Nullable MessageRow find(RouteId route, MessageId id) {
    return rows.get(new Key(route, id));
  }

  /** Returns false, and changes nothing, when the id is taken. */
  boolean insert(DelayedMessage message, @Nullable Fence fence) {
    MessageRow row = new MessageRow(message, fence);
    if (rows.putIfAbsent(keyOf(row), row) != null) {
      return false;
    }
    shelve(row);
    observer.inserted(message, fence);
    return true;
  }

  void remove(MessageRow row) {
    unshelve(row);
    rows.remove(keyOf(row));
    observer.removed(row.message, row.fence);
  }

  void change(MessageRow row, Consumer<MessageRow> change) {
    DelayedMessage messageBefore = row.message;
    Fence fenceBefore = row.fence;
    unshelve(row);
    change.accept(row);
    shelve(row);
    if (messageBefore.dueMicros() != row.message.dueMicros()) {
      observer.rescheduled(messageBefore, row.message, fenceBefore);
    }
    if (!Objects.equals(fenceBefore, row.fence)) {
      observer.changedHands(row.message, fenceBefore, row.fence);
    }
  }

  /** Rows of the holder (or unclaimed ones) that the request is for, earliest first. */
  List<MessageRow> select(@Nullable NodeId holder, ClaimRequest request) {
    List<MessageRow> candidates =
        request.routes().stream()
            .flatMap(route ->
                shelf(route, holder).stream()
                    .takeWhile(row -> row.claimableFromMicros() <= request.untilMicros())
                    .limit(request.maxMessages()))
            .sorted(MessageRow.EARLIEST_FIRST)
            .toList();
    List<MessageRow> selected = new ArrayList<>();
    long bytes = 0;
    for (MessageRow row : candidates) {
      bytes += row.message.payloadBytes();
      boolean full = selected.size() == request.maxMessages() || bytes > request.maxBytes();
      if (full && !selected.isEmpty()) {
        break;
      }
      selected.add(row);
    }
    return selected;
  }

  List<MessageRow> heldBy(NodeId holder) {
    List<MessageRow> held = new ArrayList<>();
    shelves.forEach((shelf, shelved) -> {
      if (holder.equals(shelf.holder())) {
        held.addAll(shelved);
      }
    });
    held.sort(MessageRow.DUE_FIRST);
    return held;
  }

  boolean holdsAnything(NodeId node) {
    return shelves.keySet().stream().anyMatch(shelf -> node.equals(shelf.holder()));
  }

  Set<NodeId> holders(Collection<RouteId> routes) {
    Set<NodeId> holders = new LinkedHashSet<>();
    shelves.keySet().stream()
        .filter(shelf -> routes.contains(shelf.route()))
        .flatMap(shelf -> Stream.ofNullable(shelf.holder()))
        .forEach(holders::add);
    return holders;
  }

  Collection<MessageRow> shelf(RouteId route, @Nullable NodeId holder) {
    return shelves.getOrDefault(new Shelf(route, holder), Collections.emptyNavigableSet());
  }

  Collection<MessageRow> all() {
    return Collections.unmodifiableCollection(rows.values());
  }

  private void shelve(MessageRow row) {
    shelves.computeIfAbsent(shelfOf(row), _ -> new TreeSet<>(MessageRow.EARLIEST_FIRST)).add(row);
  }

  private void unshelve(MessageRow row) {
    Shelf shelf = shelfOf(row);
    NavigableSet<MessageRow> shelved = shelves.get(shelf);
    if (shelved == null || !shelved.remove(row)) {
      throw new IllegalStateException("the index has lost " + row.message);
    }
    if (shelved.isEmpty()) {
      shelves.remove(shelf);
    }
  }

  private static Key keyOf(MessageRow row) {
    return new Key(row.message.route(), row.message.id());
  }

  private static Shelf shelfOf(MessageRow row) {
    return new Shelf(row.message.route(), row.holder());
  }
}
