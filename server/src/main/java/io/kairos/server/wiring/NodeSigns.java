package io.kairos.server.wiring;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.DelayNode;
import io.kairos.engine.delay.MessageEdge;
import io.kairos.engine.node.NodeLife;
import io.kairos.engine.poll.Polling;
import io.kairos.engine.schedule.ScheduleEdge;
import io.kairos.engine.task.TaskEdge;
import io.kairos.server.edge.NodeView;
import io.kairos.server.observe.Turns;
import io.kairos.server.push.PoolEdge;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says in words how the node is. Written by the thread that starts and stops it, read by any. */
final class NodeSigns implements NodeView {
  private final Turns turns;
  private volatile String phase = "the node is starting";
  private volatile @Nullable NodeLife life;
  private volatile @Nullable DelayNode node;
  private volatile @Nullable TaskEdge tasks;
  private volatile @Nullable MessageEdge messages;
  private volatile @Nullable ScheduleEdge schedules;
  private volatile @Nullable PoolEdge pools;
  private volatile @Nullable Polling polling;
  private volatile @Nullable String dead;

  NodeSigns(Turns turns) {
    this.turns = turns;
  }

  void runs(
      NodeLife runningLife,
      DelayNode running,
      TaskEdge runningTasks,
      MessageEdge runningMessages,
      ScheduleEdge runningSchedules,
      PoolEdge runningPools) {
    life = runningLife;
    node = running;
    schedules = runningSchedules;
    pools = runningPools;
    messages = runningMessages;
    tasks = runningTasks;
    phase = "";
  }

  void isPolledBy(Polling ofNode) {
    polling = ofNode;
  }

  void stops() {
    phase = "the node is stopping";
  }

  /** A thread of this name that the node cannot do without. */
  void dies(String thread) {
    dead = thread;
  }

  @Override
  public String greeting() {
    NodeLife running = life;
    String id =
        running == null ? "none yet" : running.id().map(NodeId::toString).orElse("none at present");
    return """
    Kairos keeps work until its moment and then hands it over.

    version %s, node %s

    /v1/tasks      tasks, by REST and JSON; the same by gRPC
    /v1/schedules  what is done again and again
    /metrics       what the node does, for Prometheus
    /healthz       200 while the process is healthy
    /readyz        200 while the node can work, else why not
    """
        .formatted(Version.text(), id);
  }

  @Override
  public List<String> ailments() {
    List<String> ailments = new ArrayList<>();
    String died = dead;
    if (died != null) {
      ailments.add("the thread of " + died + " has died of an error: the node ends");
    }
    ailments.addAll(turns.ailments());
    return ailments;
  }

  @Override
  public List<String> obstacles() {
    List<String> obstacles = new ArrayList<>(ailments());
    if (!phase.isEmpty()) {
      obstacles.add(phase);
    }
    NodeLife living = life;
    DelayNode running = node;
    if (living == null || running == null) {
      return obstacles;
    }
    if (!living.isClockWithinBound()) {
      obstacles.add("the clock is further from the store's than delay.liveness.clock-bound");
    } else if (living.actingAs().isEmpty()) {
      obstacles.add("the node is not enrolled: the store does not answer, or not fast enough");
    }
    if (!running.status().publishable()) {
      obstacles.add("a route's output topic has no partition that answers");
    }
    return obstacles;
  }

  @Override
  public Optional<TaskEdge> tasks() {
    return Optional.ofNullable(tasks);
  }

  @Override
  public Optional<MessageEdge> messages() {
    return Optional.ofNullable(messages);
  }

  @Override
  public Optional<ScheduleEdge> schedules() {
    return Optional.ofNullable(schedules);
  }

  @Override
  public Optional<PoolEdge> pools() {
    return Optional.ofNullable(pools);
  }

  @Override
  public Optional<Polling> polling() {
    NodeLife running = life;
    return running == null || running.actingAs().isEmpty()
        ? Optional.empty()
        : Optional.ofNullable(polling);
  }

  @Override
  public Map<String, Object> details() {
    Map<String, Object> details = new LinkedHashMap<>();
    NodeLife living = life;
    DelayNode running = node;
    if (living != null && running != null) {
      DelayNode.Status status = running.status();
      living.id().ifPresent(id -> details.put("node", id.toString()));
      details.put("held", status.held());
      details.put("queued", status.queued());
      details.put("inFlight", status.inFlight());
      details.put("unsettled", status.unsettled());
    }
    return details;
  }
}
