package io.kairos.edge;

import io.grpc.BindableService;
import io.kairos.edge.access.HttpConfig;
import io.kairos.edge.call.ReadyNode;
import io.kairos.edge.call.StoreCalls;
import io.kairos.edge.schedule.ScheduleCalls;
import io.kairos.edge.task.PollCalls;
import io.kairos.edge.task.PoolCalls;
import io.kairos.edge.task.QueueCalls;
import io.kairos.edge.task.TaskCalls;
import io.kairos.edge.task.WorkerCalls;
import java.time.InstantSource;
import java.util.List;

/** The gRPC services of a node. */
public final class NodeServices {
  private NodeServices() {}

  /** The services refuse calls until the node can work. */
  public static List<BindableService> of(NodeView node, HttpConfig config, InstantSource clock) {
    ReadyNode ready = new ReadyNode(node::parts);
    StoreCalls store = new StoreCalls();
    return List.of(
        new TaskCalls(ready, clock, config.maxPayloadBytes(), store),
        new WorkerCalls(ready),
        new QueueCalls(ready, clock, store),
        new ScheduleCalls(ready, clock, config.maxPayloadBytes(), store),
        new PoolCalls(ready, store),
        new PollCalls(node::polling));
  }
}
