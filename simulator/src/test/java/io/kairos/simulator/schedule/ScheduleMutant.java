package io.kairos.simulator.schedule;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.definition.FiringStatus;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleDecider;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.definition.ScheduleProgress;
import io.kairos.domain.schedule.fire.ExecutionIds;
import io.kairos.domain.schedule.fire.FireCause;
import io.kairos.domain.schedule.fire.FireDecision;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.ScheduleDecision;
import io.kairos.domain.task.TaskId;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.schedule.SchedulePorts;
import io.kairos.engine.schedule.port.DueDecider;
import io.kairos.engine.schedule.port.DueSchedule;
import io.kairos.engine.schedule.port.FireReceipt;
import io.kairos.engine.schedule.port.NamedFiring;
import io.kairos.engine.schedule.port.NextTrigger;
import io.kairos.engine.schedule.port.ScheduleChange;
import io.kairos.engine.schedule.port.ScheduleFilter;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.engine.schedule.port.ScheduleWrite;
import io.kairos.engine.schedule.port.StoredCalendar;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.NewTask;
import io.kairos.model.task.ModelTaskStore;
import io.kairos.model.task.TaskStoreCalls;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Schedules that are broken on purpose, each in one way in which a scheduler has been or could be
 * broken. The checkers know none of them.
 */
@SuppressWarnings({"UnusedMethod", "EffectivelyPrivate"}) // found by their names
public enum ScheduleMutant implements ScheduleWiring {
  /** Fire times without a run are left out of the ledger. */
  SKIPS_IN_SILENCE {
    @Override
    ScheduleWrite broken(DueSchedule due, ScheduleWrite deed, Instant now) {
      return with(deed, deed.verdict().entries().stream().filter(LedgerEntry::isFired).toList());
    }
  },

  /** The ledger says that it has fired, and nothing runs. */
  LOSES_RUNS {
    @Override
    ScheduleWrite broken(DueSchedule due, ScheduleWrite deed, Instant now) {
      return making(deed, List.of());
    }
  },

  /** Each node that tries has an id of its own for the run. */
  MAKES_UP_IDS {
    @Override
    ScheduleWrite broken(DueSchedule due, ScheduleWrite deed, Instant now) {
      List<LedgerEntry> entries = new ArrayList<>();
      List<ArrivingTask> tasks = new ArrayList<>();
      for (LedgerEntry entry : deed.verdict().entries()) {
        TaskId run = entry.run();
        TaskId other =
            run == null
                ? null
                : TaskId.at(now.toEpochMilli(), run.value().getLeastSignificantBits(), 1);
        entries.add(with(entry, other));
        for (ArrivingTask task : deed.tasks()) {
          if (other != null && task.task().id().equals(run)) {
            tasks.add(ArrivingTask.withoutIdempotency(as(task.task(), other), false));
          }
        }
      }
      return making(with(deed, entries), tasks);
    }
  },

  /** Passes what it has not decided. */
  RUNS_AHEAD {
    @Override
    ScheduleWrite broken(DueSchedule due, ScheduleWrite deed, Instant now) {
      Schedule after = deed.verdict().after();
      return with(
          deed,
          deed.verdict().entries(),
          decidedTo(after, after.progress().decidedTo().plusSeconds(90)));
    }
  },

  /** Fires by the new rule at once, so that what was due by the old one is lost. */
  FORGETS_WHAT_AN_EDIT_FOUND_DUE {
    @Override
    ScheduleWrite broken(DueSchedule due, ScheduleWrite deed, Instant now) {
      boolean edited = deed.verdict().after().generation() != due.schedule().generation();
      return edited ? with(deed, List.of()) : deed;
    }
  },

  /** Looks again from where it was. */
  DECIDES_AGAIN {
    @Override
    ScheduleWrite broken(DueSchedule due, ScheduleWrite deed, Instant now) {
      return with(
          deed,
          deed.verdict().entries(),
          decidedTo(deed.verdict().after(), due.schedule().progress().decidedTo()));
    }
  },

