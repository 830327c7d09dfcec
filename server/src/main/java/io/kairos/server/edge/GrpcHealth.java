package io.kairos.server.edge;

import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.grpc.GrpcHealthCheckService;
import com.linecorp.armeria.server.healthcheck.SettableHealthChecker;
import io.kairos.api.v1.TaskServiceGrpc;
import io.kairos.api.v1.WorkerServiceGrpc;
import java.util.concurrent.TimeUnit;

/** {@code /readyz} for gRPC clients, which watch it to choose a node. */
final class GrpcHealth {
  private static final long LOOKS_EVERY_MILLIS = 250;

  private final NodeView node;
  private final SettableHealthChecker ready = new SettableHealthChecker(false);

  GrpcHealth(NodeView node) {
    this.node = node;
  }

  GrpcHealthCheckService service() {
    return GrpcHealthCheckService.builder()
        .checkers(ready)
        .serviceCheckers(TaskServiceGrpc.SERVICE_NAME, ready)
        .serviceCheckers(WorkerServiceGrpc.SERVICE_NAME, ready)
        .build();
  }

  /** From now on, on a thread of the server and as long as it runs. */
  void follow(Server server) {
    var _ =
        server
            .nextEventLoop()
            .scheduleWithFixedDelay(
                () -> ready.setHealthy(node.obstacles().isEmpty()),
                0,
                LOOKS_EVERY_MILLIS,
                TimeUnit.MILLISECONDS);
  }
}
