package io.kairos.server.edge;

import io.grpc.BindableService;
import io.kairos.server.config.HttpConfig;
import io.kairos.server.edge.schedule.ScheduleCalls;
import io.kairos.server.edge.task.PollCalls;
import io.kairos.server.edge.task.PoolCalls;
import io.kairos.server.edge.task.QueueCalls;
import io.kairos.server.edge.task.ReadyNode;
import io.kairos.server.edge.task.StoreCalls;
import io.kairos.server.edge.task.TaskCalls;
import io.kairos.server.edge.task.WorkerCalls;
import java.time.InstantSource;
import java.util.List;

/** What can be called at a node. */
public final class NodeServices {
  private NodeServices() {}

  /** They refuse until the node can work. */
  public static List<BindableService> of(NodeView node, HttpConfig config, InstantSource clock) {
    ReadyNode ready = new ReadyNode(node::tasks, node::messages, node::schedules, node::pools);
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
