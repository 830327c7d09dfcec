package io.kairos.edge;

import io.grpc.BindableService;
import io.kairos.edge.access.HttpConfig;
import io.kairos.edge.audit.AuditCalls;
import io.kairos.edge.call.ReadyNode;
import io.kairos.edge.call.StoreCalls;
import io.kairos.edge.call.WaitingItems;
import io.kairos.edge.cluster.ClusterCalls;
import io.kairos.edge.route.RouteCalls;
import io.kairos.edge.schedule.ScheduleCalls;
import io.kairos.edge.task.BatchCalls;
import io.kairos.edge.task.HandlerCalls;
import io.kairos.edge.task.LimitCalls;
import io.kairos.edge.task.PollCalls;
import io.kairos.edge.task.PoolCalls;
import io.kairos.edge.task.TaskCalls;
import io.kairos.edge.task.WorkerCalls;
import java.time.InstantSource;
import java.util.List;

/** The gRPC services of a node. */
public final class NodeServices {
  private NodeServices() {}

  /**
   * The services refuse calls until the node can work.
   *
   * @param maxPending tasks, heartbeats and results, each, that may wait for the store
   */
  public static List<BindableService> of(
      NodeView node, HttpConfig config, int maxPending, InstantSource clock) {
    ReadyNode ready = new ReadyNode(node::parts);
    StoreCalls store = new StoreCalls();
    WaitingItems tasks = new WaitingItems("tasks", maxPending);
    WaitingItems heartbeats = new WaitingItems("heartbeats", maxPending);
    WaitingItems results = new WaitingItems("results", maxPending);
    return List.of(
        new TaskCalls(ready, clock, config.maxPayloadBytes(), store, tasks),
        new BatchCalls(ready, store),
        new WorkerCalls(ready, heartbeats, results),
        new HandlerCalls(ready, clock, store),
        new LimitCalls(ready, store),
        new ScheduleCalls(ready, clock, config.maxPayloadBytes(), store),
        new PoolCalls(ready, store, heartbeats, results),
        new PollCalls(node::polling),
        new AuditCalls(ready, store),
        new ClusterCalls(ready, store, clock),
        new RouteCalls(ready, store, clock));
  }
}
