package io.kairos.simulator.schedule;

import static io.kairos.simulator.kernel.RareState.BACKFILLED;
import static io.kairos.simulator.kernel.RareState.BEGUN_AGAIN_BY_ITS_CALENDAR;
import static io.kairos.simulator.kernel.RareState.DECIDED_BY_AGREED_TIME;
import static io.kairos.simulator.kernel.RareState.DECIDED_BY_A_CHANGE;
import static io.kairos.simulator.kernel.RareState.ENDED_BY_MAX_RUNS;
import static io.kairos.simulator.kernel.RareState.FIRED_AHEAD_BY_A_FRESH_NODE;
import static io.kairos.simulator.kernel.RareState.MADE_UP_FOR;
import static io.kairos.simulator.kernel.RareState.PAUSED_BY_FAILURE;
import static io.kairos.simulator.kernel.RareState.WOKEN_BY_ITS_CALENDAR;
import static io.kairos.simulator.kernel.RareState.WOKEN_BY_OTHER_RULES_OF_ZONES;
import static io.kairos.simulator.kernel.RuleNames.DRAINS;
import static io.kairos.simulator.kernel.RuleNames.ON_TIME;
import static io.kairos.simulator.schedule.ScheduleRuleNames.AGREED_TIME;
import static io.kairos.simulator.schedule.ScheduleRuleNames.ASKED_ONCE;
import static io.kairos.simulator.schedule.ScheduleRuleNames.ITS_DECIDER;
import static io.kairos.simulator.schedule.ScheduleRuleNames.ITS_RUN;
import static io.kairos.simulator.schedule.ScheduleRuleNames.LEFT_OUT;
import static io.kairos.simulator.schedule.ScheduleRuleNames.NOT_AHEAD;
import static io.kairos.simulator.schedule.ScheduleRuleNames.NOT_BACK;
import static io.kairos.simulator.schedule.ScheduleRuleNames.NO_SILENT_MISS;
import static io.kairos.simulator.schedule.ScheduleRuleNames.NO_STORM;
import static io.kairos.simulator.schedule.ScheduleRuleNames.ONE_DECISION;
import static io.kairos.simulator.schedule.ScheduleRuleNames.OVERLAPS;
import static io.kairos.simulator.schedule.ScheduleRuleNames.STABLE_ID;
import static io.kairos.simulator.schedule.ScheduleRuleNames.STILL;
import static io.kairos.simulator.task.TaskRuleNames.DURABLE;
import static java.util.Objects.requireNonNull;

import io.kairos.domain.schedule.definition.CatchUpPolicy;
import io.kairos.domain.schedule.definition.FiringStatus;
import io.kairos.domain.schedule.definition.OverlapPolicy;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleDecider;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.fire.ExecutionIds;
import io.kairos.domain.schedule.fire.FireCause;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.SkipCause;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.engine.schedule.port.ScheduleFilter;
import io.kairos.engine.schedule.port.StoredCalendar;
import io.kairos.model.schedule.ScheduleStoreObserver;
import io.kairos.model.task.TaskStoreObserver;
import io.kairos.simulator.kernel.RareState;
import io.kairos.simulator.kernel.VirtualClock;
import io.kairos.simulator.task.TaskCall;
import io.kairos.simulator.task.TaskHistory;
import io.kairos.simulator.task.TaskScenario;
import io.kairos.simulator.task.TaskTrack;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Judges every decision on schedules when it is stored, with fire times that it computes itself,
 * second by second, and with the runs in the task store.
 */
final class ScheduleRules implements ScheduleStoreObserver {
  /** Fire times that lie further back count as missed. */
  private static final Duration MISSED_AFTER = Duration.ofSeconds(10);

  /** Ledger entries that a decision may have besides its most runs: the newest, and ranges. */
  private static final int LINES_BESIDES = 24;

  /** The calendars of the workload open and close so often, and some more. */
  private static final int MOST_LEFT_OUT = 400;

  private static final Duration JUMP_TOLERATED = Duration.ofMillis(2_200);

  /** Beside the poll interval, when nothing is wrong. */
  private static final Duration LATE = Duration.ofMillis(500);

  private final TaskHistory ledger;
  private final ScheduleCluster world;
  private final Set<ScheduleId> known = new HashSet<>();
  private final Set<TaskId> decided = new HashSet<>();
  private final Map<ScheduleId, Set<String>> requests = new HashMap<>();
  private final FireOracle oracle = new FireOracle();

  /** The version of the rules of zones by which a schedule was decided last. */
  private final Map<ScheduleId, Integer> versions = new HashMap<>();

