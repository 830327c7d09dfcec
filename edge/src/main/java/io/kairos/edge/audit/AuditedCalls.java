package io.kairos.edge.audit;

import com.google.protobuf.Message;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.BindableService;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.kairos.edge.access.CallGate;
import io.kairos.edge.access.CallerBudget;
import io.kairos.edge.caller.PresentCaller;
import io.kairos.edge.refusal.CallRefusals;
import io.kairos.edge.refusal.Refusals;
import io.kairos.engine.audit.AuditTrail;
import io.kairos.engine.audit.AuditedCall;
import io.kairos.engine.task.edge.AnswerCallback;
import io.kairos.engine.task.edge.NodeStopping;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets a call that the audit log must have go on only when its entry is written, and records how it
 * ended; also records what the {@link CallGate} refuses, and what a method refuses because an id
 * stands for something that the caller may not use. Runs on the connection's thread behind the
 * gate; does not block. Calls without entries cost a look-up.
 */
public final class AuditedCalls implements ServerInterceptor, CallGate.RefusalLog {
  /** Calls that wait for their entries; one caller may have half. */
  private static final int MOST_WAITING = 1_000;

  private final Map<String, AuditedMethod> methods;
  private final Set<String> audited;
  private final Supplier<Optional<AuditTrail>> process;
  private final BiConsumer<AuditedCall, String> refusals;
  private final CallerBudget waiting = new CallerBudget(MOST_WAITING);

  /**
   * @param services whose calls have entries by {@link AuditRules}
   * @param process gives the audit log; empty while the process cannot work
   * @param refusals takes refused calls and the code of gRPC, also while the process cannot work
   */
  public AuditedCalls(
      List<BindableService> services,
      Supplier<Optional<AuditTrail>> process,
      BiConsumer<AuditedCall, String> refusals) {
    this.methods = Map.copyOf(AuditedMethod.of(services));
    this.audited = AuditRules.audited(services);
    this.process = process;
    this.refusals = refusals;
  }

