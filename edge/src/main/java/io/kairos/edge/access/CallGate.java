package io.kairos.edge.access;

import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import io.kairos.edge.refusal.CallRefusals;
import io.kairos.engine.time.MonotonicClock;
import java.util.List;
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

  private static final String BEARER = "Bearer ";

  private final AccessRules rules;
  private final KnownCallers callers;
  private final WrongTokens wrong;

  /**
   * @param monotonic by which wrong tokens are counted
   */
  public CallGate(AccessRules rules, List<CallerConfig> callers, MonotonicClock monotonic) {
    this.rules = rules;
    this.callers = new KnownCallers(callers);
    this.wrong = new WrongTokens(monotonic);
  }

  @Override
  public <Q, A> Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    try {
      admit(call.getMethodDescriptor().getFullMethodName(), headers);
    } catch (StatusRuntimeException e) {
      refuse(call, e);
      return new Listener<>() {};
    }
    return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
      @Override
      public void onHalfClose() {
        try {
          super.onHalfClose();
        } catch (RuntimeException e) {
          refuse(call, CallRefusals.of(e));
        }
      }
    };
  }

  /** Ends a call with a refusal. */
  public static void refuse(ServerCall<?, ?> call, StatusRuntimeException why) {
    Metadata trailers = why.getTrailers();
    call.close(why.getStatus(), trailers == null ? new Metadata() : trailers);
  }

  private void admit(String method, Metadata headers) {
    switch (rules.of(method)) {
      case MethodAccess.Open _ -> {}
      case MethodAccess.AnyCaller _ -> identify(headers);
      case MethodAccess.Needs(CallerRole role) -> {
        Optional<CallerConfig> caller = identify(headers);
        caller.ifPresent(known -> PresentCaller.set(known, callers.othersKeys(known)));
        if (caller.isPresent() && !has(caller.get(), role)) {
          throw CallRefusals.denied(
              "%s needs the role %s, which the caller %s does not have"
                  .formatted(method, CallerConfig.word(role), caller.get().name()));
        }
      }
      case null -> throw CallRefusals.denied(method + " may be called by nobody");
    }
  }

  private static boolean has(CallerConfig caller, CallerRole role) {
    return caller.roles().contains(role) || caller.roles().contains(CallerRole.ADMIN);
  }

  /**
   * The caller; empty when no callers are configured.
   *
   * @throws StatusRuntimeException when the call has no token or an unknown one
   */
  private Optional<CallerConfig> identify(Metadata headers) {
    ServiceRequestContext request = ServiceRequestContext.current();
    if (callers.isEmpty()) {
      LocalRequest.require(request.request().headers());
      return Optional.empty();
    }
    String authorization = headers.get(AUTHORIZATION);
    if (token(authorization) == null) {
      throw CallRefusals.unauthenticated("authorization: must be Bearer and a token");
    }
    Optional<CallerConfig> caller = callers.of(request, authorization);
    if (caller.isEmpty()) {
      throw wrong.isTooMany(address(request))
          ? CallRefusals.tooManyWrongTokens()
          : CallRefusals.unauthenticated("authorization: the token is unknown");
    }
    return caller;
  }

  /** The address from which a request has come. */
  static String address(ServiceRequestContext context) {
    return context.remoteAddress().getHostString();
  }

  /** The token of a header; null when it has none. */
  static @Nullable String token(@Nullable String authorization) {
    return authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
        ? authorization.substring(BEARER.length()).strip()
        : null;
  }

  /**
   * Checks a request for something that needs no token, such as metrics.
   *
   * @throws StatusRuntimeException when there are no callers and it is not from this machine itself
   */
  public void admitPlain(RequestHeaders request) {
    if (callers.isEmpty()) {
      LocalRequest.require(request);
    }
  }
}
