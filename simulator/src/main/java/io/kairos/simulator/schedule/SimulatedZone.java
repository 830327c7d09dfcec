package io.kairos.simulator.schedule;

import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleDefinition;
import io.kairos.domain.schedule.definition.ScheduleRule;
import io.kairos.simulator.kernel.VirtualClock;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * A zone whose clocks go forward and back by seconds while schedules fire, with two versions of its
 * rules. The store has the name of the zone; each node reads the zone by its own version.
 */
final class SimulatedZone {
  static final String NAME = "Simulation/Town";

  private static final ZoneOffset FIRST = ZoneOffset.ofHours(1);

  /** Seconds of the simulation, and the offset from then on; none in the calm at the end. */
  private static final int[][] VERSION_1 = {
    {25, 3_620}, {50, 3_590}, {75, 3_615}, {100, 3_600}, {125, 3_630}, {145, 3_600}
  };

  private static final int[][] VERSION_2 = {
    {28, 3_620}, {55, 3_595}, {75, 3_622}, {95, 3_600}, {125, 3_640}, {147, 3_617}
  };

  private static final Map<String, ZoneRules> RULES =
      Map.of(name(1), rules(VERSION_1), name(2), rules(VERSION_2));

  static {
    ZoneRulesProvider.registerProvider(new Provider());
  }

  private SimulatedZone() {}

  /** Registers the zone with the JDK, which reads zones by their names. */
  private static final class Provider extends ZoneRulesProvider {
    @Override
    protected Set<String> provideZoneIds() {
      return RULES.keySet();
    }

    @Override
    protected ZoneRules provideRules(String zone, boolean forCaching) {
      return Objects.requireNonNull(RULES.get(zone));
    }

    @Override
    protected NavigableMap<String, ZoneRules> provideVersions(String zone) {
      return new TreeMap<>(Map.of("simulation", provideRules(zone, false)));
    }
  }

  private static String name(int version) {
    return NAME + "-" + version;
  }

  private static ZoneRules rules(int[][] changes) {
    List<ZoneOffsetTransition> transitions = new ArrayList<>();
    ZoneOffset before = FIRST;
    for (int[] change : changes) {
      ZoneOffset after = ZoneOffset.ofTotalSeconds(change[1]);
      long second = VirtualClock.EPOCH_MICROS / 1_000_000 + change[0];
      transitions.add(
          ZoneOffsetTransition.of(LocalDateTime.ofEpochSecond(second, 0, before), before, after));
      before = after;
    }
    return ZoneRules.of(FIRST, FIRST, List.of(), transitions, List.of());
  }

  static ZoneRules rules(int version) {
    return Objects.requireNonNull(RULES.get(name(version)));
  }

  /** The zone as a node with this version of the rules reads it. */
  static ScheduleDefinition read(ScheduleDefinition stored, int version) {
    return stored.rule().zone().equals(NAME) ? in(stored, name(version)) : stored;
  }

  static Schedule read(Schedule stored, int version) {
    return with(stored, read(stored.definition(), version));
  }

  /** The zone as it is stored. */
  static Schedule stored(Schedule read) {
    ScheduleDefinition definition = read.definition();
    return RULES.containsKey(definition.rule().zone()) ? with(read, in(definition, NAME)) : read;
  }

  private static ScheduleDefinition in(ScheduleDefinition definition, String zone) {
    ScheduleRule rule = definition.rule();
    return new ScheduleDefinition(
        new ScheduleRule(
            rule.kind(),
            rule.text(),
            rule.dialect(),
            rule.days(),
            zone,
            rule.gap(),
            rule.repeated(),
            rule.calendars()),
        definition.bounds(),
        definition.spread(),
        definition.target(),
        definition.policies(),
        definition.steps());
  }

  private static Schedule with(Schedule schedule, ScheduleDefinition definition) {
    return new Schedule(
        schedule.id(),
        schedule.name(),
        definition,
        schedule.generation(),
        schedule.createdAt(),
        schedule.updatedAt(),
        schedule.progress());
  }
}
