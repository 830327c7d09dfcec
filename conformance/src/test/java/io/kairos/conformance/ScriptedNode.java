package io.kairos.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.util.Durations;
import com.google.protobuf.util.JsonFormat;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import io.kairos.api.v1.HeartbeatRequest;
import io.kairos.api.v1.HeartbeatResponse;
import io.kairos.api.v1.HeartbeatResponse.Verdict;
import io.kairos.api.v1.LeaveRequest;
import io.kairos.api.v1.LeaveResponse;
import io.kairos.api.v1.NextWorkRequest;
import io.kairos.api.v1.NextWorkResponse;
import io.kairos.api.v1.Result;
import io.kairos.api.v1.SetResultRequest;
import io.kairos.api.v1.SetResultResponse;
import io.kairos.api.v1.Work;
import io.kairos.api.v1.WorkerServiceGrpc;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A double of the node's calls for workers, which misbehaves as a case wants it. It speaks gRPC and
 * REST, and each message that it answers has fields that no version knows. Its leases are of three
 * seconds.
 */
final class ScriptedNode implements AutoCloseable {
  static final java.time.Duration LEASE = java.time.Duration.ofSeconds(3);
  private static final Duration INTERVAL = Durations.fromMillis(600);

  private static final int PATIENCE_SECONDS = 60;

  /** Of a task that is given for the first time. */
  static final long FIRST_FENCE = 7;

  private static final int LATER_FIELD = 19_876;

  private final HttpServer rest;
  private final Server grpc;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private final BlockingQueue<Work> work = new LinkedBlockingQueue<>();

  /**
   * Tasks by id that were given, and of which nothing has been heard. They are given again after a
   * lease: on a busy machine the call may have ended before its answer came.
   */
  private final Map<String, Given> unheard = new ConcurrentHashMap<>();

  /** What the calls for work and results are refused with, one call each. */
  private final Deque<Refusal> askRefusals = new ConcurrentLinkedDeque<>();

  private final Deque<Refusal> resultRefusals = new ConcurrentLinkedDeque<>();
  private final Deque<java.time.Duration> delays = new ConcurrentLinkedDeque<>();
  private volatile @Nullable Refusal heartbeatRefusal;
  private volatile Verdict verdict = Verdict.EXTENDED;

  /** Seen, in order. */
  final BlockingQueue<Asked> asks = new LinkedBlockingQueue<>();

  final BlockingQueue<HeartbeatRequest> heartbeats = new LinkedBlockingQueue<>();
  final BlockingQueue<LeaveRequest> leaves = new LinkedBlockingQueue<>();
  final BlockingQueue<Result> results = new LinkedBlockingQueue<>();
  private final Map<String, BlockingQueue<Result>> resultsByTask = new ConcurrentHashMap<>();

  /** A call for work. */
  record Asked(NextWorkRequest request, long atNanos) {}

  private record Given(Work work, long atNanos) {}

  /** How a call is refused; a retry may help after some seconds, or at once for 0. */
  record Refusal(Code code, int retryAfterSeconds) {}

  private static final class RefusedException extends Exception {
    private final transient Refusal refusal;

    RefusedException(Refusal refusal) {
      super(refusal.code().name());
      this.refusal = refusal;
    }
  }

