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
 * The entries of schedules by name, and those of them whose next due time is not known. All of it
 * follows from the table and its pages; it is kept in memory so that a look-up does not read all
 * pages.
 */
final class ScheduleEntries {
  private final TreeMap<ScheduleName, EntryPosition> places = new TreeMap<>();
  private final BitSet taken = new BitSet();
  private final TreeSet<ScheduleName> waiting = new TreeSet<>();

  private record EntryPosition(int position, long changedAt) {}

  /** The position of a schedule's entry, if it has one. */
  OptionalInt position(ScheduleName schedule) {
    EntryPosition place = places.get(schedule);
    return place == null ? OptionalInt.empty() : OptionalInt.of(place.position());
  }

  /** The first position without an entry of a schedule. */
  int firstFree() {
    return taken.nextClearBit(0);
  }

  /** Notes an entry that was found when the tables were built. */
  void found(ScheduleName schedule, int position, boolean isTold) {
    if (isTold) {
      told(schedule, position, 0);
    } else {
      waits(schedule, position, 0);
    }
  }

  /** Notes that a schedule's entry was created, or got its next due time. */
  void told(ScheduleName schedule, int position, long sequence) {
    changed(schedule, position, sequence);
    waiting.remove(schedule);
  }

  /** Notes that a schedule's entry has fired. */
  void waits(ScheduleName schedule, int position, long sequence) {
    changed(schedule, position, sequence);
    waiting.add(schedule);
  }

  private void changed(ScheduleName schedule, int position, long sequence) {
    places.put(schedule, new EntryPosition(position, sequence));
    taken.set(position);
  }

  void removed(ScheduleName schedule) {
    EntryPosition place = places.remove(schedule);
    if (place != null) {
      taken.clear(place.position());
      waiting.remove(schedule);
    }
  }

  /** Returns a schedule with its entry's due time; empty if it has no entry. */
  Optional<DecidedSchedule> find(CronTable table, ScheduleName schedule) {
    return Optional.ofNullable(places.get(schedule))
        .map(place ->
            new DecidedSchedule(
                schedule, table.nextFire(place.position()).orElse(null), place.changedAt()));
  }

  /** The names of all schedules with an entry, in order. */
  List<ScheduleName> names() {
    return List.copyOf(places.keySet());
  }

  boolean isWaiting(ScheduleName schedule) {
    return waiting.contains(schedule);
  }

  int waitingCount() {
    return waiting.size();
  }

  /** The schedules whose next due time is not known, in order of name. */
  List<DecidedSchedule> waiting() {
    return waiting.stream()
        .map(schedule ->
            new DecidedSchedule(schedule, null, requireNonNull(places.get(schedule)).changedAt()))
        .toList();
  }
}
