package io.kairos.simulator.task;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ForwardingChannelBuilder2;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A worker's connection to one node: gRPC's interface to the simulated {@link WorkerNetwork}. */
final class SimulatedChannel extends ManagedChannel {
  private final WorkerRun worker;
  private final WorkerEdge wire;

  private SimulatedChannel(WorkerRun worker, WorkerEdge wire) {
    this.worker = worker;
    this.wire = wire;
  }

  static ManagedChannelBuilder<?> builder(WorkerRun worker, WorkerEdge wire) {
    return new Builder(worker, wire);
  }

  /** Ignores the settings that clients make, and throws for any other. */
  private static final class Builder extends ForwardingChannelBuilder2<Builder> {
    private final WorkerRun worker;
    private final WorkerEdge wire;

    Builder(WorkerRun worker, WorkerEdge wire) {
      this.worker = worker;
      this.wire = wire;
    }

    @Override
    protected ManagedChannelBuilder<?> delegate() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Builder directExecutor() {
      return this;
    }

    @Override
    public Builder executor(Executor executor) {
      return this;
    }

    @Override
    public Builder maxInboundMessageSize(int bytes) {
      return this;
    }

    @Override
    public ManagedChannel build() {
      return new SimulatedChannel(worker, wire);
    }
  }

  @Override
  public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
    return new Call<>();
  }

  @Override
  public String authority() {
    return wire.toString();
  }

  @Override
  public ManagedChannel shutdown() {
    return this;
  }

  @Override
  public ManagedChannel shutdownNow() {
    return this;
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return false;
  }

  /** One request and its answer. */
  private final class Call<Q, A> extends ClientCall<Q, A> implements WorkerNetwork.Reply<A> {
    private @Nullable Listener<A> listener;
    private @Nullable Q request;
    private WorkerNetwork.@Nullable Call<?> sent;
    private boolean closed;

    @Override
    public void start(Listener<A> responses, Metadata headers) {
      listener = responses;
    }

    @Override
    public void request(int messages) {}

    @Override
    public void sendMessage(Q message) {
      request = message;
    }

    @Override
    public void halfClose() {
      Q message = request;
      if (message != null && !worker.process.isDead()) {
        sent = wire.send(message, this);
      }
    }

    @Override
    public void cancel(@Nullable String why, @Nullable Throwable cause) {
      WorkerNetwork.Call<?> call = sent;
      if (!closed && call != null) {
        call.abandon();
        close(Status.CANCELLED.withDescription(why));
      }
    }

    @Override
    public void answered(A answer) {
      Listener<A> to = listener;
      if (to != null && !closed) {
        to.onMessage(answer);
        close(Status.OK);
      }
    }

    @Override
    public void failed(boolean hasHappened) {
      close(Status.UNAVAILABLE);
    }

    private void close(Status status) {
      Listener<A> to = listener;
      if (to != null && !closed) {
        closed = true;
        to.onClose(status, new Metadata());
        worker.wakeInterrupted();
      }
    }
  }
}
