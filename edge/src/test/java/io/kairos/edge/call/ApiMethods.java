package io.kairos.edge.call;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.DescriptorProtos.MethodOptions;
import io.grpc.MethodDescriptor;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import io.kairos.api.v1.AuditServiceGrpc;
import io.kairos.api.v1.BatchServiceGrpc;
import io.kairos.api.v1.ClusterServiceGrpc;
import io.kairos.api.v1.CronServiceGrpc;
import io.kairos.api.v1.HandlerServiceGrpc;
import io.kairos.api.v1.LimitServiceGrpc;
import io.kairos.api.v1.PollServiceGrpc;
import io.kairos.api.v1.PoolServiceGrpc;
import io.kairos.api.v1.RouteServiceGrpc;
import io.kairos.api.v1.ScheduleServiceGrpc;
import io.kairos.api.v1.TaskServiceGrpc;
import io.kairos.api.v1.WorkerServiceGrpc;
import io.kairos.edge.caller.CallerRole;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Every method of nodes and replicas, for tests that walk them all. */
final class ApiMethods {
  private ApiMethods() {}

  static Stream<MethodDescriptor<?, ?>> all() {
    return Stream.of(
            TaskServiceGrpc.getServiceDescriptor(),
            BatchServiceGrpc.getServiceDescriptor(),
            WorkerServiceGrpc.getServiceDescriptor(),
            HandlerServiceGrpc.getServiceDescriptor(),
            LimitServiceGrpc.getServiceDescriptor(),
            ScheduleServiceGrpc.getServiceDescriptor(),
            PoolServiceGrpc.getServiceDescriptor(),
            PollServiceGrpc.getServiceDescriptor(),
            AuditServiceGrpc.getServiceDescriptor(),
            ClusterServiceGrpc.getServiceDescriptor(),
            RouteServiceGrpc.getServiceDescriptor(),
            CronServiceGrpc.getServiceDescriptor())
        .flatMap(service -> service.getMethods().stream());
  }

  static Stream<Arguments> byRole() {
    return all()
        .flatMap(method -> Stream.of(CallerRole.values()).map(role -> Arguments.of(method, role)));
  }

  static MethodOptions options(MethodDescriptor<?, ?> method) {
    return requireNonNull((ProtoMethodDescriptorSupplier) method.getSchemaDescriptor())
        .getMethodDescriptor()
        .getOptions();
  }
}
