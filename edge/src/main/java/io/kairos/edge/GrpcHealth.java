package io.kairos.edge;

import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.grpc.GrpcHealthCheckService;
import com.linecorp.armeria.server.grpc.GrpcHealthCheckServiceBuilder;
import com.linecorp.armeria.server.healthcheck.SettableHealthChecker;
import io.grpc.BindableService;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Serves readiness to gRPC clients, which watch it to choose a node. */
final class GrpcHealth {
  private static final long LOOKS_EVERY_MILLIS = 250;

  private final ProcessView process;
  private final List<BindableService> services;
  private final SettableHealthChecker ready = new SettableHealthChecker(false);

  GrpcHealth(ProcessView process, List<BindableService> services) {
    this.process = process;
    this.services = services;
  }

  GrpcHealthCheckService service() {
    GrpcHealthCheckServiceBuilder health = GrpcHealthCheckService.builder().checkers(ready);
    for (BindableService service : services) {
      health.serviceCheckers(service.bindService().getServiceDescriptor().getName(), ready);
    }
    return health.build();
  }

  /** Keeps readiness up to date, on a thread of the server and as long as the server runs. */
  void follow(Server server) {
    var _ =
        server
            .nextEventLoop()
            .scheduleWithFixedDelay(
                () -> ready.setHealthy(process.obstacles().isEmpty()),
                0,
                LOOKS_EVERY_MILLIS,
                TimeUnit.MILLISECONDS);
  }
}
