package io.kairos.client.worker;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannelBuilder;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.kairos.client.net.CallRefusal;
import io.kairos.client.net.ConnectionBuilder;
import io.kairos.client.net.GrpcMethods;
import io.kairos.client.net.GrpcRefusal;
import io.kairos.client.net.NodeChannels;
import io.kairos.client.time.ActionTimer;
import io.kairos.client.time.ActionTimer.Cancellation;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls over connections; answers come on threads of gRPC. A call that is not answered in time is
 * cancelled.
 */
record WorkerRemoteCalls(NodeChannels channels, ActionTimer timer) implements WorkerNodeCalls {
  /** Answers are handled on the thread that reads them, because that is short work. */
  static WorkerLink forWork(ConnectionBuilder<?> settings, ActionTimer timer) {
    return link(settings.channels(ManagedChannelBuilder::directExecutor), timer);
  }

  static WorkerLink forHeartbeats(
      ConnectionBuilder<?> settings, ActionTimer timer, Executor answers) {
    return link(settings.channels(channel -> channel.executor(answers)), timer);
  }

  private static WorkerLink link(NodeChannels channels, ActionTimer timer) {
    return new WorkerLink(
        new WorkerRemoteCalls(channels, timer), channels.nodes(), channels::close);
  }

  @Override
  public <A> void call(
      int node,
      Class<A> answer,
      Object request,
      Duration timeout,
      boolean waitForNode,
      Consumer<A> answered,
      Consumer<CallRefusal> failed) {
    CallOptions options =
        waitForNode ? CallOptions.DEFAULT.withWaitForReady() : CallOptions.DEFAULT;
    MethodDescriptor<Object, A> method = GrpcMethods.of(request, answer);
    ClientCall<Object, A> call = channels.to(node).newCall(method, options);
    Once<A> once = new Once<>(answered, failed);
    try {
      ClientCalls.asyncUnaryCall(call, request, once);
    } catch (RuntimeException e) {
      once.onError(e); // gRPC may throw instead of answering while a connection is being closed
    }
    once.endsBy(timer.after(timeout, () -> call.cancel("no answer within " + timeout, null)));
  }

  private static final class Once<A> implements StreamObserver<A> {
    private final Consumer<A> answered;
    private final Consumer<CallRefusal> failed;
    private final AtomicBoolean done = new AtomicBoolean();
    private volatile @Nullable Cancellation timeout;
    private @Nullable A answer;

    Once(Consumer<A> answered, Consumer<CallRefusal> failed) {
      this.answered = answered;
      this.failed = failed;
    }

    void endsBy(Cancellation newTimeout) {
      timeout = newTimeout;
      if (done.get()) {
        newTimeout.cancel();
      }
    }

    @Override
    public void onNext(A value) {
      answer = value;
    }

    @Override
    public void onCompleted() {
      A value = answer;
      if (value == null) {
        onError(io.grpc.Status.INTERNAL.withDescription("an empty answer").asRuntimeException());
      } else if (done.compareAndSet(false, true)) {
        stopTimer();
        answered.accept(value);
      }
    }

    @Override
    public void onError(Throwable thrown) {
      if (done.compareAndSet(false, true)) {
        stopTimer();
        failed.accept(GrpcRefusal.of(thrown));
      }
    }

    private void stopTimer() {
      Cancellation set = timeout;
      if (set != null) {
        set.cancel();
      }
    }
  }
}
