package io.kairos.simulator.schedule;

import static io.kairos.simulator.kernel.RareState.REQUEST_REPEATED;

import io.kairos.domain.schedule.ClockGap;
import io.kairos.domain.schedule.ClockOverlap;
import io.kairos.domain.schedule.RuleBounds;
import io.kairos.domain.schedule.RunSpread;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.CalendarText;
import io.kairos.domain.schedule.calendar.CalendarUse;
import io.kairos.domain.schedule.calendar.WorkingCalendar;
import io.kairos.domain.schedule.calendar.WorkingHours;
import io.kairos.domain.schedule.cron.CronDialect;
import io.kairos.domain.schedule.cron.DayMatch;
import io.kairos.domain.schedule.definition.CatchUpPolicy;
import io.kairos.domain.schedule.definition.FirePolicies;
import io.kairos.domain.schedule.definition.OverlapPolicy;
import io.kairos.domain.schedule.definition.ScheduleDecider;
import io.kairos.domain.schedule.definition.ScheduleDefinition;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.definition.ScheduleRule;
import io.kairos.domain.schedule.definition.ScheduleStep;
import io.kairos.domain.schedule.definition.ScheduleTarget;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.graph.OnFailure;
import io.kairos.engine.schedule.RunResult;
import io.kairos.engine.schedule.port.NextDecision;
import io.kairos.simulator.task.TaskHistory;
import io.kairos.simulator.task.TaskScenario;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Requests about schedules in one simulation: rules of all kinds with all policies, which are
 * edited, paused, resumed, triggered, backfilled and deleted while they fire; calendars that
 * change; and a store's clock that jumps by up to an hour and back. A replicated cron decides some
 * schedules. All schedules are paused in the end, so that the runs can end.
 */
final class ScheduleWorkload {
  static final Duration LONGEST_BACKFILL = Duration.ofSeconds(60);

  /** Longest time that agreed time may be ahead of the store's clock. */
  static final Duration MOST_AHEAD = Duration.ofMillis(500);

  /** How long a replicated cron does not see what has come: its time lags, and it asks at times. */
  static final Duration UNNOTICED = Duration.ofMillis(900);

  private static final int MOST_BEHIND_MILLIS = 400;
  private static final int ASKS_WITHIN_MILLIS = 500;
  private static final int NAMES = 7;
  private static final int REQUESTS = 5;
  private static final int[] PARTS_OF_A_MINUTE = {2, 3, 4, 5, 6, 10, 12, 15, 20, 30};

  /** Behind the seconds: by the clock on the wall, and not an interval. */
  private static final String LOCAL = " 0-59 0-3 * * *";

  private static final List<CalendarName> CALENDARS =
      List.of(new CalendarName("c-1"), new CalendarName("c-2"));
  private static final LocalDate TODAY = LocalDate.of(2026, 3, 1);

  /** When the store's clock may jump, once each; shorter than a jump is believed after. */
  private static final long[] JUMPS_AT_SECONDS = {20, 65};

  private static final long JUMP_WITHIN_NANOS = Duration.ofSeconds(15).toNanos();
  private static final long LONGEST_JUMP_NANOS = Duration.ofSeconds(25).toNanos();
  private static final long AGAIN_NANOS = Duration.ofMillis(700).toNanos();

  private final ScheduleCluster world;
  private final SplittableRandom random;
  private long lastTag;

  ScheduleWorkload(ScheduleCluster world, SplittableRandom random) {
    this.world = world;
    this.random = random;
  }

  void schedule() {
    long lastNanos = TaskScenario.HEAL_AT.minusSeconds(3).toNanos();
    world.kernel.scatter(random.nextInt(12, 18), lastNanos, random, this::create);
    for (CalendarName name : CALENDARS) {
      world.schedules.putCalendar(name, CalendarText.of(calendar()), null);
    }
    for (int i = random.nextInt(8, 16); i > 0; i--) {
      CalendarName name = anyCalendar();
      world.kernel.after(random.nextLong(lastNanos), () -> putCalendar(name));
    }
    world.kernel.scatter(random.nextInt(40, 70), lastNanos, random, this::change);
    for (long second : JUMPS_AT_SECONDS) {
      if (random.nextInt(3) > 0) {
        jump(second * 1_000_000_000 + random.nextLong(JUMP_WITHIN_NANOS));
      }
    }
    askByAgreedTime();
    long calm = TaskScenario.HEAL_AT.plusSeconds(4).toNanos();
    for (int i = 0; i < NAMES; i++) {
      // Create or resume each schedule, so that some fire in the calm.
      ScheduleName name = name(i);
      world.kernel.after(calm, () -> onSomeNode(node -> node.schedules().resume(name)));
      world.kernel.after(
          calm, () -> onSomeNode(node -> node.schedules().create(name, here(node, definition()))));
    }
    world.kernel.after(
        TaskScenario.CALM_ENDS_AT.toNanos(),
        () -> {
          world.scheduleRules().checkDecided();
          for (int i = 0; i < NAMES; i++) {
            pauseForGood(name(i));
          }
        });
  }

