package io.kairos.cli.imports;

import io.kairos.client.ScheduleSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The schedules of a source: those that can be imported, and the others with the reason. Not
 * thread-safe.
 */
public final class ImportSource {
  private final NamePattern schedules;
  private final NamePattern handlers;
  private final Instant now;
  private final int count;
  private final List<ForeignSchedule> found = new ArrayList<>();
  private final List<SkippedSchedule> passed = new ArrayList<>();
  private final Set<String> names = new HashSet<>();

  /** The last number that was appended to a name, so that many uses of it are counted once. */
  private final Map<String, Integer> uses = new HashMap<>();

  /**
   * @param schedules pattern of the names of schedules
   * @param handlers pattern of the names of handlers
   * @param now fire times after this time are compared
   * @param count maximum number of fire times to compare
   */
  public ImportSource(String schedules, String handlers, Instant now, int count) {
    this.schedules = new NamePattern(schedules);
    this.handlers = new NamePattern(handlers);
    this.now = now;
    this.count = count;
  }

  public Instant now() {
    return now;
  }

  int count() {
    return count;
  }

  /** Returns the builder of a schedule with a unique name, and with a handler. */
  ScheduleSpec.Builder spec(Map<String, String> values) {
    return ScheduleSpec.named(unique(schedules.fill(values))).handler(handlers.handler(values));
  }

  void add(ForeignSchedule one) {
    found.add(one);
  }

  void pass(String place, String original, String reason) {
    passed.add(new SkippedSchedule(place, original, reason));
  }

  /** Returns a unique name: a number is appended from the second use on. */
  private String unique(String name) {
    String free = name;
    int count = uses.getOrDefault(name, 1);
    while (!names.add(free)) {
      count++;
      free = name + "-" + count;
    }
    uses.put(name, count);
    return free;
  }

  public List<ForeignSchedule> found() {
    return List.copyOf(found);
  }

  public List<SkippedSchedule> passed() {
    return List.copyOf(passed);
  }
}
