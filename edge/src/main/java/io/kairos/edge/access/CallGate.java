package io.kairos.edge.access;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.kairos.edge.caller.Caller;
import io.kairos.edge.caller.CallerConfig;
import io.kairos.edge.caller.CallerScope;
import io.kairos.edge.caller.KnownCallers;
import io.kairos.edge.caller.PresentCaller;
import io.kairos.edge.caller.Recognition;
import io.kairos.edge.caller.WrongTokens;
import io.kairos.edge.refusal.CallRefusals;
import io.kairos.edge.refusal.Refusals;
import io.kairos.edge.session.DashboardRequest;
import io.kairos.engine.time.MonotonicClock;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks every call, by gRPC or REST: authenticates the caller, checks the role, and turns
 * exceptions into refusals. Runs on the connection's thread; does not block.
 */
public final class CallGate implements ServerInterceptor {
  /** The header with a caller's token. */
  public static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  /** Is told of refused calls, on the connection's thread. */
  public interface RefusalLog {
    /**
     * A call was refused.
     *
     * @param caller null when it is not known
     * @param request null when it has not been read
     */
    void refused(
        String fullMethodName,
        @Nullable String caller,
        String address,
        @Nullable Message request,
        Status.Code code);
  }

  private final AccessRules rules;
  private final KnownCallers callers;
  private final WrongTokens wrong;
  private final RefusalLog refusals;

  /**
   * A gate.
   *
   * @param monotonic by which wrong tokens are counted
   * @param refusals is told of every call that is not let in
   */
  public CallGate(
      AccessRules rules, KnownCallers callers, MonotonicClock monotonic, RefusalLog refusals) {
    this.rules = rules;
    this.callers = callers;
    this.wrong = new WrongTokens(monotonic);
    this.refusals = refusals;
  }

  /** The wrong tokens and failed logins that were counted. */
  public WrongTokens wrongTokens() {
    return wrong;
  }

  @Override
  public <Q, A> Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    String method = call.getMethodDescriptor().getFullMethodName();
    Optional<NameLimit> limit;
    try {
      limit = admit(method, headers);
    } catch (StatusRuntimeException e) {
      refuse(call, null, e);
      return new Listener<>() {};
    }
    return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
      private boolean refused;

      @Override
      public void onMessage(Q message) {
        try {
          limit.ifPresent(some -> some.check((Message) message));
        } catch (StatusRuntimeException e) {
          refused = true;
          refuse(call, (Message) message, e);
          return;
        }
        super.onMessage(message);
      }

      @Override
      public void onHalfClose() {
        if (refused) {
          return;
        }
        try {
          super.onHalfClose();
        } catch (RuntimeException e) {
          refuse(call, CallRefusals.of(e));
        }
      }
    };
  }

  /** Refuses a call at the gate: records that first, and answers also when that fails. */
  private void refuse(
      ServerCall<?, ?> call, @Nullable Message request, StatusRuntimeException why) {
    try {
      refusals.refused(
          call.getMethodDescriptor().getFullMethodName(),
          PresentCaller.name(),
          PresentCaller.address(ServiceRequestContext.current()),
          request,
          why.getStatus().getCode());
    } catch (RuntimeException e) {
      var _ = CallRefusals.of(e); // logs it
    }
    refuse(call, why);
  }

  /** Ends a call with a refusal. */
  public static void refuse(ServerCall<?, ?> call, StatusRuntimeException why) {
    Metadata trailers = why.getTrailers();
    call.close(why.getStatus(), trailers == null ? new Metadata() : trailers);
  }

  /** The limits of the caller; empty for one without limits, who may send any request. */
  private Optional<NameLimit> admit(String method, Metadata headers) {
    ConnectionRefusal.requireNone();
    if (DashboardRequest.mayOnlyRead(ServiceRequestContext.current()) && !rules.isRead(method)) {
      throw CallRefusals.of(
          Refusals.denied(
              method
                  + " may change something, and the dashboard only reads here: http.ui-read-only"));
    }
    return switch (rules.of(method)) {
      case MethodAccess.Open _ -> Optional.empty();
      case MethodAccess.AnyCaller _ -> {
        identify(headers);
        yield Optional.empty();
      }
      case MethodAccess.Needs needs ->
          identify(headers).flatMap(caller -> admit(method, caller, needs));
      case null -> throw CallRefusals.of(Refusals.denied(method + " may be called by nobody"));
    };
  }

  private static Optional<NameLimit> admit(String method, Caller caller, MethodAccess.Needs needs) {
    CallerScope scope = caller.scope(needs.role());
    PresentCaller.set(caller, scope == null ? CallerScope.WHOLE : scope);
    if (scope == null) {
      throw CallRefusals.of(
          Refusals.denied(
              "%s needs the role %s, which the caller %s does not have"
                  .formatted(method, CallerConfig.word(needs.role()), caller.name())));
    }
    return scope.isWhole()
        ? Optional.empty()
        : Optional.of(new NameLimit(method, caller, scope, needs));
  }

  /**
   * The caller; empty when no callers are configured.
   *
   * @throws StatusRuntimeException when the call has no token or an unknown one
   */
  private Optional<Caller> identify(Metadata headers) {
    ServiceRequestContext request = ServiceRequestContext.current();
    if (callers.isEmpty()) {
      LocalRequest.require(request.request().headers());
      PresentCaller.setNone();
      return Optional.empty();
    }
    return Optional.of(require(callers.of(request, headers.get(AUTHORIZATION)), request));
  }

  /**
   * The caller that a request's credentials name. Wrong ones are counted for the address.
   *
   * @throws StatusRuntimeException when they name none
   */
  public Caller require(Recognition found, ServiceRequestContext request) {
    return switch (found) {
      case Recognition.Known(Caller caller) -> caller;
      case Recognition.Refused(StatusRuntimeException why) -> throw why;
      case Recognition.Missing _ ->
          throw CallRefusals.of(
              Refusals.unauthenticated("authorization: must be Bearer and a token"));
      case Recognition.Undecided(String why) ->
          throw CallRefusals.of(Refusals.notYet("authorization: " + why));
      case Recognition.Wrong(String told, String why) ->
          throw wrong.isTooMany(PresentCaller.address(request), why)
              ? CallRefusals.of(Refusals.tooManyWrongTokens())
              : CallRefusals.of(Refusals.unauthenticated("authorization: " + told));
    };
  }

  /**
   * Checks the present request, for something that needs no token, such as metrics.
   *
   * @throws StatusRuntimeException when there are no callers and it is not from this machine
   *     itself, or because of its connection
   */
  public void admitPlain(RequestHeaders request) {
    ConnectionRefusal.requireNone();
    if (callers.isEmpty()) {
      LocalRequest.require(request);
    }
  }
}