  private void jump(long atNanos) {
    Duration by = Duration.ofMillis(random.nextLong(60_000, 3_600_000));
    Duration either = random.nextBoolean() ? by : by.negated();
    world.kernel.after(atNanos, () -> world.jump(either));
    world.kernel.after(atNanos + random.nextLong(LONGEST_JUMP_NANOS), world::endJump);
  }

  /** As a replicated cron does, which may be down for a while, and whose time may be wrong. */
  private void askByAgreedTime() {
    boolean heals = world.kernel.nowNanos() < TaskScenario.HEAL_AT.toNanos();
    long behindMillis =
        switch (heals ? random.nextInt(10) : 2) {
          case 0 -> random.nextLong(60_000);
          case 1 -> -random.nextLong(2_000);
          default -> random.nextLong(-MOST_AHEAD.toMillis(), MOST_BEHIND_MILLIS);
        };
    Instant agreed =
        world.trueTime.instant().minusMillis(behindMillis).truncatedTo(ChronoUnit.MILLIS);
    onSomeNode(node -> decideDue(node, agreed));
    long pauseMillis =
        heals && random.nextInt(20) == 0
            ? random.nextLong(20_000)
            : random.nextLong(50, ASKS_WITHIN_MILLIS);
    if (world.kernel.nowNanos() < TaskScenario.CALM_ENDS_AT.toNanos()) {
      world.kernel.after(Duration.ofMillis(pauseMillis).toNanos(), this::askByAgreedTime);
    }
  }

  /** Asks for decisions on all schedules, again while some are still due. */
  private void decideDue(ScheduleNodeRun node, Instant agreed) {
    List<ScheduleName> names = IntStream.range(0, NAMES).mapToObj(ScheduleWorkload::name).toList();
    boolean isLeftOver = true;
    for (int i = 0; isLeftOver && i < 2 * NAMES; i++) {
      isLeftOver =
          node.schedules().decideDue(names, agreed).stream().anyMatch(one -> isDue(one, agreed));
    }
  }

  private static boolean isDue(NextDecision standing, Instant agreed) {
    Instant next = standing.nextAt();
    return standing.decider() == ScheduleDecider.REPLICATED
        && next != null
        && !next.isAfter(agreed);
  }

  private static ScheduleName name(int number) {
    return new ScheduleName("s-" + number);
  }

  private ScheduleName anyName() {
    return name(random.nextInt(NAMES));
  }

  private void create() {
    ScheduleName name = anyName();
    ScheduleDefinition definition = definition();
    onSomeNode(node -> node.schedules().create(name, here(node, definition)));
  }

  private void change() {
    ScheduleName name = anyName();
    switch (random.nextInt(13)) {
      case 0, 1 -> onSomeNode(node -> node.schedules().pause(name, "for a while"));
      case 2, 3, 4 -> onSomeNode(node -> node.schedules().resume(name));
      case 5, 6 -> {
        ScheduleDefinition definition = definition();
        onSomeNode(node -> node.schedules().update(name, null, here(node, definition)));
      }
      case 7, 8, 9 -> {
        String request = "t-" + random.nextInt(REQUESTS);
        onSomeNode(node -> told(node.schedules().trigger(name, request, null)));
      }
      case 10, 11 -> {
        String request = "b-" + random.nextInt(REQUESTS);
        Instant to = world.trueTime.instant().minusMillis(random.nextLong(5_000));
        Instant from = to.minusMillis(random.nextLong(LONGEST_BACKFILL.toMillis()));
        onSomeNode(node -> told(node.schedules().backfill(name, from, to, request, null)));
      }
      default -> onSomeNode(node -> node.schedules().delete(name));
    }
  }

  private void told(RunResult result) {
    if (result instanceof RunResult.Decided decided) {
      decided.entries().forEach(world.scheduleRules()::told);
      world.ledger.reached(REQUEST_REPEATED, decided.known());
    }
  }

  private void pauseForGood(ScheduleName name) {
    boolean asked = onSomeNode(node -> node.schedules().pause(name, "the end"));
    if (!asked) {
      world.kernel.after(AGAIN_NANOS, () -> pauseForGood(name));
    }
  }

  /** Runs a call on a thread of a node's edge; false when the node is down. */
  private boolean onSomeNode(Consumer<ScheduleNodeRun> change) {
    return world.onSomeNode(random, node -> change.accept((ScheduleNodeRun) node));
  }

  private static ScheduleDefinition here(ScheduleNodeRun node, ScheduleDefinition definition) {
    return SimulatedZone.read(definition, node.zoneRules);
  }

