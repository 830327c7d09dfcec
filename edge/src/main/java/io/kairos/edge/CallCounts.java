package io.kairos.edge;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts answers by method and code, of gRPC and REST, including calls that the gate refuses. */
final class CallCounts implements ServerInterceptor {
  private record Answered(String method, Status.Code code) {}

  private final MeterRegistry registry;
  private final Map<Answered, Counter> counters = new ConcurrentHashMap<>();

  CallCounts(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public <Q, A> Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    String method = call.getMethodDescriptor().getFullMethodName();
    return next.startCall(
        new SimpleForwardingServerCall<>(call) {
          @Override
          public void close(Status status, Metadata trailers) {
            counters
                .computeIfAbsent(new Answered(method, status.getCode()), CallCounts.this::counter)
                .increment();
            super.close(status, trailers);
          }
        },
        headers);
  }

  private Counter counter(Answered answered) {
    return Counter.builder("kairos.edge.calls")
        .description("Calls of the API that have been answered")
        .tag("method", answered.method)
        .tag("code", answered.code.name())
        .register(registry);
  }
}
