package io.kairos.testkit.task;

import io.kairos.domain.task.CollectionName;
import io.kairos.domain.task.TaskHandler;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.Gate;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The gates of {@link ModelTaskStore}. Not thread-safe: its owner locks. */
final class GateBook {
  private final LongSupplier nowMicros;
  private final Map<Place, Gate.Closed> all = new HashMap<>();

  private record Place(TaskHandler handler, @Nullable CollectionName collection) {
    static Place of(Gate gate) {
      return new Place(gate.handler(), gate.collection());
    }

    String words() {
      return handler + " " + (collection == null ? "" : collection);
    }
  }

  GateBook(LongSupplier nowMicros) {
    this.nowMicros = nowMicros;
  }

  private Instant now() {
    return EpochMicros.toInstant(nowMicros.getAsLong());
  }

  private boolean isClosed(Gate gate) {
    Instant until = gate.until();
    return until == null || until.isAfter(now());
  }

  void set(Gate gate) {
    Gate.Closed before = all.get(Place.of(gate));
    boolean wasClosed = before != null && isClosed(before.gate());
    all.put(
        Place.of(gate),
        new Gate.Closed(gate, wasClosed && before != null ? before.since() : now()));
  }

  boolean lift(TaskHandler handler, @Nullable CollectionName collection) {
    Gate.Closed closed = all.get(new Place(handler, collection));
    if (closed == null || !isClosed(closed.gate())) {
      return false;
    }
    Gate gate = closed.gate();
    all.put(
        Place.of(gate),
        new Gate.Closed(
            new Gate(handler, collection, gate.mode(), now(), gate.note()), closed.since()));
    return true;
  }

  void remove(Gate gate) {
    all.remove(Place.of(gate));
  }

  boolean closesAll(TaskHandler handler) {
    return isClosed(new Place(handler, null));
  }

  /** Whether there is a gate of this collection alone. */
  boolean closes(TaskHandler handler, @Nullable CollectionName collection) {
    return collection != null && isClosed(new Place(handler, collection));
  }

  private boolean isClosed(Place place) {
    Gate.Closed closed = all.get(place);
    return closed != null && isClosed(closed.gate());
  }

  List<Gate.Closed> closed() {
    return all.entrySet().stream()
        .filter(entry -> isClosed(entry.getValue().gate()))
        .sorted(Comparator.comparing(entry -> entry.getKey().words()))
        .map(Map.Entry::getValue)
        .toList();
  }

  List<Gate> open() {
    return those(gate -> !isClosed(gate));
  }

  List<Gate> dropping() {
    return those(gate -> isClosed(gate) && gate.mode() == Gate.Mode.DROP);
  }

  private List<Gate> those(Predicate<Gate> which) {
    return all.values().stream().map(Gate.Closed::gate).filter(which).toList();
  }
}