  /** Every missed fire time is caught up on. */
  STORMS {
    @Override
    ScheduleWrite broken(DueSchedule due, ScheduleWrite deed, Instant now) {
      List<LedgerEntry> entries = new ArrayList<>();
      List<ArrivingTask> tasks = new ArrayList<>(deed.tasks());
      for (LedgerEntry entry : deed.verdict().entries()) {
        boolean isRange = entry.fireAt().isBefore(entry.until());
        if (!isRange || deed.tasks().isEmpty()) {
          entries.add(entry);
          continue;
        }
        for (Instant at = entry.fireAt(); !at.isAfter(entry.until()); at = at.plusSeconds(1)) {
          TaskId run = ExecutionIds.of(due.schedule().id(), at, "");
          entries.add(
              new LedgerEntry(
                  at, "", at, 1L, FireDecision.FIRED, null, FireCause.SCHEDULE, now, at, run));
          tasks.add(
              ArrivingTask.withoutIdempotency(as(deed.tasks().getFirst().task(), run), false));
        }
      }
      return making(with(deed, entries), tasks);
    }
  },

  /** Believes a clock that goes back. */
  GOES_BACK_WITH_THE_CLOCK {
    @Override
    ScheduleWrite broken(DueSchedule due, ScheduleWrite deed, Instant now) {
      Schedule after = deed.verdict().after();
      return now.isBefore(after.progress().decidedTo())
          ? with(deed, deed.verdict().entries(), decidedTo(after, now))
          : deed;
    }
  },

  /** Does not see that runs have not ended. */
  OVERLOOKS_RUNS {
    @Override
    DueSchedule seen(DueSchedule due) {
      return new DueSchedule(
          due.schedule(),
          due.calendars(),
          due.queue(),
          due.stepQueues(),
          0,
          due.lastRun(),
          due.ofRequest());
    }
  },

  /** Begins the new run and lets the others go on. */
  CANCELS_NOTHING {
    @Override
    ScheduleWrite broken(DueSchedule due, ScheduleWrite deed, Instant now) {
      return with(
          deed, new ScheduleDecision(deed.verdict().entries(), false, deed.verdict().after()));
    }
  },

  /** Does not know what a request has come to. */
  FORGETS_REQUESTS {
    @Override
    DueSchedule seen(DueSchedule due) {
      return new DueSchedule(
          due.schedule(),
          due.calendars(),
          due.queue(),
          due.stepQueues(),
          due.unfinished(),
          due.lastRun(),
          List.of());
    }
  },

  /** Runs are stored before the decision, by themselves. */
  COMMITS_HALF {
    @Override
    public ScheduleStore schedules(ScheduleStore store, ModelTaskStore tasks) {
      return around(
          store,
          (node, deed) -> {
            if (deed.tasks().size() > 1) {
              tasks.insertFired(node, deed.tasks().subList(0, 1), List.of(), Duration.ofMinutes(1));
              throw new StoreUnavailable("half of it is done");
            }
            return deed;
          });
    }
  },

  /** Fires what has a fire time while it is paused, and resumes by itself. */
  FIRES_WHAT_IS_PAUSED {
    @Override
    DueSchedule seen(DueSchedule due) {
      ScheduleProgress at = due.schedule().progress();
      ScheduleProgress active =
          new ScheduleProgress(
              FiringStatus.ACTIVE,
              at.note(),
              at.since(),
              at.decidedTo(),
              at.nextAt(),
              at.runs(),
              at.lastRun());
      return of(due, due.schedule().with(active));
    }
  },

  /** Believes a clock that jumps forward. */
  BELIEVES_EVERY_CLOCK {
    @Override
    public SchedulePorts around(SchedulePorts ports) {
      return new SchedulePorts(
          ports.schedules(),
          () -> 10_000 * ports.monotonic().nanos(),
          ports.wakeups(),
          ports.newId(),
          ports.events(),
          ports.timeZoneRules());
    }
  },