  @Override
  public <Q, A> Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    String name = call.getMethodDescriptor().getFullMethodName();
    AuditedMethod method = methods.get(name);
    if (method == null) { // health and reflection, which have no scope
      return next.startCall(call, headers);
    }
    if (!audited.contains(name)) {
      return PresentCaller.scope().isWhole()
          ? next.startCall(call, headers)
          : watched(new WatchedCall<>(call), headers, next);
    }
    RecordedCall<Q, A> recorded = new RecordedCall<>(call);
    return new HeldListener<>(next.startCall(recorded, headers), recorded, method);
  }

  /** Follows a call without an entry of a caller who may use some names only. */
  private static <Q, A> Listener<Q> watched(
      WatchedCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
      @Override
      public void onMessage(Q message) {
        call.request = (Message) message;
        super.onMessage(message);
      }

      @Override
      public void onHalfClose() {
        try {
          super.onHalfClose();
        } catch (RuntimeException e) {
          CallGate.refuse(call, CallRefusals.of(e));
        }
      }
    };
  }

  @Override
  public void refused(
      String fullMethodName,
      @Nullable String caller,
      String address,
      @Nullable Message request,
      Status.Code code) {
    AuditedMethod method = methods.get(fullMethodName);
    AuditedCall call =
        method == null || request == null
            ? AuditedMethod.unread(fullMethodName, caller, address)
            : method.call(caller, address, request);
    refusals.accept(call, code.name());
  }

  /** A call whose late refusal is recorded; the gate did not know what an id stands for. */
  private final class WatchedCall<Q, A> extends SimpleForwardingServerCall<Q, A> {
    private final @Nullable String caller = PresentCaller.name();
    private final String address = PresentCaller.address(ServiceRequestContext.current());
    private volatile @Nullable Message request;

    private WatchedCall(ServerCall<Q, A> call) {
      super(call);
    }

    @Override
    public void close(Status status, Metadata trailers) {
      try {
        if (status.getCode() == Status.Code.PERMISSION_DENIED) {
          String method = getMethodDescriptor().getFullMethodName();
          refused(method, caller, address, request, status.getCode());
        }
      } finally {
        super.close(status, trailers);
      }
    }
  }

  /** The entry of a call that was let through. */
  private record Entry(AuditTrail trail, long number, AuditedCall call) {
    private void end(Status.Code code) {
      trail.end(number, call, code.name());
    }
  }

  /**
   * A call whose end is recorded, also when its caller has gone: then nothing is sent, but the
   * method still says what has become of it.
   */
  private static final class RecordedCall<Q, A> extends SimpleForwardingServerCall<Q, A> {
    private final AtomicReference<@Nullable Entry> entry = new AtomicReference<>();

    private RecordedCall(ServerCall<Q, A> call) {
      super(call);
    }

    @Override
    public void sendHeaders(Metadata headers) {
      if (!isCancelled()) {
        super.sendHeaders(headers);
      }
    }

    @Override
    public void sendMessage(A message) {
      if (!isCancelled()) {
        super.sendMessage(message);
      }
    }

    @Override
    public void close(Status status, Metadata trailers) {
      Entry ended = entry.getAndSet(null);
      try {
        if (ended != null) {
          ended.end(status.getCode());
        }
      } finally {
        if (!isCancelled()) {
          super.close(status, trailers);
        }
      }
    }
  }

  /** Holds the end of the request back, at which the method begins, until the entry is written. */
  private final class HeldListener<Q, A> extends SimpleForwardingServerCallListener<Q> {
    private final RecordedCall<Q, A> call;
    private final AuditedMethod method;
    private @Nullable Q request;

    private HeldListener(Listener<Q> method, RecordedCall<Q, A> call, AuditedMethod audited) {
      super(method);
      this.call = call;
      this.method = audited;
    }

    @Override
    public void onMessage(Q message) {
      request = message;
      super.onMessage(message);
    }

    @Override
    public void onHalfClose() {
      if (!(request instanceof Message message)) {
        super.onHalfClose(); // which refuses a call without a request
        return;
      }
      ServiceRequestContext context = ServiceRequestContext.current();
      AuditedCall audited =
          method.call(PresentCaller.name(), PresentCaller.address(context), message);
      Optional<AuditTrail> found = process.get();
      if (found.isEmpty()) {
        refusals.accept(audited, Status.Code.UNAVAILABLE.name());
        throw CallRefusals.of(Refusals.notReady());
      }
      AuditTrail trail = found.get();
      String caller = PresentCaller.nameOrAddress();
      Executor connection = context.eventLoop();
      if (!waiting.take(caller, 1)) {
        throw tooMany();
      }
      boolean taken =
          trail.begin(
              audited,
              AnswerCallback.of(
                  number -> {
                    waiting.giveBack(caller, 1);
                    connection.execute(() -> letThrough(new Entry(trail, number, audited)));
                  },
                  cause -> {
                    waiting.giveBack(caller, 1);
                    connection.execute(() -> refuse(audited, cause));
                  }));
      if (!taken) {
        waiting.giveBack(caller, 1);
        throw tooMany();
      }
    }

    private static RuntimeException tooMany() {
      return CallRefusals.of(
          Refusals.tooMuch(
              "as many calls wait for their entries in the audit log as may (%d), of which one caller may have half; nothing has been done: send fewer at a time"
                  .formatted(MOST_WAITING)));
    }

    private void letThrough(Entry entry) {
      if (call.isCancelled()) {
        entry.end(Status.Code.CANCELLED);
        return;
      }
      call.entry.set(entry);
      try {
        super.onHalfClose();
      } catch (RuntimeException e) {
        CallGate.refuse(call, CallRefusals.of(e));
      }
    }

    private void refuse(AuditedCall audited, RuntimeException cause) {
      try {
        refusals.accept(audited, Status.Code.UNAVAILABLE.name());
      } finally {
        CallGate.refuse(
            call,
            cause instanceof NodeStopping
                ? CallRefusals.of(cause)
                : CallRefusals.of(Refusals.notAudited()));
      }
    }

    /**
     * Not passed on: the method would then throw at its answer, and the outcome would be unknown.
     */
    @Override
    public void onCancel() {}
  }
}
