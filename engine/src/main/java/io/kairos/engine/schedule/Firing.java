package io.kairos.engine.schedule;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.fire.Deciding;
import io.kairos.domain.schedule.fire.Schedule;
import io.kairos.domain.schedule.fire.ScheduleName;
import io.kairos.domain.schedule.fire.Situation;
import io.kairos.domain.schedule.fire.Verdict;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.schedule.port.Decider;
import io.kairos.engine.schedule.port.Deed;
import io.kairos.engine.schedule.port.Due;
import io.kairos.engine.schedule.port.Fired;
import io.kairos.engine.task.Inlet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides schedules whose time has come, in batches of one transaction each. A batch is bounded in
 * schedules, runs, bytes and time; what is left over is the next one's. One that cannot be decided
 * or written is put off, the others go on. Thread-safe.
 */
final class Firing {
  /** A schedule whose decision fails is tried again after this. */
  private static final Duration PUT_OFF = Duration.ofMinutes(1);

  /** One that the store cannot write, perhaps because an application keeps its key locked. */
  private static final Duration PUT_OFF_UNWRITTEN = Duration.ofSeconds(30);

  /** A transaction that idles while the node decides is ended by the store. */
  private static final Duration DECIDES_FOR = Duration.ofMillis(500);

  private static final int RUNS_FOR_EACH_SCHEDULE = 2;
  private static final long MOST_BYTES = 16 << 20;

  private final ScheduleConfig config;
  private final SchedulePorts ports;
  private final Inlet inlet;
  private final Timetables timetables;
  private final BatchSize size;

  Firing(ScheduleConfig config, SchedulePorts ports, Inlet inlet, Timetables timetables) {
    this.config = config;
    this.ports = ports;
    this.inlet = inlet;
    this.timetables = timetables;
    this.size = new BatchSize(config.maxBatch());
  }

  /** The call of the store that shows what is due and writes what is decided. */
  interface Source {
    Fired fire(NodeId node, int limit, Duration enqueueTimeout, Decider decider);
  }

  /** By which time to decide, given the store's clock; empty for not now. */
  interface Time {
    Optional<Instant> at(Instant now);
  }

  /**
   * What a batch came to.
   *
   * @param schedules decided, or put off
   * @param entries new in the ledger
   * @param isHeldBack there was no time to decide by
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
  private final class Round implements Decider {
    private final Time time;
    private final Making making = new Making(inlet, ports.timeZoneRules());
    private final List<Schedule> shown = new ArrayList<>();
    private final List<Schedule> failed = new ArrayList<>();
    private Instant decidedAt = Instant.EPOCH;
    private boolean isHeldBack;

    Round(Time time) {
      this.time = time;
    }

    Batch run(NodeId life, Source source) {
      Fired fired;
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
    public List<Deed> decide(List<Due> due, Instant now) {
      decidedAt = now;
      if (due.isEmpty()) {
        return List.of();
      }
      Optional<Instant> by = time.at(now);
      isHeldBack = by.isEmpty();
      return by.map(to -> decide(due, to, now)).orElse(List.of());
    }

    private List<Deed> decide(List<Due> due, Instant by, Instant now) {
      List<Deed> deeds = new ArrayList<>();
      long began = ports.monotonic().nanos();
      for (Due one : due) {
        shown.add(one.schedule());
        decide(one, by, now, deeds);
        if (making.runs() >= RUNS_FOR_EACH_SCHEDULE * config.maxBatch()
            || making.bytes() >= MOST_BYTES
            || ports.monotonic().nanos() - began >= DECIDES_FOR.toNanos()) {
          break;
        }
      }
      return deeds;
    }

    /** One that cannot be decided is no reason to stop, and none to keep the others waiting. */
    private void decide(Due due, Instant by, Instant now, List<Deed> deeds) {
      Schedule schedule = due.schedule();
      try {
        Verdict verdict =
            Deciding.decide(
                    new Situation(
                        schedule, timetables.of(due), due.unfinished(), due.lastRun(), by))
                .decidedAt(now);
        deeds.add(making.deed(due, verdict, schedule.definition().policies().overlap(), now));
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
