package io.kairos.simulator.schedule;

import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.schedule.ScheduleEdge;
import io.kairos.engine.schedule.ScheduleEvents;
import io.kairos.engine.schedule.ScheduleNode;
import io.kairos.engine.schedule.SchedulePorts;
import io.kairos.simulator.kernel.Kernel;
import io.kairos.simulator.kernel.VirtualClock;
import io.kairos.simulator.kernel.VirtualWakeup;
import io.kairos.simulator.task.TaskNodeRun;
import java.util.List;
import java.util.UUID;

/** One run of a node with schedules: production's {@link ScheduleNode} beside that of tasks. */
final class ScheduleNodeRun extends TaskNodeRun {
  private final ScheduleCluster cluster;
  private final ScheduleNode schedules;

  /** The node's version of the rules of {@link SimulatedZone}. */
  final int zoneRules;

  private boolean hasLooked;
  private boolean beganInAJump;

  ScheduleNodeRun(ScheduleCluster world, String name, VirtualClock clock) {
    super(world, name, clock);
    this.cluster = world;
    this.zoneRules = world.zoneRules();
    Kernel kernel = world.kernel;
    SchedulePorts ports =
        new SchedulePorts(
            FaultyScheduleStore.of(this, world.schedules),
            VirtualClock.monotonic(kernel),
            () -> new VirtualWakeup(kernel),
            () -> new ScheduleId(new UUID(world.nextNodeBits(), world.nextNodeBits())),
            new RecordedEvents(),
            "version " + zoneRules);
    this.schedules =
        new ScheduleNode(world.schedulesConfig(), world.scheduleWiring.around(ports), inlet());
    schedules.activities().forEach(this::drive);
  }

  ScheduleEdge schedules() {
    return schedules;
  }

  /** It learns what the store's clock shows. */
  void looks() {
    beganInAJump |= !hasLooked && cluster.isClockWrong();
    hasLooked = true;
  }

  /**
   * True when the node may believe a clock that has jumped, because it saw no other time before.
   */
  boolean knowsNoOtherTime() {
    return beganInAJump || (!hasLooked && cluster.isClockWrong());
  }

  private final class RecordedEvents implements ScheduleEvents {
    @Override
    public void decided(List<LedgerEntry> entries) {
      for (LedgerEntry entry : entries) {
        cluster.scheduleRules().told(entry);
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
