package io.kairos.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.MessageLite;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.kairos.client.error.KairosException;
import io.kairos.client.error.QuotaExceededException;
import io.kairos.client.net.CallRefusal;
import io.kairos.client.net.CallRetries;
import io.kairos.client.net.CallSending;
import io.kairos.client.net.GrpcMethods;
import io.kairos.client.net.GrpcRefusal;
import io.kairos.client.net.NodeChannels;
import io.kairos.client.net.NodeTurns;
import io.kairos.client.time.ActionTimer;
import io.kairos.client.time.ClientTime;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Calls over connections, each at one node after the other until one answers or the attempts are
 * used up; {@link KairosClient} says which calls are repeated. Thread-safe.
 */
final class RemoteCalls implements NodeCalls {
  /** Of requests that wait for answers without a thread; each counts for at least 1 KiB. */
  private static final long MOST_PENDING_BYTES = 64 << 20;

  private static final int LEAST_BYTES = 1 << 10;

  private final NodeChannels channels;
  private final CallRetries retries;
  private final Duration timeout;
  private final ClientTime time;

  /** Runs the retries of calls that block no thread; made for the first of them. */
  private final Object timerLock = new Object();

  @GuardedBy("timerLock")
  private @Nullable ActionTimer timer;

  @GuardedBy("timerLock")
  private boolean closed;

  private final Map<Long, CompletableFuture<?>> pending = new ConcurrentHashMap<>();
  private final AtomicLong lastPending = new AtomicLong();
  private final AtomicLong pendingBytes = new AtomicLong();

  RemoteCalls(NodeChannels channels, CallTerms terms) {
    this.channels = channels;
    this.retries = new CallRetries(terms.attempts(), channels.nodes().count(), terms.chance());
    this.timeout = terms.timeout();
    this.time = terms.time();
  }

  @Override
  public Duration timeout() {
    return timeout;
  }

  @Override
  public long nanos() {
    return time.nanos();
  }

  @Override
  public <R> R now(NodeCall<?, ?, R> call) {
    return made(call);
  }

  private <Q extends MessageLite, A, R> R made(NodeCall<Q, A, R> call) {
    MethodDescriptor<Q, A> method = GrpcMethods.of(call.request(), call.answer());
    return call.meaning().apply(call(method, call.request(), call.repeatable()));
  }

  private <Q, A> A call(MethodDescriptor<Q, A> method, Q request, boolean repeatable) {
    Attempts<Q, A> attempts = new Attempts<>(method, repeatable);
    while (true) {
      Attempt attempt = attempts.next();
      try {
        A answer =
            ClientCalls.blockingUnaryCall(
                attempt.channel(), method, attempt.options(timeout), request);
        channels.nodes().works(attempt.node());
        return answer;
      } catch (StatusRuntimeException e) {
        pause(attempts.pauseAfter(attempt, e), e);
      }
    }
  }

  @Override
  public <R> CompletableFuture<R> later(NodeCall<?, ?, R> call) {
    long bytes = bytes(call);
    if (pendingBytes.addAndGet(bytes) > MOST_PENDING_BYTES) {
      pendingBytes.addAndGet(-bytes);
      return CompletableFuture.failedFuture(
          new QuotaExceededException(
              "%,d bytes of requests of this client wait for answers: wait for some of them"
                  .formatted(MOST_PENDING_BYTES),
              null,
              null));
    }
    return begun(call, bytes);
  }

  @Override
  public <R> CompletableFuture<R> further(NodeCall<?, ?, R> call) {
    long bytes = bytes(call);
    pendingBytes.addAndGet(bytes);
    return begun(call, bytes);
  }

  private static long bytes(NodeCall<?, ?, ?> call) {
    return Math.max(LEAST_BYTES, call.request().getSerializedSize());
  }

  private <Q extends MessageLite, A, R> CompletableFuture<R> begun(
      NodeCall<Q, A, R> call, long bytes) {
    CompletableFuture<R> result = new CompletableFuture<>();
    Long number = lastPending.incrementAndGet();
    pending.put(number, result);
    CompletableFuture<?> unused =
        result.whenComplete((any, failure) -> {
          pending.remove(number);
          pendingBytes.addAndGet(-bytes);
        });
    MethodDescriptor<Q, A> method = GrpcMethods.of(call.request(), call.answer());
    begin(call, new Attempts<>(method, call.repeatable()), result);
    return result;
  }

