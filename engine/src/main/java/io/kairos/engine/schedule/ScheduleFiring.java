package io.kairos.engine.schedule;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.fire.DecisionInput;
import io.kairos.domain.schedule.fire.PastFireDecisions;
import io.kairos.domain.schedule.fire.ScheduleDecision;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.schedule.port.DueDecider;
import io.kairos.engine.schedule.port.DueSchedule;
import io.kairos.engine.schedule.port.FireReceipt;
import io.kairos.engine.schedule.port.ScheduleWrite;
import io.kairos.engine.task.TaskInlet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides due schedules in batches of one transaction each. A batch is bounded in schedules, in new
 * tasks and those that they wait for or that are cancelled, in bytes and time; the rest is left for
 * the next batch. A schedule that cannot be decided or written is put off, and the others go on.
 * Thread-safe.
 */
record ScheduleFiring(
    ScheduleConfig config,
    SchedulePorts ports,
    TaskInlet inlet,
    TimetableCache timetables,
    BatchSize size) {
  /** How long a schedule is put off whose decision failed. */
  private static final Duration PUT_OFF = Duration.ofMinutes(1);

  /**
   * How long a schedule is put off that cannot be written, perhaps because an application has
   * locked its ordering key.
   */
  private static final Duration PUT_OFF_UNWRITTEN = Duration.ofSeconds(30);

  /** Longest time for deciding a batch, because the store ends transactions that idle meanwhile. */
  private static final Duration DECIDES_FOR = Duration.ofMillis(500);

  private static final int TASKS_FOR_EACH_SCHEDULE = 2;
  private static final long MOST_BYTES = 16 << 20;

  /** The call of the store that shows due schedules and writes the decisions. */
  interface Source {
    FireReceipt fire(NodeId node, int limit, Duration enqueueTimeout, DueDecider decider);
  }

  /** The time by which to decide, given the store's clock; empty to decide nothing now. */
  interface Time {
    Optional<Instant> at(Instant now);
  }

  /**
   * The result of a batch.
   *
   * @param schedules number of schedules that were decided or put off
   * @param entries number of new ledger entries
   * @param isHeldBack true when {@link Time} was empty
   */
  record Batch(int schedules, int entries, boolean isHeldBack) {}

  Batch batch(NodeId life, Source source, Time time) {
    size.culprit()
        .ifPresent(culprit -> {
          ports.schedules().putOff(culprit, PUT_OFF_UNWRITTEN);
          size.culpritIsPutOff();
        });
    return new Round(time).run(life, source);
  }

  /** One batch. */
  private final class Round implements DueDecider {
    private final Time time;
    private final RunCreation making = new RunCreation(inlet, ports);
    private final List<Schedule> shown = new ArrayList<>();
    private final List<Schedule> failed = new ArrayList<>();
    private Instant decidedAt = Instant.EPOCH;
    private boolean isHeldBack;

    Round(Time time) {
      this.time = time;
    }

    Batch run(NodeId life, Source source) {
      FireReceipt fired;
      try {
        fired =
            making.storing(() -> source.fire(life, size.present(), inlet.enqueueTimeout(), this));
      } catch (StoreUnavailable e) {
        size.unwritten(shown).ifPresent(one -> ports.events().failed(one.name(), e));
        throw e;
      }
      size.written();
      making.done(fired, decidedAt);
      ports.events().decided(fired.entries());
      failed.forEach(schedule -> ports.schedules().putOff(schedule, PUT_OFF));
      return new Batch(fired.schedules() + failed.size(), fired.entries().size(), isHeldBack);
    }

    @Override
    public List<ScheduleWrite> decide(List<DueSchedule> due, Instant now) {
      decidedAt = now;
      if (due.isEmpty()) {
        return List.of();
      }
      Optional<Instant> by = time.at(now);
      isHeldBack = by.isEmpty();
      return by.map(to -> decide(due, to, now)).orElse(List.of());
    }

    private List<ScheduleWrite> decide(List<DueSchedule> due, Instant by, Instant now) {
      List<ScheduleWrite> writes = new ArrayList<>();
      long began = ports.monotonic().nanos();
      for (DueSchedule one : due) {
        shown.add(one.schedule());
        decide(one, by, now, writes);
        if (making.runs() + making.locked() >= TASKS_FOR_EACH_SCHEDULE * config.maxBatch()
            || making.bytes() >= MOST_BYTES
            || ports.monotonic().nanos() - began >= DECIDES_FOR.toNanos()) {
          break;
        }
      }
      return writes;
    }

    /** Decides one schedule, or puts it off if that fails, so that the others go on. */
    private void decide(DueSchedule due, Instant by, Instant now, List<ScheduleWrite> writes) {
      Schedule schedule = due.schedule();
      try {
        ScheduleDecision verdict =
            PastFireDecisions.decide(
                    new DecisionInput(
                        schedule,
                        timetables.of(due),
                        due.unfinished(),
                        due.unfinishedTasks(),
                        due.lastRun(),
                        by))
                .decidedAt(now);
        writes.add(
            making.write(due, verdict, schedule.definition().policies().overlap(), now, false));
      } catch (RuntimeException e) {
        failed.add(schedule);
        ports.events().failed(schedule.name(), e);
      }
    }

    @Override
    public void unreadable(ScheduleName schedule, RuntimeException why) {
      ports.events().failed(schedule, why);
    }
  }
}
