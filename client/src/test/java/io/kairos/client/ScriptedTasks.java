package io.kairos.client;

import com.google.protobuf.Message;
import com.google.rpc.Code;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import io.kairos.api.v1.CancelRequest;
import io.kairos.api.v1.CancelResponse;
import io.kairos.api.v1.GetRequest;
import io.kairos.api.v1.ListRequest;
import io.kairos.api.v1.ListResponse;
import io.kairos.api.v1.RescheduleRequest;
import io.kairos.api.v1.ScheduleBatchRequest;
import io.kairos.api.v1.ScheduleBatchResponse;
import io.kairos.api.v1.ScheduleRequest;
import io.kairos.api.v1.ScheduleResponse;
import io.kairos.api.v1.Task;
import io.kairos.api.v1.TaskServiceGrpc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A node's task service that answers what the test told it, in order. */
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
              .addService(new Service())
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

  private final class Service extends TaskServiceGrpc.TaskServiceImplBase {
    private <A extends Message> void play(
        Message request, Class<A> type, StreamObserver<A> observer) {
      calls.incrementAndGet();
      requests.add(request);
      Object next = script.remove();
      if (next instanceof Throwable failure) {
        observer.onError(failure);
      } else {
        observer.onNext(type.cast(next));
        observer.onCompleted();
      }
    }

    @Override
    public void schedule(ScheduleRequest request, StreamObserver<ScheduleResponse> observer) {
      play(request, ScheduleResponse.class, observer);
    }

    @Override
    public void scheduleBatch(
        ScheduleBatchRequest request, StreamObserver<ScheduleBatchResponse> observer) {
      play(request, ScheduleBatchResponse.class, observer);
    }

    @Override
    public void get(GetRequest request, StreamObserver<Task> observer) {
      play(request, Task.class, observer);
    }

    @Override
    public void cancel(CancelRequest request, StreamObserver<CancelResponse> observer) {
      play(request, CancelResponse.class, observer);
    }

    @Override
    public void reschedule(RescheduleRequest request, StreamObserver<Task> observer) {
      play(request, Task.class, observer);
    }

    @Override
    public void list(ListRequest request, StreamObserver<ListResponse> observer) {
      play(request, ListResponse.class, observer);
    }
  }
}