  /** Does not look again when it is told that nothing is due. */
  FALLS_ASLEEP {
    @Override
    NextTrigger told(NextTrigger agenda) {
      return new NextTrigger(agenda.now(), null);
    }
  },

  /** Makes up for what had passed while a calendar, or the clock, left it out. */
  BRINGS_BACK_WHAT_HAS_PASSED {
    @Override
    public ScheduleStore schedules(ScheduleStore store, ModelTaskStore tasks) {
      Map<ScheduleId, Schedule> left = new HashMap<>();
      return around(
          store,
          due -> {
            Schedule before = left.get(due.schedule().id());
            return before != null && before.generation() == due.schedule().generation()
                ? of(due, decidedTo(due.schedule(), before.progress().decidedTo()))
                : due;
          },
          (_, deed) -> {
            left.put(deed.verdict().after().id(), deed.verdict().after());
            return deed;
          });
    }
  },

  /** Goes by a calendar as it was when it first saw it. */
  KEEPS_OLD_CALENDARS {
    @Override
    public ScheduleStore schedules(ScheduleStore store, ModelTaskStore tasks) {
      Map<CalendarName, StoredCalendar> first = new HashMap<>();
      return around(
          store,
          due ->
              new DueSchedule(
                  due.schedule(),
                  due.calendars().stream()
                      .map(one -> first.computeIfAbsent(one.name(), _ -> one))
                      .toList(),
                  due.queue(),
                  due.stepQueues(),
                  due.unfinished(),
                  due.lastRun(),
                  due.ofRequest()),
          (_, deed) -> deed);
    }
  },

  /** Fires by the store's clock what a replicated cron is to decide. */
  DECIDES_FOR_OTHERS {
    @Override
    public ScheduleStore schedules(ScheduleStore store, ModelTaskStore tasks) {
      return TaskStoreCalls.overridden(
          ScheduleStore.class,
          store,
          new Object() {
            public FireReceipt fire(
                NodeId node, int limit, Duration enqueueTimeout, DueDecider decider) {
              List<ScheduleName> names =
                  store.list(OF_OTHERS, (_, _) -> {}).schedules().stream()
                      .map(Schedule::name)
                      .toList();
              FireReceipt others =
                  store.fireNamed(
                      node, new NamedFiring(names, store.now(), limit), enqueueTimeout, decider);
              return others.schedules() > 0
                  ? others
                  : store.fire(node, limit, enqueueTimeout, decider);
            }
          });
    }
  },

  /** Leaves next fire times as nodes with other rules of zones have found them. */
  KEEPS_OLD_RULES_OF_ZONES {
    @Override
    public SchedulePorts around(SchedulePorts ports) {
      return new SchedulePorts(
          ports.schedules(),
          ports.monotonic(),
          ports.wakeups(),
          ports.newId(),
          ports.events(),
          "as ever");
    }
  };

  private static final ScheduleFilter OF_OTHERS =
      new ScheduleFilter("", null, Set.of(), ScheduleDecider.REPLICATED, 1_000);

  DueSchedule seen(DueSchedule due) {
    return due;
  }

  /** The write that the mutant stores instead. */
  ScheduleWrite broken(DueSchedule due, ScheduleWrite deed, Instant now) {
    return deed;
  }

  NextTrigger told(NextTrigger agenda) {
    return agenda;
  }

  @Override
  public ScheduleStore schedules(ScheduleStore store, ModelTaskStore tasks) {
    return around(store, (_, deed) -> deed);
  }

  /** Something between what is decided and what is written. */
  interface Between {
    ScheduleWrite written(NodeId node, ScheduleWrite deed);
  }

  final ScheduleStore around(ScheduleStore store, Between between) {
    return around(store, this::seen, between);
  }

