package io.kairos.client;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/**
 * Which schedules to list, by name.
 *
 * @param prefix of the names; all when empty
 * @param states all when empty
 * @param limit at most this many
 * @param after only those with greater names: to go on where a former list ended
 */
public record ScheduleQuery(
    String prefix, Set<ScheduleStatus.State> states, int limit, String after) {
  public ScheduleQuery {
    states = Set.copyOf(states);
  }

  /** The first hundred. */
  public static ScheduleQuery all() {
    return new ScheduleQuery("", EnumSet.noneOf(ScheduleStatus.State.class), 100, "");
  }

  public ScheduleQuery prefix(String begin) {
    return new ScheduleQuery(begin, states, limit, after);
  }

  public ScheduleQuery states(ScheduleStatus.State... wanted) {
    return new ScheduleQuery(prefix, Set.copyOf(Arrays.asList(wanted)), limit, after);
  }

  public ScheduleQuery limit(int most) {
    return new ScheduleQuery(prefix, states, most, after);
  }

  public ScheduleQuery after(String name) {
    return new ScheduleQuery(prefix, states, limit, name);
  }
}