  /** Times passed without a fire by the zone rules of that time. */
  private final Map<ScheduleId, Instant> passed = new HashMap<>();

  ScheduleRules(TaskHistory ledger, ScheduleCluster world) {
    this.ledger = ledger;
    this.world = world;
  }

  @Override
  public void created(Schedule schedule) {
    known.add(schedule.id());
    versions.put(schedule.id(), by().zoneRules);
    ledger.note(130, () -> "created " + say(schedule) + " " + schedule.definition().rule().text());
  }

  @Override
  public void decided(Schedule before, Schedule after, List<LedgerEntry> fresh, Instant now) {
    for (LedgerEntry entry : fresh) {
      ledger.note(entry.isFired() ? 131 : 132, () -> say(before) + ": " + say(entry));
    }
    List<LedgerEntry> ofRule =
        fresh.stream().filter(entry -> entry.cause() == FireCause.SCHEDULE).toList();
    checkProgress(before, after);
    checkFireTimes(before, after, ofRule);
    checkNotBack(before, ofRule);
    if (!before.progress().equals(after.progress())) {
      versions.put(before.id(), by().zoneRules);
    }
    checkRuns(before, fresh);
    checkRequests(before, fresh);
    checkBounds(before, ofRule, fresh, decidedBy(after, now));
    checkStill(before, ofRule);
    checkDecider(before, ofRule, now);
    checkOverlap(before, ofRule);
    checkTime(before, ofRule, now);
    note(before, after, ofRule, fresh, decidedBy(after, now));
  }

  /** The time by which it is judged what was missed. */
  private Instant decidedBy(Schedule after, Instant now) {
    return isCall(TaskCall.FIRE_NAMED) ? after.progress().decidedTo() : now;
  }

  private static String say(Schedule schedule) {
    return schedule.name() + " " + schedule.progress().status();
  }

  private static String say(LedgerEntry entry) {
    return "%s %s%s%s%s"
        .formatted(
            entry.decision(),
            entry.fireAt(),
            entry.until().equals(entry.fireAt()) ? "" : " to " + entry.until(),
            entry.reason() == null ? "" : " " + entry.reason(),
            entry.request().isEmpty() ? "" : " for " + entry.request());
  }

  private void checkProgress(Schedule before, Schedule after) {
    ledger.check(
        known.contains(before.id())
            && !after.progress().decidedTo().isBefore(before.progress().decidedTo()),
        ONE_DECISION,
        () ->
            "%s goes back from %s to %s"
                .formatted(
                    say(before), before.progress().decidedTo(), after.progress().decidedTo()));
  }

  /** All that it moves past, and nothing else, is decided, once each. */
  private void checkFireTimes(Schedule before, Schedule after, List<LedgerEntry> ofRule) {
    Instant from = before.progress().decidedTo();
    Instant to = after.progress().decidedTo();
    boolean hasEnded =
        after.progress().status() == FiringStatus.ENDED || hasRunItsTimes(before, after);
    Set<Instant> times = new HashSet<>();
    if (before.progress().status() != FiringStatus.ENDED) {
      for (long second = from.getEpochSecond() + 1; second <= to.getEpochSecond(); second++) {
        if (oracle.isFireTime(before, by().zoneRules, second)) {
          Instant time = Instant.ofEpochSecond(second);
          times.add(time);
          long decisions = ofRule.stream().filter(entry -> covers(entry, time)).count();
          ledger.check(
              decisions <= 1,
              ONE_DECISION,
              () -> say(before) + " at " + time + " is decided " + decisions + " times");
          ledger.check(
              decisions == 1 || (hasEnded && isAfterAll(time, ofRule)),
              NO_SILENT_MISS,
              () -> say(before) + " at " + time + " is passed without a decision");
        }
      }
    }
    for (LedgerEntry entry : ofRule) {
      if (isLeftOut(entry)) {
        checkLeftOut(before, entry);
      } else {
        ledger.check(
            times.contains(entry.fireAt()) && times.contains(entry.until()),
            ONE_DECISION,
            () -> say(before) + ": " + say(entry) + " is none of the fire times that it passes");
      }
    }
  }

  /** True for a fire time that a calendar or the clock skipped, and not a policy. */
  private static boolean isLeftOut(LedgerEntry entry) {
    SkipCause reason = entry.reason();
    return reason == SkipCause.CALENDAR
        || reason == SkipCause.DST_GAP
        || reason == SkipCause.DST_OVERLAP;
  }

