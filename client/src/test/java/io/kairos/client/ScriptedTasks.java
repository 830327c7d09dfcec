package io.kairos.client;

import com.google.protobuf.Message;
import com.google.rpc.Code;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.kairos.api.v1.HandlerServiceGrpc;
import io.kairos.api.v1.ScheduleServiceGrpc;
import io.kairos.api.v1.TaskServiceGrpc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A node's services that answer what the test told them, in order. */
final class ScriptedTasks implements AutoCloseable {
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final String name = "tasks-" + NUMBER.incrementAndGet();
  private final Queue<Object> script = new ConcurrentLinkedQueue<>();
  private final Queue<Message> requests = new ConcurrentLinkedQueue<>();
  private final List<String> tokens = new CopyOnWriteArrayList<>();
  private final AtomicInteger calls = new AtomicInteger();
  private final Server server;

  ScriptedTasks() {
    try {
      server =
          InProcessServerBuilder.forName(name)
              .directExecutor()
              .addService(service(TaskServiceGrpc.getServiceDescriptor()))
              .addService(service(ScheduleServiceGrpc.getServiceDescriptor()))
              .addService(service(HandlerServiceGrpc.getServiceDescriptor()))
              .intercept(new TokenReader())
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String name() {
    return name;
  }

  void answers(Message... answers) {
    script.addAll(List.of(answers));
  }

  void fails(Status status) {
    script.add(status.asRuntimeException());
  }

  void fails(Code code, Message... details) {
    script.add(KairosClientTest.statusOf(code, details));
  }

  <M extends Message> M request(Class<M> type) {
    return type.cast(requests.remove());
  }

  void skipRequest() {
    requests.remove();
  }

  List<String> tokens() {
    return new ArrayList<>(tokens);
  }

  int calls() {
    return calls.get();
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  private final class TokenReader implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      String token = headers.get(AUTHORIZATION);
      tokens.add(token == null ? "" : token);
      return next.startCall(call, headers);
    }
  }

  private ServerServiceDefinition service(ServiceDescriptor descriptor) {
    ServerServiceDefinition.Builder service = ServerServiceDefinition.builder(descriptor);
    descriptor.getMethods().forEach(method -> service.addMethod(scripted(method)));
    return service.build();
  }

  private <Q, A> ServerMethodDefinition<Q, A> scripted(MethodDescriptor<Q, A> method) {
    return ServerMethodDefinition.create(method, ServerCalls.asyncUnaryCall(this::play));
  }

  @SuppressWarnings("unchecked") // the test knows what it scripts
  private <Q, A> void play(Q request, StreamObserver<A> observer) {
    calls.incrementAndGet();
    requests.add((Message) request);
    Object next = script.remove();
    if (next instanceof Throwable failure) {
      observer.onError(failure);
    } else {
      observer.onNext((A) next);
      observer.onCompleted();
    }
  }
}
