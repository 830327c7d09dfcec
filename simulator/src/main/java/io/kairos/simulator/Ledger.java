package io.kairos.simulator;

import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The history of one simulation of the delay queue: what was produced, what the store changed, what
 * was sent and written. Checkers judge by it.
 */
final class Ledger extends History {
  record IdKey(RouteId route, MessageId id) {}

  private record Input(RouteId route, int partition) {}

  record Place(RouteId route, int partition, long offset) {}

  private final Map<Long, Instance> byTag = new HashMap<>();
  private final Map<IdKey, List<Instance>> byId = new HashMap<>();
  private final Map<IdKey, Instance> stored = new HashMap<>();
  private final Map<Input, TreeMap<Long, Instance>> byInput = new HashMap<>();
  private final Map<Place, AmendmentTrack> controlRecords = new HashMap<>();
  private final Map<Long, AmendmentTrack> byNumber = new HashMap<>();
  private final Map<IdKey, List<AmendmentTrack>> amendmentsById = new HashMap<>();
  private final List<AmendmentTrack> amendments = new ArrayList<>();

  Ledger(Kernel kernel, boolean keepsLines) {
    super(kernel, keepsLines);
  }

  // Messages

  void produced(Instance instance) {
    byTag.put(instance.submitted.tag(), instance);
    byInput
        .computeIfAbsent(
            new Input(instance.submitted.route(), instance.submitted.partition()),
            _ -> new TreeMap<>())
        .put(instance.submitted.offset(), instance);
    instance
        .fires()
        .ifPresent(fires ->
            byId.computeIfAbsent(
                    new IdKey(instance.submitted.route(), fires.id()), _ -> new ArrayList<>())
                .add(instance));
    note(
        instance.submitted.tag(),
        () ->
            "produced "
                + instance
                + instance.fires().map(f -> ", due " + millis(f.dueMicros())).orElse(""));
  }

  Instance byTag(long tag) {
    Instance instance = byTag.get(tag);
    if (instance == null) {
      throw new RuleBroken(Rules.IDENTITY, "a record that nobody produced: tag " + tag);
    }
    return instance;
  }

  Iterable<Instance> instances() {
    return byTag.values();
  }

  /** Messages and garbage of an input partition between two offsets. */
  Collection<Instance> takenIn(RouteId route, int partition, long from, long to) {
    TreeMap<Long, Instance> input = byInput.get(new Input(route, partition));
    return input == null || from >= to ? List.of() : input.subMap(from, to).values();
  }

  List<Instance> withId(RouteId route, MessageId id) {
    return byId.getOrDefault(new IdKey(route, id), List.of());
  }

  @Nullable Instance stored(RouteId route, MessageId id) {
    return stored.get(new IdKey(route, id));
  }

  @Nullable Instance putStored(RouteId route, MessageId id, Instance instance) {
    return stored.put(new IdKey(route, id), instance);
  }

  void removeStored(RouteId route, MessageId id) {
    stored.remove(new IdKey(route, id));
  }

  // Amendments

  void requested(AmendmentTrack track) {
    if (track.isControlRecord()) {
      controlRecords.put(new Place(track.route, track.partition, track.offset), track);
    }
    amendments.add(track);
    amendmentsById
        .computeIfAbsent(new IdKey(track.route, track.id), _ -> new ArrayList<>())
        .add(track);
    note(track.offset, () -> "requested " + track);
  }

  @Nullable AmendmentTrack controlRecord(RouteId route, int partition, long offset) {
    return controlRecords.get(new Place(route, partition, offset));
  }

  void numbered(long number, AmendmentTrack track) {
    byNumber.put(number, track);
  }

  @Nullable AmendmentTrack numbered(long number) {
    return byNumber.get(number);
  }

  List<AmendmentTrack> amendments() {
    return amendments;
  }

  List<AmendmentTrack> amendmentsOf(RouteId route, MessageId id) {
    return amendmentsById.getOrDefault(new IdKey(route, id), List.of());
  }
}
