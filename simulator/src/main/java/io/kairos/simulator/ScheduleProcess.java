package io.kairos.simulator;

import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.ScheduleId;
import io.kairos.domain.schedule.fire.ScheduleName;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.schedule.ScheduleEdge;
import io.kairos.engine.schedule.ScheduleEvents;
import io.kairos.engine.schedule.ScheduleNode;
import io.kairos.engine.schedule.SchedulePorts;
import java.util.List;
import java.util.UUID;

/** One run of a node with schedules: production's {@link ScheduleNode} beside that of tasks. */
final class ScheduleProcess extends TaskProcess {
  private final ScheduleWorld world;
  private final ScheduleNode schedules;
  private final int zoneRules;
  private boolean hasLooked;
  private boolean beganInAJump;

  ScheduleProcess(ScheduleWorld world, String name, SimClock clock) {
    super(world, name, clock);
    this.world = world;
    this.zoneRules = world.zoneRules();
    Kernel kernel = world.kernel();
    SchedulePorts ports =
        new SchedulePorts(
            new SimSchedules(this, world),
            SimClock.monotonic(kernel),
            () -> new SimWakeup(kernel),
            () -> new ScheduleId(new UUID(world.nextNodeBits(), world.nextNodeBits())),
            new Told(),
            "version " + zoneRules);
    this.schedules =
        new ScheduleNode(world.schedulesConfig(), world.scheduleWiring().around(ports), inlet());
    schedules.activities().forEach(this::drive);
  }

  ScheduleEdge schedules() {
    return schedules;
  }

  /** Which version of the rules of {@link SimZone} it has. */
  int zoneRules() {
    return zoneRules;
  }

  /** It learns what the store's clock shows. */
  void looks() {
    beganInAJump |= !hasLooked && world.isClockWrong();
    hasLooked = true;
  }

  /** Whether it may believe a clock that has jumped, because that is what it saw first. */
  boolean knowsNoOtherTime() {
    return beganInAJump || (!hasLooked && world.isClockWrong());
  }

  private final class Told implements ScheduleEvents {
    @Override
    public void decided(List<LedgerEntry> entries) {
      for (LedgerEntry entry : entries) {
        world.scheduleRules().told(entry);
      }
    }

    @Override
    public void failed(ScheduleName schedule, RuntimeException why) {
      if (!(why instanceof StoreUnavailable)) {
        throw new AssertionError(schedule + " cannot be decided", why);
      }
    }
  }
}
