package io.kairos.edge.access;

import static java.util.Objects.requireNonNullElse;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import io.kairos.edge.refusal.CallRefusals;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  /** An IPv6 address in brackets or another host, and an optional port. */
  private static final Pattern AUTHORITY =
      Pattern.compile("(?:\\[([^\\]]*)]|([^:\\[\\]]*))(?::\\d+)?");

  private final AccessRules rules;
  private final KnownCallers callers;

  public CallGate(AccessRules rules, List<CallerConfig> callers) {
    this.rules = rules;
    this.callers = new KnownCallers(callers);
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
    if (callers.isEmpty()) {
      requireLocalName();
      PageOrigin.requireOwn(ServiceRequestContext.current().request().headers());
      return Optional.empty();
    }
    String authorization = headers.get(AUTHORIZATION);
    if (authorization == null
        || !authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      throw CallRefusals.unauthenticated("authorization: must be Bearer and a token");
    }
    Optional<CallerConfig> caller =
        callers.holding(authorization.substring(BEARER.length()).strip());
    if (caller.isEmpty()) {
      throw CallRefusals.unauthenticated("authorization: this token is nobody's");
    }
    return caller;
  }

  /**
   * Without tokens, a call must name this machine. That stops DNS rebinding: a web page whose name
   * resolves to the loopback address sends that name.
   */
  private static void requireLocalName() {
    String authority = ServiceRequestContext.current().request().authority();
    if (!isLocal(authority)) {
      throw CallRefusals.denied(
          "without http.callers the node answers to localhost and loopback addresses only, and was"
              + " called "
              + authority);
    }
  }

  private static boolean isLocal(@Nullable String authority) {
    if (authority == null) {
      return false;
    }
    Matcher matcher = AUTHORITY.matcher(authority);
    if (!matcher.matches()) {
      return false;
    }
    String host = requireNonNullElse(matcher.group(1), matcher.group(2));
    if (host.equals("localhost")) {
      return true;
    }
    try {
      return InetAddress.ofLiteral(host).isLoopbackAddress();
    } catch (IllegalArgumentException _) {
      return false;
    }
  }
}
