package io.kairos.engine.cron.entry;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.cron.CronTable;
import io.kairos.domain.schedule.definition.ScheduleName;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * By name the entries of schedules, which the table has by position, and those of them that wait to
 * be told when they are due next. All of it follows from the table and its pages; it is in memory
 * so that nobody has to read these to find one.
 */
final class ScheduleEntries {
  private final TreeMap<ScheduleName, Place> places = new TreeMap<>();
  private final BitSet taken = new BitSet();
  private final TreeSet<ScheduleName> waiting = new TreeSet<>();

  private record Place(int position, long changedAt) {}

  /** Of the entry of a schedule, if it has one. */
  OptionalInt position(ScheduleName schedule) {
    Place place = places.get(schedule);
    return place == null ? OptionalInt.empty() : OptionalInt.of(place.position());
  }

  /** The first position that no entry of a schedule has. */
  int firstFree() {
    return taken.nextClearBit(0);
  }

  /** There was an entry when the tables were made. */
  void found(ScheduleName schedule, int position, boolean isTold) {
    if (isTold) {
      told(schedule, position, 0);
    } else {
      waits(schedule, position, 0);
    }
  }

  /** Its entry was made, or told when it is due. */
  void told(ScheduleName schedule, int position, long sequence) {
    changed(schedule, position, sequence);
    waiting.remove(schedule);
  }

  /** Its entry fired. */
  void waits(ScheduleName schedule, int position, long sequence) {
    changed(schedule, position, sequence);
    waiting.add(schedule);
  }

  private void changed(ScheduleName schedule, int position, long sequence) {
    places.put(schedule, new Place(position, sequence));
    taken.set(position);
  }

  void removed(ScheduleName schedule) {
    Place place = places.remove(schedule);
    if (place != null) {
      taken.clear(place.position());
      waiting.remove(schedule);
    }
  }

  /** What there is of a schedule in its table. */
  Optional<DecidedSchedule> find(CronTable table, ScheduleName schedule) {
    return Optional.ofNullable(places.get(schedule))
        .map(place ->
            new DecidedSchedule(
                schedule, table.nextFire(place.position()).orElse(null), place.changedAt()));
  }

  /** In order. */
  List<ScheduleName> names() {
    return List.copyOf(places.keySet());
  }

  boolean isWaiting(ScheduleName schedule) {
    return waiting.contains(schedule);
  }

  int waitingCount() {
    return waiting.size();
  }

  /** In order. */
  List<DecidedSchedule> waiting() {
    return waiting.stream()
        .map(schedule ->
            new DecidedSchedule(schedule, null, requireNonNull(places.get(schedule)).changedAt()))
        .toList();
  }
}
