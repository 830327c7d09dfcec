package io.kairos.engine.schedule;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.fire.Deciding;
import io.kairos.domain.schedule.fire.Schedule;
import io.kairos.domain.schedule.fire.ScheduleId;
import io.kairos.domain.schedule.fire.ScheduleName;
import io.kairos.domain.schedule.fire.Situation;
import io.kairos.domain.schedule.fire.Verdict;
import io.kairos.engine.delay.port.StoreUnavailable;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.schedule.port.Agenda;
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
import org.jspecify.annotations.Nullable;

/**
 * Decides schedules whose time has come, in batches of one transaction each, and sleeps until the
 * next. While none is due it asks the store one question for each poll interval, however many
 * schedules there are. Safe to run on every node at once: they share what is due. A batch is
 * bounded in schedules, runs, bytes and time; what is left over is the next one's.
 */
final class FireSchedulesStep implements Step {
  /** Another node is deciding what is due. */
  private static final Duration WHILE_OTHERS_DECIDE = Duration.ofMillis(50);

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
  private final ClockWatch clock;

  /** How many at once: one after a batch that the store could not write, to find the culprit. */
  private int batch;

  private @Nullable ScheduleId failedAlone;
  private @Nullable Schedule culprit;

  FireSchedulesStep(
      ScheduleConfig config,
      SchedulePorts ports,
      Inlet inlet,
      Timetables timetables,
      ClockWatch clock) {
    this.config = config;
    this.ports = ports;
    this.inlet = inlet;
    this.timetables = timetables;
    this.clock = clock;
    this.batch = config.maxBatch();
  }

  @Override
  public String name() {
    return "fire-schedules";
  }

  @Override
  public Next runOnce() {
    Optional<NodeId> life = inlet.life();
    if (life.isEmpty()) {
      return Next.retry(config.pollInterval());
    }
    Agenda agenda = ports.schedules().agenda();
    ports.events().looked(agenda);
    Duration untilNext = agenda.untilNext().orElse(config.pollInterval());
    // Also while nothing is due: whoever looks rarely cannot tell a jump from a clock that drifts.
    if (!clock.believes(agenda.now())) {
      return Next.retry(config.pollInterval());
    }
    if (untilNext.isPositive()) {
      return Next.after(
          untilNext.compareTo(config.pollInterval()) < 0 ? untilNext : config.pollInterval());
    }
    putOffCulprit();
    Round round = new Round();
    Fired fired = round.run(life.get());
    if (!round.believed) {
      return Next.retry(config.pollInterval());
    }
    return fired.schedules() + round.failed.size() == 0
        ? Next.retry(WHILE_OTHERS_DECIDE)
        : Next.AT_ONCE.having(fired.entries().size());
  }

  private void putOffCulprit() {
    Schedule found = culprit;
    if (found != null) {
      ports.schedules().putOff(found, PUT_OFF_UNWRITTEN);
      culprit = null;
    }
  }

  /**
   * A batch could not be written, and one of it may be why: one by one it is found, as the first
   * that is due or in a batch that grows again. A store that was away for a moment makes nobody a
   * culprit, one alone must fail twice.
   */
  private void unwritten(List<Schedule> shown, StoreUnavailable why) {
    if (shown.isEmpty()) {
      return;
    }
    batch = 1;
    Schedule first = shown.getFirst();
    boolean again = first.id().equals(failedAlone);
    failedAlone = shown.size() == 1 ? first.id() : null;
    if (again && failedAlone != null) {
      failedAlone = null;
      culprit = first;
      ports.events().failed(first.name(), why);
    }
  }

  private void written() {
    batch = Math.min(config.maxBatch(), 2 * batch);
    failedAlone = null;
  }

  /** One batch. */
  private final class Round implements Decider {
    private final Making making = new Making(inlet, ports.timeZoneRules());
    private final List<Schedule> shown = new ArrayList<>();
    private final List<Schedule> failed = new ArrayList<>();
    private Instant decidedAt = Instant.EPOCH;
    private boolean believed = true;

    Fired run(NodeId life) {
      Fired fired;
      try {
        fired =
            making.storing(() -> ports.schedules().fire(life, batch, inlet.enqueueTimeout(), this));
      } catch (StoreUnavailable e) {
        unwritten(shown, e);
        throw e;
      }
      written();
      making.done(fired, decidedAt);
      ports.events().decided(fired.entries());
      failed.forEach(schedule -> ports.schedules().putOff(schedule, PUT_OFF));
      return fired;
    }

    @Override
    public List<Deed> decide(List<Due> due, Instant now) {
      decidedAt = now;
      believed = due.isEmpty() || clock.believes(now);
      List<Deed> deeds = new ArrayList<>();
      if (!believed) {
        return deeds;
      }
      long began = ports.monotonic().nanos();
      for (Due one : due) {
        shown.add(one.schedule());
        decide(one, now, deeds);
        if (making.runs() >= RUNS_FOR_EACH_SCHEDULE * config.maxBatch()
            || making.bytes() >= MOST_BYTES
            || ports.monotonic().nanos() - began >= DECIDES_FOR.toNanos()) {
          break;
        }
      }
      return deeds;
    }

    /** One that cannot be decided is no reason to stop, and none to keep the others waiting. */
    private void decide(Due due, Instant now, List<Deed> deeds) {
      Schedule schedule = due.schedule();
      try {
        Verdict verdict =
            Deciding.decide(
                new Situation(schedule, timetables.of(due), due.unfinished(), due.lastRun(), now));
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