  private <Q extends MessageLite, A, R> void begin(
      NodeCall<Q, A, R> call, Attempts<Q, A> attempts, CompletableFuture<R> result) {
    if (result.isDone()) {
      return; // cancelled, or the client is closed
    }
    try {
      Attempt attempt = attempts.next();
      ClientCall<Q, A> sent = attempt.channel().newCall(attempts.method, attempt.options(timeout));
      CompletableFuture<?> unused =
          result.whenComplete((any, failure) -> {
            if (result.isCancelled()) {
              sent.cancel("its future was cancelled", null);
            }
          });
      ClientCalls.asyncUnaryCall(
          sent, call.request(), new Answer<>(call, attempts, attempt, result));
    } catch (Throwable e) { // of the supplier of the token, which is the application's
      result.completeExceptionally(e);
    }
  }

  /** Takes the answer of one attempt, on a thread of gRPC. */
  private final class Answer<Q extends MessageLite, A, R> implements StreamObserver<A> {
    private final NodeCall<Q, A, R> call;
    private final Attempts<Q, A> attempts;
    private final Attempt attempt;
    private final CompletableFuture<R> result;

    Answer(
        NodeCall<Q, A, R> call,
        Attempts<Q, A> attempts,
        Attempt attempt,
        CompletableFuture<R> result) {
      this.call = call;
      this.attempts = attempts;
      this.attempt = attempt;
      this.result = result;
    }

    @Override
    public void onNext(A answer) {
      channels.nodes().works(attempt.node());
      try {
        result.complete(call.meaning().apply(answer));
      } catch (Throwable e) { // such as a result that cannot be decrypted
        result.completeExceptionally(e);
      }
    }

    @Override
    public void onError(Throwable thrown) {
      try {
        Duration pause = attempts.pauseAfter(attempt, (StatusRuntimeException) thrown);
        after(pause, () -> begin(call, attempts, result));
      } catch (RuntimeException e) {
        result.completeExceptionally(e);
      }
    }

    @Override
    public void onCompleted() { // without an answer before, as a broken proxy may do
      result.completeExceptionally(
          new KairosException(
              attempts.method.getFullMethodName() + " ended without an answer", null));
    }
  }

  private void after(Duration pause, Runnable retry) {
    ActionTimer on;
    synchronized (timerLock) {
      if (closed) {
        throw closed();
      }
      if (timer == null) {
        timer = time.timer("kairos-retries");
      }
      on = timer;
    }
    on.after(pause, retry);
  }

  /** One attempt at one node. */
  private record Attempt(int node, Channel channel, CallSending sending) {
    CallOptions options(Duration timeout) {
      return CallOptions.DEFAULT
          .withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS)
          .withStreamTracerFactory(sending);
    }
  }

  /** The attempts of one call, which are made one after the other. */
  private final class Attempts<Q, A> {
    private final MethodDescriptor<Q, A> method;
    private final boolean repeatable;

    /** Nodes that do not do what the call asks for. */
    private final Set<Integer> without = new HashSet<>();

    private int attempt = 1;

    Attempts(MethodDescriptor<Q, A> method, boolean repeatable) {
      this.method = method;
      this.repeatable = repeatable;
    }

    Attempt next() {
      int node = channels.nodes().next(time.nanos(), without);
      return new Attempt(node, channels.to(node), new CallSending());
    }

    /** Returns the pause before the next attempt, or throws when there is none. */
    Duration pauseAfter(Attempt failed, StatusRuntimeException cause) {
      NodeTurns nodes = channels.nodes();
      CallRefusal refusal = GrpcRefusal.of(cause, failed.sending());
      if (refusal.isUnimplemented()) {
        nodes.works(failed.node());
        without.add(failed.node());
        if (without.size() < nodes.count()) {
          return Duration.ZERO;
        }
      }
      if (refusal.isUnavailable()) {
        Duration asked = refusal.retryAfter();
        nodes.failed(failed.node(), time.nanos(), asked == null ? Duration.ZERO : asked);
      }
      Duration pause =
          retries
              .after(refusal, attempt, repeatable)
              .orElseThrow(() -> failure(refusal, method, without, cause));
      attempt++;
      return pause;
    }
  }

  private KairosException failure(
      CallRefusal refusal,
      MethodDescriptor<?, ?> method,
      Set<Integer> without,
      StatusRuntimeException cause) {
    CallFailures failures =
        new CallFailures(
            method.getFullMethodName(), channels.addresses(), channels.addresses(without));
    return failures.exceptionOf(refusal, cause);
  }

  private void pause(Duration pause, StatusRuntimeException because) {
    if (pause.isZero()) {
      return;
    }
    try {
      time.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KairosException("interrupted before the call was repeated", because);
    }
  }

  private static KairosException closed() {
    return new KairosException("the client was closed before an answer came", null);
  }

  /** Closes the connections and cancels calls under way. */
  @Override
  public void close() {
    ActionTimer stopped;
    synchronized (timerLock) {
      closed = true;
      stopped = timer;
    }
    if (stopped != null) {
      stopped.close();
    }
    channels.close();
    pending.values().forEach(one -> one.completeExceptionally(closed()));
  }
}
