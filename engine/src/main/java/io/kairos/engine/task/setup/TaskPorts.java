package io.kairos.engine.task.setup;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.TaskId;
import io.kairos.engine.loop.WakeupFactory;
import io.kairos.engine.node.LeaseClock;
import io.kairos.engine.node.LivenessStore;
import io.kairos.engine.task.port.DueNotifier;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.time.MonotonicClock;
import io.kairos.engine.trace.TaskSpans;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * Ports of a node's tasks.
 *
 * @param life the id under which the node may act at present; empty while it may not
 * @param leaseClock by which leases, execution timeouts and start deadlines are judged
 * @param newTaskId new ids for accepted tasks
 * @param chance random numbers, uniform in [0, 1), for the jitter of retries
 * @param notifier notifications between the nodes; {@link DueNotifier#NONE} for nodes that only
 *     poll
 * @param spans {@link TaskSpans#NONE} for nodes without traces
 */
public record TaskPorts(
    TaskStore tasks,
    LivenessStore liveness,
    Supplier<Optional<NodeId>> life,
    LeaseClock leaseClock,
    InstantSource clock,
    MonotonicClock monotonic,
    WakeupFactory wakeups,
    Supplier<TaskId> newTaskId,
    DoubleSupplier chance,
    TaskEvents events,
    DueNotifier notifier,
    TaskSpans spans) {
  /** Ports of a node without traces. */
  public TaskPorts(
      TaskStore tasks,
      LivenessStore liveness,
      Supplier<Optional<NodeId>> life,
      LeaseClock leaseClock,
      InstantSource clock,
      MonotonicClock monotonic,
      WakeupFactory wakeups,
      Supplier<TaskId> newTaskId,
      DoubleSupplier chance,
      TaskEvents events,
      DueNotifier notifier) {
    this(
        tasks,
        liveness,
        life,
        leaseClock,
        clock,
        monotonic,
        wakeups,
        newTaskId,
        chance,
        events,
        notifier,
        TaskSpans.NONE);
  }

  /**
   * The time by which this node judges heartbeats and results, in microseconds: {@link
   * LeaseClock#NOTHING_PASSED} while it may not act, as its clock and the store's differ, and until
   * it has watched the store's clock for one lease.
   */
  public long believedMicros(Duration lease) {
    return life.get().isEmpty()
        ? LeaseClock.NOTHING_PASSED
        : leaseClock.micros(lease).orElse(LeaseClock.NOTHING_PASSED);
  }
}