  final ScheduleStore around(
      ScheduleStore store, UnaryOperator<DueSchedule> seen, Between between) {
    return (ScheduleStore)
        Proxy.newProxyInstance(
            ScheduleStore.class.getClassLoader(),
            new Class<?>[] {ScheduleStore.class},
            (proxy, method, arguments) -> {
              Object result = invoke(method, store, broken(arguments, seen, between));
              return result instanceof NextTrigger agenda ? told(agenda) : result;
            });
  }

  private static @Nullable Object invoke(
      Method method, ScheduleStore store, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(store, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private Object @Nullable [] broken(
      Object @Nullable [] arguments, UnaryOperator<DueSchedule> seen, Between between) {
    if (arguments == null) {
      return null;
    }
    Object[] others = arguments.clone();
    int last = others.length - 1;
    if (others[last] instanceof DueDecider decider) {
      NodeId node = (NodeId) arguments[0];
      DueDecider other = (due, now) -> decide(decider, due, now, node, seen, between);
      others[last] = other;
    } else if (others[last] instanceof ScheduleChange change) {
      NodeId node = (NodeId) arguments[0];
      ScheduleChange other =
          (due, now) ->
              change
                  .decide(seen.apply(due), now)
                  .map(deed -> between.written(node, broken(due, deed, now)));
      others[last] = other;
    }
    return others;
  }

  private List<ScheduleWrite> decide(
      DueDecider decider,
      List<DueSchedule> due,
      Instant now,
      NodeId node,
      UnaryOperator<DueSchedule> seen,
      Between between) {
    List<ScheduleWrite> deeds = decider.decide(due.stream().map(seen).toList(), now);
    List<ScheduleWrite> written = new ArrayList<>();
    for (ScheduleWrite deed : deeds) {
      DueSchedule of =
          due.stream()
              .filter(one -> one.schedule().id().equals(deed.verdict().after().id()))
              .findFirst()
              .orElseThrow();
      written.add(between.written(node, broken(of, deed, now)));
    }
    return written;
  }

  private static ScheduleWrite with(ScheduleWrite deed, List<LedgerEntry> entries) {
    return with(deed, entries, deed.verdict().after());
  }

  private static ScheduleWrite with(ScheduleWrite deed, List<LedgerEntry> entries, Schedule after) {
    return with(deed, new ScheduleDecision(entries, deed.verdict().cancelsOthers(), after));
  }

  private static ScheduleWrite with(ScheduleWrite deed, ScheduleDecision verdict) {
    return new ScheduleWrite(
        verdict,
        deed.tasks(),
        deed.edges(),
        deed.inTurn(),
        deed.messages(),
        deed.timeZoneRules(),
        deed.remove());
  }

  private static ScheduleWrite making(ScheduleWrite deed, List<ArrivingTask> tasks) {
    return new ScheduleWrite(
        deed.verdict(),
        tasks,
        deed.edges(),
        deed.inTurn(),
        deed.messages(),
        deed.timeZoneRules(),
        deed.remove());
  }

  private static DueSchedule of(DueSchedule due, Schedule other) {
    return new DueSchedule(
        other,
        due.calendars(),
        due.queue(),
        due.stepQueues(),
        due.unfinished(),
        due.lastRun(),
        due.ofRequest());
  }

  private static Schedule decidedTo(Schedule schedule, Instant to) {
    ScheduleProgress at = schedule.progress();
    return schedule.with(
        new ScheduleProgress(
            at.status(), at.note(), at.since(), to, at.nextAt(), at.runs(), at.lastRun()));
  }

  private static LedgerEntry with(LedgerEntry entry, @Nullable TaskId run) {
    return new LedgerEntry(
        entry.fireAt(),
        entry.request(),
        entry.until(),
        entry.count(),
        entry.decision(),
        entry.reason(),
        entry.cause(),
        entry.decidedAt(),
        entry.runAt(),
        run);
  }

  private static NewTask as(NewTask task, TaskId id) {
    return new NewTask(id, task.queue(), task.dueMicros(), task.details(), task.schedule());
  }
}
