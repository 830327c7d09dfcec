package io.kairos.cli.imports;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The schedules of a source: those that can be imported, and the others with the reason. Not
 * thread-safe.
 */
public final class ImportSource {
  private final List<ForeignSchedule> found = new ArrayList<>();
  private final List<SkippedSchedule> passed = new ArrayList<>();
  private final Set<String> names = new HashSet<>();

  void add(ForeignSchedule one) {
    found.add(one);
  }

  void pass(String place, String original, String reason) {
    passed.add(new SkippedSchedule(place, original, reason));
  }

  /** Returns a unique name: a number is appended from the second use on. */
  String unique(String name) {
    String free = name;
    for (int count = 2; !names.add(free); count++) {
      free = name + "-" + count;
    }
    return free;
  }

  public List<ForeignSchedule> found() {
    return List.copyOf(found);
  }

  public List<SkippedSchedule> passed() {
    return List.copyOf(passed);
  }
}