  private ScheduleDefinition definition() {
    boolean quick = random.nextInt(3) > 0;
    long tag = 2 * ++lastTag + (quick ? 0 : 1);
    OverlapPolicy[] overlaps =
        quick
            ? OverlapPolicy.values()
            : new OverlapPolicy[] {
              OverlapPolicy.SKIP, OverlapPolicy.BUFFER_ONE, OverlapPolicy.CANCEL_OTHER
            };
    CatchUpPolicy.Mode[] modes = CatchUpPolicy.Mode.values();
    long initial = random.nextLong(100, 1_000);
    ScheduleTarget.Handler target =
        new ScheduleTarget.Handler(
            TaskScenario.queueOf(tag),
            TaskDetails.of(TaskHistory.payload(tag))
                .withRetryPolicy(
                    new RetryPolicy(
                        random.nextInt(1, 4),
                        Duration.ofMillis(initial),
                        random.nextInt(1, 3),
                        Duration.ofMillis(initial + random.nextLong(1_000)))));
    return new ScheduleDefinition(
        rule(),
        new RuleBounds(null, null, random.nextInt(8) == 0 ? (Long) random.nextLong(2, 8) : null),
        new RunSpread(
            random.nextInt(4) == 0 ? Duration.ofMillis(random.nextInt(1, 1_500)) : Duration.ZERO),
        target,
        new FirePolicies(
            overlaps[random.nextInt(overlaps.length)],
            new CatchUpPolicy(
                modes[random.nextInt(modes.length)],
                Duration.ofSeconds(random.nextInt(3) == 0 ? random.nextInt(30) : 3_600),
                random.nextInt(1, 6)),
            null,
            random.nextInt(5) == 0,
            random.nextInt(4) == 0 ? ScheduleDecider.REPLICATED : ScheduleDecider.NODE),
        lastTag % 4 == 0 ? steps(target) : List.of());
  }

  /** Two more tasks of each run, one of which goes on after a failure. */
  private static List<ScheduleStep> steps(ScheduleTarget.Handler target) {
    return List.of(
        new ScheduleStep(target, List.of(new ScheduleStep.After(0, OnFailure.FAIL))),
        new ScheduleStep(
            target,
            List.of(
                new ScheduleStep.After(0, OnFailure.FAIL),
                new ScheduleStep.After(1, OnFailure.CONTINUE))));
  }

  private ScheduleRule rule() {
    String part = "*/" + PARTS_OF_A_MINUTE[random.nextInt(PARTS_OF_A_MINUTE.length)];
    return switch (random.nextInt(4)) {
      case 0 ->
          rule(
              ScheduleRule.Kind.EVERY, Duration.ofSeconds(random.nextInt(3, 20)).toString(), "UTC");
      case 1 -> rule(ScheduleRule.Kind.CRON, part + " * * * * *", "UTC");
      // Certain times of the clock, which it may leave out or show twice.
      case 2 -> rule(ScheduleRule.Kind.CRON, part + LOCAL, SimulatedZone.NAME);
      default -> rule(ScheduleRule.Kind.CRON, random.nextInt(60) + LOCAL, SimulatedZone.NAME);
    };
  }

  private ScheduleRule rule(ScheduleRule.Kind kind, String text, String zone) {
    CalendarUse.Kind use =
        random.nextBoolean() ? CalendarUse.Kind.ONLY_DURING : CalendarUse.Kind.NOT_DURING;
    return new ScheduleRule(
        kind,
        text,
        CronDialect.UNIX,
        DayMatch.EITHER,
        zone,
        random.nextBoolean() ? ClockGap.RUN_ONCE_AFTER : ClockGap.SKIP,
        random.nextBoolean() ? ClockOverlap.FIRST : ClockOverlap.BOTH,
        random.nextInt(3) == 0 ? List.of(new CalendarUse(anyCalendar(), use)) : List.of());
  }

  private CalendarName anyCalendar() {
    return CALENDARS.get(random.nextInt(CALENDARS.size()));
  }

  private void putCalendar(CalendarName name) {
    WorkingCalendar calendar = calendar();
    onSomeNode(node -> node.schedules().putCalendar(name, calendar, null));
  }

  /** Opens and closes again and again while the simulation goes on, by UTC and in the zone. */
  private WorkingCalendar calendar() {
    List<WorkingHours.Shift> shifts = new ArrayList<>();
    for (int hour = 0; hour <= 3_600; hour += 3_600) {
      int at = hour;
      while (at < hour + TaskScenario.END_AT.toSeconds()) {
        int from = at + random.nextInt(1, 25);
        at = from + random.nextInt(5, 60);
        shifts.add(
            new WorkingHours.Shift(LocalTime.ofSecondOfDay(from), LocalTime.ofSecondOfDay(at)));
      }
    }
    if (random.nextInt(3) == 0) {
      // It has no more open hours some time.
      WorkingHours some = new WorkingHours(shifts.subList(0, random.nextInt(2, shifts.size())));
      return new WorkingCalendar(Map.of(), Set.of(), Set.of(), Map.of(TODAY, some));
    }
    shifts.add(new WorkingHours.Shift(LocalTime.of(2, 0), LocalTime.MIDNIGHT));
    WorkingHours hours = new WorkingHours(shifts);
    Map<DayOfWeek, WorkingHours> week = new EnumMap<>(DayOfWeek.class);
    for (DayOfWeek day : DayOfWeek.values()) {
      week.put(day, hours);
    }
    return new WorkingCalendar(week, Set.of(), Set.of(), Map.of());
  }
}
