package io.kairos.simulator.delay;

import static io.kairos.simulator.kernel.RuleNames.IDENTITY;

import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.simulator.kernel.Kernel;
import io.kairos.simulator.kernel.RuleViolation;
import io.kairos.simulator.kernel.SimulationHistory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The history of one simulation of the delay queue: produced records, changes of the store, sends
 * and written records. Checkers judge by it.
 */
final class DelayHistory extends SimulationHistory {
  record IdKey(RouteId route, MessageId id) {}

  private record Input(RouteId route, int partition) {}

  record InputPosition(RouteId route, int partition, long offset) {}

  private final Map<Long, ProducedRecord> byTag = new HashMap<>();
  private final Map<IdKey, List<ProducedRecord>> byId = new HashMap<>();
  final Map<IdKey, ProducedRecord> stored = new HashMap<>();
  private final Map<Input, TreeMap<Long, ProducedRecord>> byInput = new HashMap<>();
  private final Map<InputPosition, AmendmentTrack> controlRecords = new HashMap<>();
  final Map<Long, AmendmentTrack> byNumber = new HashMap<>();
  private final Map<IdKey, List<AmendmentTrack>> amendmentsById = new HashMap<>();
  final List<AmendmentTrack> amendments = new ArrayList<>();

  DelayHistory(Kernel kernel, boolean keepsLines) {
    super(kernel, keepsLines);
  }

  // Messages

  void produced(ProducedRecord instance) {
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

  ProducedRecord byTag(long tag) {
    ProducedRecord instance = byTag.get(tag);
    if (instance == null) {
      throw new RuleViolation(IDENTITY, "a record that nobody produced: tag " + tag);
    }
    return instance;
  }

  Iterable<ProducedRecord> instances() {
    return byTag.values();
  }

  /** Messages and garbage of an input partition between two offsets. */
  Collection<ProducedRecord> takenIn(RouteId route, int partition, long from, long to) {
    TreeMap<Long, ProducedRecord> input = byInput.get(new Input(route, partition));
    return input == null || from >= to ? List.of() : input.subMap(from, to).values();
  }

  List<ProducedRecord> withId(RouteId route, MessageId id) {
    return byId.getOrDefault(new IdKey(route, id), List.of());
  }

  @Nullable ProducedRecord stored(RouteId route, MessageId id) {
    return stored.get(new IdKey(route, id));
  }

  // Amendments

  void requested(AmendmentTrack track) {
    if (track.isControlRecord()) {
      controlRecords.put(new InputPosition(track.route, track.partition, track.offset), track);
    }
    amendments.add(track);
    amendmentsById
        .computeIfAbsent(new IdKey(track.route, track.id), _ -> new ArrayList<>())
        .add(track);
    note(track.offset, () -> "requested " + track);
  }

  @Nullable AmendmentTrack controlRecord(RouteId route, int partition, long offset) {
    return controlRecords.get(new InputPosition(route, partition, offset));
  }

  List<AmendmentTrack> amendmentsOf(RouteId route, MessageId id) {
    return amendmentsById.getOrDefault(new IdKey(route, id), List.of());
  }
}