  ScriptedNode() throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    rest = HttpServer.create(any, 100);
    rest.setExecutor(threads);
    rest.createContext("/", this::answerRest);
    rest.start();
    grpc = NettyServerBuilder.forAddress(any).executor(threads).addService(new Calls()).build();
    grpc.start();
  }

  String address(Subject.Protocol protocol) {
    return "127.0.0.1:"
        + (protocol == Subject.Protocol.GRPC ? grpc.getPort() : rest.getAddress().getPort());
  }

  // What a case makes of it.

  /** Has a task for the worker; returns its id. */
  String give(String handler, String payload) {
    String id = UUID.randomUUID().toString();
    work.add(
        Work.newBuilder()
            .setId(id)
            .setFence(FIRST_FENCE)
            .setHandler(handler)
            .setPriority(50)
            .setAttempt(1)
            .setPayload(ByteString.copyFromUtf8(payload))
            .build());
    return id;
  }

  boolean hasGivenAll() {
    return work.isEmpty();
  }

  /** Waits until the tasks are answers to calls. */
  void awaitGiven() throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!hasGivenAll()) {
      if (System.nanoTime() - until > 0) {
        throw new AssertionError("no call for work took the task");
      }
      TimeUnit.MILLISECONDS.sleep(10); // a queue does not tell when it is empty
    }
  }

  void refuseNextAsk(Refusal refusal) {
    askRefusals.add(refusal);
  }

  /** Keeps the next answer that has work back for some time. */
  void delayNextWork(java.time.Duration delay) {
    delays.add(delay);
  }

  void refuseNextResult(Refusal refusal) {
    resultRefusals.add(refusal);
  }

  void refuseHeartbeats(Refusal refusal) {
    heartbeatRefusal = refusal;
  }

  void answerHeartbeats(Verdict newVerdict) {
    verdict = newVerdict;
  }

  static <T> T take(BlockingQueue<T> queue) throws InterruptedException {
    T one = queue.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (one == null) {
      throw new AssertionError("the worker did not call within " + PATIENCE_SECONDS + " s");
    }
    return one;
  }

  /** Waits for the result of a task. */
  Result result(String task) throws InterruptedException {
    return take(resultsOf(task));
  }

  private BlockingQueue<Result> resultsOf(String task) {
    return resultsByTask.computeIfAbsent(task, id -> new LinkedBlockingQueue<>());
  }

  // The calls.

  private NextWorkResponse next(NextWorkRequest request)
      throws RefusedException, InterruptedException {
    asks.add(new Asked(request, System.nanoTime()));
    refuse(askRefusals.poll());
    NextWorkResponse.Builder answer =
        NextWorkResponse.newBuilder()
            .setLease(Durations.fromMillis(LEASE.toMillis()))
            .setHeartbeatInterval(INTERVAL);
    Work one = work.poll(Durations.toMillis(request.getWait()), TimeUnit.MILLISECONDS);
    if (one == null) {
      one = lapsed();
    }
    if (one == null) {
      return answer.build();
    }
    unheard.put(one.getId(), new Given(one, System.nanoTime()));
    java.time.Duration delay = delays.poll();
    if (delay != null) {
      Thread.sleep(delay);
    }
    return answer.addWork(later(one)).build();
  }

  private @Nullable Work lapsed() {
    for (Given each : List.copyOf(unheard.values())) {
      if (System.nanoTime() - each.atNanos() > LEASE.toNanos()
          && unheard.remove(each.work().getId(), each)) {
        return each.work().toBuilder().setFence(each.work().getFence() + 1).build();
      }
    }
    return null;
  }

  private HeartbeatResponse heartbeat(HeartbeatRequest request) throws RefusedException {
    request.getHeldList().forEach(one -> unheard.remove(one.getId()));
    heartbeats.add(request);
    refuse(heartbeatRefusal);
    HeartbeatResponse.Builder answer = HeartbeatResponse.newBuilder();
    request
        .getHeldList()
        .forEach(one ->
            answer.addAnswers(
                later(HeartbeatResponse.Answer.newBuilder().setVerdict(verdict).build())));
    return answer.build();
  }

  private SetResultResponse result(SetResultRequest request) throws RefusedException {
    for (Result one : request.getResultsList()) {
      unheard.remove(one.getId());
      results.add(one);
      resultsOf(one.getId()).add(one);
    }
    refuse(resultRefusals.poll());
    SetResultResponse.Builder answer = SetResultResponse.newBuilder();
    request
        .getResultsList()
        .forEach(one ->
            answer.addAnswers(
                later(SetResultResponse.Answer.newBuilder().setAccepted(true).build())));
    return answer.build();
  }

  private LeaveResponse left(LeaveRequest request) {
    leaves.add(request);
    return LeaveResponse.getDefaultInstance();
  }

  private static void refuse(@Nullable Refusal refusal) throws RefusedException {
    if (refusal != null) {
      throw new RefusedException(refusal);
    }
  }

  /** The message with a field of a later version. */
  @SuppressWarnings("unchecked")
  private static <M extends Message> M later(M message) {
    return (M)
        message.toBuilder()
            .setUnknownFields(
                UnknownFieldSet.newBuilder()
                    .addField(LATER_FIELD, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                    .build())
            .build();
  }

  // As gRPC.

  private interface Call<A> {
    A answer() throws RefusedException, InterruptedException;
  }

  private final class Calls extends WorkerServiceGrpc.WorkerServiceImplBase {
    @Override
    public void nextWork(NextWorkRequest request, StreamObserver<NextWorkResponse> to) {
      answer(() -> next(request), to);
    }

    @Override
    public void heartbeat(HeartbeatRequest request, StreamObserver<HeartbeatResponse> to) {
      answer(() -> ScriptedNode.this.heartbeat(request), to);
    }

    @Override
    public void setResult(SetResultRequest request, StreamObserver<SetResultResponse> to) {
      answer(() -> result(request), to);
    }

    @Override
    public void leave(LeaveRequest request, StreamObserver<LeaveResponse> to) {
      answer(() -> left(request), to);
    }

    private <A extends Message> void answer(Call<A> call, StreamObserver<A> to) {
      try {
        A answer = call.answer();
        to.onNext(later(answer));
        to.onCompleted();
      } catch (RefusedException e) {
        to.onError(StatusProto.toStatusRuntimeException(status(e.refusal)));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static Status status(Refusal refusal) {
    return Status.newBuilder()
        .setCode(refusal.code().getNumber())
        .setMessage("as the script wants it")
        .addDetails(Any.pack(ErrorInfo.newBuilder().setReason("NOTHING_DONE").build()))
        .addDetails(
            Any.pack(
                RetryInfo.newBuilder()
                    .setRetryDelay(Durations.fromSeconds(refusal.retryAfterSeconds()))
                    .build()))
        .build();
  }

  // As REST.

  private void answerRest(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      try {
        Message answer =
            switch (String.valueOf(exchange.getRequestURI().getPath())) {
              case "/v1/work:next" -> next(read(body, NextWorkRequest.newBuilder()).build());
              case "/v1/work:heartbeat" ->
                  heartbeat(read(body, HeartbeatRequest.newBuilder()).build());
              case "/v1/work:result" -> result(read(body, SetResultRequest.newBuilder()).build());
              case "/v1/work:leave" -> left(read(body, LeaveRequest.newBuilder()).build());
              default -> throw new RefusedException(new Refusal(Code.NOT_FOUND, 0));
            };
        send(exchange, 200, "application/json", json(answer));
      } catch (RefusedException e) {
        int seconds = e.refusal.retryAfterSeconds();
        if (seconds > 0) {
          exchange.getResponseHeaders().add("Retry-After", Integer.toString(seconds));
        }
        send(exchange, http(e.refusal.code()), "application/problem+json", problem(e.refusal));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static <B extends Message.Builder> B read(String body, B builder)
      throws RefusedException {
    try {
      JsonFormat.parser().merge(body, builder);
      return builder;
    } catch (InvalidProtocolBufferException e) {
      throw new RefusedException(new Refusal(Code.INVALID_ARGUMENT, 0));
    }
  }

  private static int http(Code code) {
    return switch (code) {
      case RESOURCE_EXHAUSTED -> 429;
      case UNAVAILABLE -> 503;
      case INVALID_ARGUMENT -> 400;
      default -> 404;
    };
  }

  private static String problem(Refusal refusal) {
    JsonObject problem = new JsonObject();
    problem.addProperty("type", "about:blank");
    problem.addProperty("status", http(refusal.code()));
    problem.addProperty("code", refusal.code().name());
    problem.addProperty("detail", "as the script wants it");
    problem.addProperty("reason", "NOTHING_DONE");
    return problem.toString();
  }

  /** Each of its objects has a member of a later version. */
  private static String json(Message answer) throws IOException {
    JsonElement whole = JsonParser.parseString(JsonFormat.printer().print(answer));
    Deque<JsonElement> left = new ArrayDeque<>();
    left.add(whole);
    while (!left.isEmpty()) {
      JsonElement one = requireNonNull(left.poll());
      if (one instanceof JsonArray array) {
        array.forEach(left::add);
      } else if (one instanceof JsonObject object) {
        object.asMap().values().forEach(left::add);
        JsonObject later = new JsonObject();
        later.addProperty("of", "a later version");
        object.add("laterField", later);
      }
    }
    return whole.toString();
  }

  private static void send(HttpExchange exchange, int status, String type, String body)
      throws IOException {
    byte[] bytes = body.getBytes(UTF_8);
    exchange.getResponseHeaders().add("Content-Type", type);
    exchange.sendResponseHeaders(status, bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  @Override
  public void close() {
    rest.stop(0);
    grpc.shutdownNow();
    threads.shutdownNow();
  }
}
