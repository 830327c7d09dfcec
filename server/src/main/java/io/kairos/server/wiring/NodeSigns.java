package io.kairos.server.wiring;

import io.kairos.domain.node.NodeId;
import io.kairos.edge.NodeView;
import io.kairos.edge.call.ReadyNode;
import io.kairos.engine.audit.AuditedCall;
import io.kairos.engine.audit.FinishedCalls;
import io.kairos.engine.delay.DelayNode;
import io.kairos.engine.poll.StepPolling;
import io.kairos.server.observe.ProcessSigns;
import io.kairos.server.observe.RoundWatch;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The node's state for the edge. Written by the thread that starts and stops it, read by any. */
final class NodeSigns extends ProcessSigns implements NodeView {
  private volatile @Nullable NodePart part;

  /** The doors of the node, known before it has started. */
  private final List<String> doors;

  private final FinishedCalls finished;

  /**
   * A node that starts.
   *
   * @param finished takes refusals until the node has its audit trail, which writes them
   */
  NodeSigns(RoundWatch turns, List<String> doors, FinishedCalls finished) {
    super("the node", "the thread of %s has died of an error: the node ends", turns);
    this.doors = List.copyOf(doors);
    this.finished = finished;
  }

  void runs(NodePart running) {
    part = running;
    runs();
  }

  @Override
  public String greeting() {
    NodePart running = part;
    String id =
        running == null
            ? "none yet"
            : running.life().id().map(NodeId::toString).orElse("none at present");
    return """
    Kairos keeps work until its moment and then hands it over.

    version %s, node %s

    /v1/tasks      tasks, by REST and JSON; the same by gRPC
    /v1/schedules  what is done again and again
    /v1/audit      who has changed what, and who was refused
    /v1/cluster    the nodes, and what is wrong
    /v1/workers    the workers that have asked for work in the last day
    /v1/openapi.json  all calls of REST, for generators of clients
    /metrics       what the node does, for Prometheus
    /healthz       200 while the process is healthy
    /readyz        200 while the node can work, else why not; also of one door: /readyz?door=tasks
    """
        .formatted(BuildVersion.text(), id);
  }

  @Override
  public String version() {
    return BuildVersion.text();
  }

  @Override
  public List<String> obstacles() {
    List<String> obstacles = super.obstacles();
    NodePart running = part;
    if (running == null) {
      return obstacles;
    }
    if (!running.life().isClockWithinBound()) {
      obstacles.add("the clock is further from the store's than node.liveness.clock-bound");
    } else if (running.life().actingAs().isEmpty()) {
      obstacles.add("the node is not enrolled: the store does not answer, or not fast enough");
    }
    obstacles.addAll(running.writes().obstacles());
    return obstacles;
  }

  @Override
  public Map<String, List<String>> doors() {
    NodePart running = part;
    Map<String, List<String>> states = new LinkedHashMap<>();
    doors.forEach(door -> states.put(door, running == null ? List.of() : running.obstacles(door)));
    return states;
  }

  @Override
  public Optional<ReadyNode.Parts> parts() {
    return Optional.ofNullable(part)
        .map(running ->
            new ReadyNode.Parts(
                running.tasks(),
                running.delayQueue().map(DelayPart::messages).orElse(null),
                running.schedules(),
                running.push(),
                running.audit(),
                running.cluster(),
                running.workers()));
  }

  @Override
  public void refused(AuditedCall call, String outcome) {
    NodePart running = part;
    if (running == null) {
      var _ = finished.refused(call, outcome);
    } else {
      running.audit().refused(call, outcome);
    }
  }

  @Override
  public Optional<StepPolling> polling() {
    return Optional.ofNullable(part)
        .filter(running -> running.life().actingAs().isPresent())
        .map(NodePart::polling);
  }

  @Override
  public Map<String, Object> details() {
    Map<String, Object> details = new LinkedHashMap<>();
    NodePart running = part;
    if (running != null) {
      running.life().id().ifPresent(id -> details.put("node", id.toString()));
      running.delayQueue().ifPresent(queue -> addDetails(queue, details));
    }
    return details;
  }

  private static void addDetails(DelayPart queue, Map<String, Object> details) {
    DelayNode.Status status = queue.node().status();
    details.put("held", status.held());
    details.put("queued", status.queued());
    details.put("inFlight", status.inFlight());
    details.put("unsettled", status.unsettled());
    List<String> differences = queue.agreement().differences();
    if (!differences.isEmpty()) {
      details.put("routesElsewhere", differences);
    }
  }
}
