package io.kairos.node;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.task.TaskIds;
import io.kairos.engine.loop.StepActivity;
import io.kairos.engine.node.LivenessConfig;
import io.kairos.engine.node.LivenessEvents;
import io.kairos.engine.node.LivenessPorts;
import io.kairos.engine.node.LivenessStore;
import io.kairos.engine.node.NodeLife;
import io.kairos.engine.schedule.ScheduleConfig;
import io.kairos.engine.schedule.ScheduleEvents;
import io.kairos.engine.schedule.ScheduleNode;
import io.kairos.engine.schedule.SchedulePorts;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.engine.task.TaskNode;
import io.kairos.engine.task.port.DueNotifier;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.engine.task.setup.TaskEvents;
import io.kairos.engine.task.setup.TaskPorts;
import io.kairos.engine.time.MonotonicClock;
import io.kairos.engine.trace.RunSpans;
import io.kairos.engine.trace.TaskSpans;
import java.time.InstantSource;
import java.time.zone.ZoneRulesProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The parts that every node has: its life, its tasks and its schedules, on the clocks of this
 * process. The creator drives the {@linkplain #activities activities} by {@link LoopThreads}.
 */
public record NodeCore(NodeLife life, TaskNode tasks, ScheduleNode schedules) {
  /** The wall clock of this process. */
  public static final InstantSource CLOCK = InstantSource.system();

  /** The elapsed time of this process. */
  public static final MonotonicClock MONOTONIC = System::nanoTime;

  /** Settings of the parts. */
  public record Settings(LivenessConfig liveness, TaskConfig tasks, ScheduleConfig schedules) {}

  /** Stores of the parts. */
  public record Stores(
      LivenessStore liveness, TaskStore tasks, ScheduleStore schedules, DueNotifier notifier) {}

  /** Listeners to the parts, and makers of traces. */
  public record Listeners(
      LivenessEvents liveness,
      TaskEvents tasks,
      ScheduleEvents schedules,
      TaskSpans taskSpans,
      RunSpans runSpans) {}

  /** Constructs the parts; nothing runs yet. */
  public static NodeCore assemble(Settings settings, Stores stores, Listeners listeners) {
    NodeLife life =
        new NodeLife(
            settings.liveness,
            new LivenessPorts(
                stores.liveness,
                CLOCK,
                MONOTONIC,
                ParkedWakeup::new,
                () -> new NodeId(UUID.randomUUID()),
                listeners.liveness));
    TaskNode tasks =
        new TaskNode(
            settings.tasks,
            new TaskPorts(
                stores.tasks,
                stores.liveness,
                life::actingAs,
                life,
                CLOCK,
                MONOTONIC,
                ParkedWakeup::new,
                new TaskIds(CLOCK, () -> ThreadLocalRandom.current().nextLong())::next,
                () -> ThreadLocalRandom.current().nextDouble(),
                listeners.tasks,
                stores.notifier,
                listeners.taskSpans));
    ScheduleNode schedules =
        new ScheduleNode(
            settings.schedules,
            new SchedulePorts(
                stores.schedules,
                MONOTONIC,
                ParkedWakeup::new,
                () -> new ScheduleId(UUID.randomUUID()),
                listeners.schedules,
                timeZoneRules(),
                listeners.runSpans),
            tasks.inlet());
    return new NodeCore(life, tasks, schedules);
  }

  /** Version of the Java runtime's time zone rules, such as 2026a. */
  private static String timeZoneRules() {
    return requireNonNull(ZoneRulesProvider.getVersions("UTC").lastEntry()).getKey();
  }

  /** The steps of the life, the tasks and the schedules. */
  public List<StepActivity> activities() {
    List<StepActivity> all = new ArrayList<>(life.activities());
    all.addAll(tasks.activities());
    all.addAll(schedules.activities());
    return all;
  }
}
