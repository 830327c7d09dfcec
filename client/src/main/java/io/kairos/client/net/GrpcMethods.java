package io.kairos.client.net;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.ServiceDescriptor;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The methods of nodes by the types of their requests, of which each method has one. */
public final class GrpcMethods {
  private static final List<ServiceDescriptor> SERVICES =
      List.of(
          AuditServiceGrpc.getServiceDescriptor(),
          BatchServiceGrpc.getServiceDescriptor(),
          ClusterServiceGrpc.getServiceDescriptor(),
          CronServiceGrpc.getServiceDescriptor(),
          HandlerServiceGrpc.getServiceDescriptor(),
          LimitServiceGrpc.getServiceDescriptor(),
          PollServiceGrpc.getServiceDescriptor(),
          PoolServiceGrpc.getServiceDescriptor(),
          RouteServiceGrpc.getServiceDescriptor(),
          ScheduleServiceGrpc.getServiceDescriptor(),
          TaskServiceGrpc.getServiceDescriptor(),
          WorkerServiceGrpc.getServiceDescriptor());

  private static final Map<Class<?>, MethodDescriptor<?, ?>> BY_REQUEST = byRequest();

  private GrpcMethods() {}

  private static Map<Class<?>, MethodDescriptor<?, ?>> byRequest() {
    Map<Class<?>, MethodDescriptor<?, ?>> methods = new HashMap<>();
    for (ServiceDescriptor service : SERVICES) {
      for (MethodDescriptor<?, ?> method : service.getMethods()) {
        if (methods.put(type(method.getRequestMarshaller()), method) != null) {
          throw new IllegalStateException(method + " shares its request with another method");
        }
      }
    }
    return methods;
  }

  private static Class<?> type(MethodDescriptor.Marshaller<?> marshaller) {
    return ((PrototypeMarshaller<?>) marshaller).getMessageClass();
  }

  /**
   * Returns the method of a request. Throws {@link IllegalArgumentException} when there is none, or
   * when it has another answer.
   */
  @SuppressWarnings("unchecked") // the types are those of the marshallers
  public static <Q, A> MethodDescriptor<Q, A> of(Q request, Class<A> answer) {
    MethodDescriptor<?, ?> method = BY_REQUEST.get(request.getClass());
    if (method == null || !type(method.getResponseMarshaller()).equals(answer)) {
      throw new IllegalArgumentException(
          "no method answers %s by %s".formatted(request.getClass().getSimpleName(), answer));
    }
    return (MethodDescriptor<Q, A>) method;
  }
}
