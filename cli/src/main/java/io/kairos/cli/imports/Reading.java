package io.kairos.cli.imports;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a source has: what can be imported, and what cannot with the reason. Not thread-safe. */
public final class Reading {
  private final List<Found> found = new ArrayList<>();
  private final List<Passed> passed = new ArrayList<>();
  private final Set<String> names = new HashSet<>();

  void add(Found one) {
    found.add(one);
  }

  void pass(String place, String original, String reason) {
    passed.add(new Passed(place, original, reason));
  }

  /** The same, with a number behind it from the second time on. */
  String unique(String name) {
    String free = name;
    for (int count = 2; !names.add(free); count++) {
      free = name + "-" + count;
    }
    return free;
  }

  public List<Found> found() {
    return List.copyOf(found);
  }

  public List<Passed> passed() {
    return List.copyOf(passed);
  }
}