  private void checkLeftOut(Schedule before, LedgerEntry entry) {
    int version = by().zoneRules;
    long first = entry.fireAt().getEpochSecond();
    ledger.check(
        oracle.at(before, version, first) != FireOracle.Said.NOTHING,
        LEFT_OUT,
        () -> say(before) + ": " + say(entry) + " is not named");
    // One that shares its instant with a fire time is noted a microsecond later.
    long from = entry.fireAt().equals(Instant.ofEpochSecond(first)) ? first : first + 1;
    for (long second = from; second <= entry.until().getEpochSecond(); second++) {
      boolean fires = oracle.isFireTime(before, version, second);
      ledger.check(!fires, LEFT_OUT, () -> say(before) + ": " + say(entry) + " fires within");
    }
  }

  private void checkNotBack(Schedule before, List<LedgerEntry> ofRule) {
    Instant to = passed.getOrDefault(before.id(), Instant.MIN);
    for (LedgerEntry entry : ofRule) {
      ledger.check(
          isLeftOut(entry) || entry.fireAt().isAfter(to),
          NOT_BACK,
          () -> say(before) + ": " + say(entry) + " had passed at " + to);
    }
  }

  @Override
  public void woken(Schedule before, Schedule after, Instant now) {
    ledger.note(133, () -> "woken " + say(before));
    checkProgress(before, after);
    Instant due = firstDue(before, now);
    ledger.check(
        due.equals(now) || after.progress().decidedTo().isBefore(due),
        NO_SILENT_MISS,
        () -> say(before) + " at " + due + " is passed without a decision");
    // The schedule was not looked at since its next look: other zone rules may name more times.
    Instant look = before.progress().nextAt();
    Instant to = (look != null && look.isBefore(due) ? look : due).minusNanos(1_000);
    passed.merge(before.id(), to, (one, other) -> one.isAfter(other) ? one : other);
    ledger.reached(
        isCall("schedules: " + FaultyScheduleStore.PUT_CALENDAR)
            ? WOKEN_BY_ITS_CALENDAR
            : WOKEN_BY_OTHER_RULES_OF_ZONES);
    ledger.reached(BEGUN_AGAIN_BY_ITS_CALENDAR, before.progress().status() == FiringStatus.ENDED);
  }

  /** By the rules that have held; now when nothing is. */
  private Instant firstDue(Schedule schedule, Instant now) {
    int version = requireNonNull(versions.get(schedule.id()));
    long from = schedule.progress().decidedTo().getEpochSecond() + 1;
    for (long second = from; second <= now.getEpochSecond(); second++) {
      if (schedule.progress().status() == FiringStatus.ACTIVE
          && oracle.isFireTime(schedule, version, second)) {
        return Instant.ofEpochSecond(second);
      }
    }
    return now;
  }

  @Override
  public void stored(StoredCalendar calendar) {
    oracle.know(calendar.name(), calendar.text());
  }

  /** By its definition of then; one that has ended so may have begun anew by an edit. */
  private static boolean hasRunItsTimes(Schedule then, Schedule after) {
    Long most = then.definition().bounds().maxRuns();
    return most != null && after.progress().runs() >= most;
  }

  private static boolean covers(LedgerEntry entry, Instant time) {
    return !time.isBefore(entry.fireAt()) && !time.isAfter(entry.until());
  }

  /** When all its runs are made, there is nothing more to decide. */
  private static boolean isAfterAll(Instant time, List<LedgerEntry> entries) {
    return entries.stream().noneMatch(entry -> !entry.until().isBefore(time));
  }

  private void checkRuns(Schedule before, List<LedgerEntry> fresh) {
    Set<TaskId> made = new HashSet<>();
    for (TaskTrack run : ledger.runsOf(before.id())) {
      made.add(requireNonNull(run.row).id());
    }
    made.removeAll(decided);
    Set<TaskId> fired = new HashSet<>();
    for (LedgerEntry entry : fresh) {
      TaskId run = entry.run();
      if (run != null) {
        int tasks = before.definition().tasks();
        for (int place = 0; place < tasks; place++) {
          fired.add(ExecutionIds.task(run, place));
        }
        ledger.check(
            run.equals(ExecutionIds.of(before.id(), entry.fireAt(), entry.request(), tasks)),
            STABLE_ID,
            () -> say(before) + ": " + say(entry) + " as " + run);
      }
    }
    ledger.check(
        fired.equals(made),
        ITS_RUN,
        () -> say(before) + " has fired " + fired + " and made " + made);
    decided.addAll(fired);
  }

