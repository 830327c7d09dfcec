package io.kairos.client;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Selects schedules to list, by name.
 *
 * @param prefix only schedules whose names begin with it; all when empty
 * @param states only schedules in these states; all when empty
 * @param decider only schedules with this decider; all when empty
 * @param limit maximum number of schedules
 * @param after only schedules with greater names, to continue a former list
 */
public record ScheduleQuery(
    String prefix,
    Set<ScheduleStatus.State> states,
    Optional<ScheduleSpec.Decider> decider,
    int limit,
    String after) {
  public ScheduleQuery {
    states = Set.copyOf(states);
  }

  /** Returns a query for the first hundred schedules. */
  public static ScheduleQuery all() {
    return new ScheduleQuery(
        "", EnumSet.noneOf(ScheduleStatus.State.class), Optional.empty(), 100, "");
  }

  public ScheduleQuery prefix(String begin) {
    return new ScheduleQuery(begin, states, decider, limit, after);
  }

  public ScheduleQuery states(ScheduleStatus.State... wanted) {
    return new ScheduleQuery(prefix, Set.copyOf(Arrays.asList(wanted)), decider, limit, after);
  }

  public ScheduleQuery decider(ScheduleSpec.Decider who) {
    return new ScheduleQuery(prefix, states, Optional.of(who), limit, after);
  }

  public ScheduleQuery limit(int most) {
    return new ScheduleQuery(prefix, states, decider, most, after);
  }

  public ScheduleQuery after(String name) {
    return new ScheduleQuery(prefix, states, decider, limit, name);
  }
}
