package io.kairos.edge.call;

import io.kairos.edge.refusal.Refusals;
import io.kairos.engine.audit.AuditTrail;
import io.kairos.engine.cluster.ClusterEdge;
import io.kairos.engine.cluster.DetailFigures;
import io.kairos.engine.delay.MessageEdge;
import io.kairos.engine.pool.PoolEdge;
import io.kairos.engine.schedule.ScheduleEdge;
import io.kairos.engine.task.edge.TaskEdge;
import io.kairos.engine.worker.WorkerEdge;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node that serves calls once it can work. The edge listens earlier; every method refuses the
 * call until then.
 */
public record ReadyNode(Supplier<Optional<Parts>> parts) {
  /**
   * The parts of a node that take calls.
   *
   * @param tasks calls of applications and workers
   * @param messages tasks whose destination is a topic; null on a node without a broker
   * @param pools null where the node has no pools
   * @param audit the audit log; null where nothing is audited
   * @param cluster all nodes; null where the node knows no others
   * @param workers what is known of workers; null where nobody asks for it
   */
  public record Parts(
      TaskEdge tasks,
      @Nullable MessageEdge messages,
      ScheduleEdge schedules,
      @Nullable PoolEdge pools,
      @Nullable AuditTrail audit,
      @Nullable ClusterEdge cluster,
      @Nullable WorkerEdge workers) {}

  private Parts ready() {
    return parts.get().orElseThrow(Refusals::notReady);
  }

  /** The engine of tasks. */
  public TaskEdge get() {
    return ready().tasks;
  }

  /** The delay queue; empty on a node without a broker. */
  public Optional<MessageEdge> messages() {
    return Optional.ofNullable(ready().messages);
  }

  /** The delay queue; a node without a broker refuses the call because of this field. */
  public MessageEdge getMessages(String field) {
    return messages().orElseThrow(() -> Refusals.noBroker(field));
  }

  /** The schedules. */
  public ScheduleEdge getSchedules() {
    return ready().schedules;
  }

  /** The audit log. */
  public AuditTrail getAudit() {
    return Optional.ofNullable(ready().audit).orElseThrow(Refusals::notReady);
  }

  /** All nodes. */
  public ClusterEdge getCluster() {
    return Optional.ofNullable(ready().cluster).orElseThrow(Refusals::notReady);
  }

  /** The figures of all nodes in the last minute; none where nodes do not share them. */
  public DetailFigures lastMinute() {
    ClusterEdge cluster = ready().cluster;
    return cluster == null ? DetailFigures.NONE : cluster.lastMinute();
  }

  /** The workers; empty where nobody asks for them. */
  public Optional<WorkerEdge> workers() {
    return Optional.ofNullable(ready().workers);
  }

  /** The workers. */
  public WorkerEdge getWorkers() {
    return workers().orElseThrow(Refusals::notReady);
  }

  /** The pools. */
  public PoolEdge getPools() {
    return Optional.ofNullable(ready().pools).orElseThrow(Refusals::notReady);
  }
}