  private void checkRequests(Schedule before, List<LedgerEntry> fresh) {
    Set<String> now = new HashSet<>();
    for (LedgerEntry entry : fresh) {
      if (entry.cause() != FireCause.SCHEDULE) {
        now.add(entry.request());
      }
    }
    Set<String> earlier = requests.computeIfAbsent(before.id(), _ -> new HashSet<>());
    ledger.check(
        now.stream().noneMatch(earlier::contains),
        ASKED_ONCE,
        () -> say(before) + " runs again for one of " + now);
    earlier.addAll(now);
  }

  private void checkBounds(
      Schedule before, List<LedgerEntry> ofRule, List<LedgerEntry> fresh, Instant now) {
    CatchUpPolicy catchUp = before.definition().policies().catchUp();
    int most =
        switch (catchUp.mode()) {
          case NONE -> 0;
          case LATEST -> 1;
          case ALL -> catchUp.max();
        };
    long madeUp = ofRule.stream().filter(entry -> isMadeUp(entry, now)).count();
    ledger.check(
        madeUp <= most,
        NO_STORM,
        () -> say(before) + " makes up for " + madeUp + " fire times at once");
    int asked = fresh.size() - ofRule.size();
    long leftOut = ofRule.stream().filter(ScheduleRules::isLeftOut).count();
    ledger.check(
        ofRule.size() - leftOut <= most + LINES_BESIDES
            && leftOut <= MOST_LEFT_OUT
            && asked <= ScheduleWorkload.LONGEST_BACKFILL.toSeconds(),
        NO_STORM,
        () -> say(before) + " writes " + fresh.size() + " lines at once");
  }

  private static boolean isMadeUp(LedgerEntry entry, Instant now) {
    return entry.isFired() && !entry.fireAt().isAfter(now.minus(MISSED_AFTER));
  }

  private void checkStill(Schedule before, List<LedgerEntry> ofRule) {
    ledger.check(
        before.progress().status() == FiringStatus.ACTIVE
            || ofRule.stream().noneMatch(LedgerEntry::isFired),
        STILL,
        () -> say(before) + " fires");
  }

  /** A change decides what is due of whatever it changes. */
  private void checkDecider(Schedule before, List<LedgerEntry> ofRule, Instant now) {
    if (ofRule.isEmpty() || isCall(TaskCall.CHANGE)) {
      return;
    }
    boolean isByAgreedTime = isCall(TaskCall.FIRE_NAMED);
    ledger.check(
        isByAgreedTime == isReplicated(before),
        ITS_DECIDER,
        () -> say(before) + " is decided by " + world.storeRules.current());
    if (isByAgreedTime) {
      ledger.reached(DECIDED_BY_AGREED_TIME);
      for (LedgerEntry entry : ofRule) {
        ledger.check(
            !entry.until().isAfter(now.plus(ScheduleWorkload.MOST_AHEAD)),
            AGREED_TIME,
            () -> say(before) + ": " + say(entry) + " at " + now);
      }
    }
  }

  private boolean isCall(String name) {
    return ((TaskCall) world.storeRules.current()).isNamed(name);
  }

  private static boolean isReplicated(Schedule schedule) {
    return schedule.definition().policies().decider() == ScheduleDecider.REPLICATED;
  }

  /** How late a fire time may be decided when nothing is wrong. */
  private Duration mostLate(Schedule schedule) {
    Duration unnoticed =
        isReplicated(schedule)
            ? ScheduleWorkload.UNNOTICED
            : world.schedulesConfig().pollInterval();
    return unnoticed.plus(LATE);
  }

  /** By the runs that had not ended when it was decided. */
  private void checkOverlap(Schedule before, List<LedgerEntry> ofRule) {
    Set<TaskId> fired = new HashSet<>();
    for (LedgerEntry entry : ofRule) {
      TaskId run = entry.run();
      if (run != null) {
        fired.add(run);
      }
    }
    List<TaskTrack> others = new ArrayList<>();
    Set<TaskId> runs = new HashSet<>();
    for (TaskTrack task : ledger.runsOf(before.id())) {
      TaskId id = requireNonNull(task.row).id();
      if (!task.isFinished()
          && fired.stream().noneMatch(run -> ExecutionIds.areOfOneRun(run, id))) {
        others.add(task);
        runs.add(ExecutionIds.first(id));
      }
    }
    OverlapPolicy policy = before.definition().policies().overlap();
    int unfinished = runs.size() + fired.size();
    boolean right =
        fired.isEmpty()
            || switch (policy) {
              case SKIP -> unfinished <= 1;
              case BUFFER_ONE -> unfinished <= 2;
              case CANCEL_OTHER -> others.stream().allMatch(ScheduleRules::isAskedToEnd);
              case BUFFER_ALL, ALLOW_ALL -> true;
            };
    ledger.check(
        right,
        OVERLAPS,
        () -> say(before) + " (" + policy + ") fires " + fired + " beside " + others);
    for (LedgerEntry entry : ofRule) {
      SkipCause reason = entry.reason();
      ledger.check(
          reason != SkipCause.OVERLAP || (policy == OverlapPolicy.SKIP && unfinished >= 1),
          OVERLAPS,
          () -> say(before) + ": " + say(entry) + " beside nothing");
      ledger.check(
          reason != SkipCause.BUFFER_FULL
              || (policy == OverlapPolicy.BUFFER_ONE && unfinished >= 2),
          OVERLAPS,
          () -> say(before) + ": " + say(entry) + " beside " + unfinished);
    }
  }

  private static boolean isAskedToEnd(TaskTrack run) {
    TaskStoreObserver.Row row = requireNonNull(run.row);
    return row.state() == TaskState.PROCESSING && row.cancelRequested();
  }

  private void checkTime(Schedule before, List<LedgerEntry> ofRule, Instant now) {
    Instant trueNow = world.trueTime.instant();
    for (LedgerEntry entry : ofRule) {
      boolean isAhead = entry.until().isAfter(trueNow.plus(JUMP_TOLERATED));
      if (isAhead) {
        ledger.check(
            by().knowsNoOtherTime(),
            NOT_AHEAD,
            () -> say(before) + ": " + say(entry) + " by " + by() + " at " + trueNow);
        ledger.reached(FIRED_AHEAD_BY_A_FRESH_NODE);
      }
      boolean isCalm =
          entry.fireAt().isAfter(at(TaskScenario.CALM_AT))
              && trueNow.isAfter(at(TaskScenario.CALM_AT));
      Duration late = Duration.between(entry.until(), now);
      ledger.check(
          !isCalm || isLeftOut(entry) || late.compareTo(mostLate(before)) <= 0,
          ON_TIME,
          () -> say(before) + ": " + say(entry) + " is decided " + late + " late");
    }
  }

  private static Instant at(Duration sinceStart) {
    return Instant.ofEpochSecond(VirtualClock.EPOCH_MICROS / 1_000_000).plus(sinceStart);
  }

  private ScheduleNodeRun by() {
    return (ScheduleNodeRun) ((TaskCall) world.storeRules.current()).by();
  }

  /** Everybody's clock is right, and all nodes live. */
  void checkDecided() {
    for (Schedule schedule :
        world
            .schedules
            .list(
                new ScheduleFilter("", null, Set.of(FiringStatus.ACTIVE), null, 1_000),
                (_, _) -> {})
            .schedules()) {
      Instant next = requireNonNull(schedule.progress().nextAt());
      ledger.check(
          !next.isBefore(world.trueTime.instant().minus(mostLate(schedule))),
          DRAINS,
          () -> say(schedule) + " is not decided, which was due at " + next);
    }
  }

  /** Checks all schedules at the end of a seed. */
  void checkAll() {
    for (ScheduleId schedule : known) {
      for (TaskTrack run : ledger.runsOf(schedule)) {
        ledger.check(
            decided.contains(requireNonNull(run.row).id()),
            ITS_RUN,
            () -> run + " was never decided");
      }
    }
  }

  /** A node, or a caller, was told of a decision. */
  void told(LedgerEntry entry) {
    TaskId run = entry.run();
    ledger.check(
        run == null || decided.contains(run),
        DURABLE,
        () -> say(entry) + " was told and is not stored");
  }

  private void note(
      Schedule before,
      Schedule after,
      List<LedgerEntry> ofRule,
      List<LedgerEntry> fresh,
      Instant now) {
    ledger.reached(MADE_UP_FOR, ofRule.stream().anyMatch(entry -> isMadeUp(entry, now)));
    ledger.reached(DECIDED_BY_A_CHANGE, !ofRule.isEmpty() && isCall(TaskCall.CHANGE));
    ledger.reached(
        BACKFILLED, fresh.stream().anyMatch(entry -> entry.cause() == FireCause.BACKFILL));
    ledger.reached(
        PAUSED_BY_FAILURE,
        after.progress().note().startsWith("paused: execution")
            && before.progress().status() == FiringStatus.ACTIVE);
    ledger.reached(
        ENDED_BY_MAX_RUNS,
        hasRunItsTimes(after, after) && before.progress().status() == FiringStatus.ACTIVE);
    for (LedgerEntry entry : ofRule) {
      SkipCause reason = entry.reason();
      if (reason != null) {
        ledger.reached(RareState.valueOf("SKIPPED_" + reason));
      }
    }
  }
}
