package io.kairos.server.edge.access;

import static java.util.Objects.requireNonNullElse;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import io.kairos.server.config.CallerConfig;
import io.kairos.server.config.Role;
import io.kairos.server.edge.refusal.Refusals;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where every call comes through, by gRPC or by REST: says who calls, whether they may, and what a
 * refusal is. On the connection's thread; does not block.
 */
public final class Gate implements ServerInterceptor {
  /** Where a caller's token stands. */
  public static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private static final String BEARER = "Bearer ";

  /** An IPv6 address in brackets, or any other host, and perhaps a port. */
  private static final Pattern AUTHORITY =
      Pattern.compile("(?:\\[([^\\]]*)]|([^:\\[\\]]*))(?::\\d+)?");

  private final AccessRules rules;
  private final Callers callers;

  public Gate(AccessRules rules, List<CallerConfig> callers) {
    this.rules = rules;
    this.callers = new Callers(callers);
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
          refuse(call, Refusals.of(e));
        }
      }
    };
  }

  private static void refuse(ServerCall<?, ?> call, StatusRuntimeException why) {
    Metadata trailers = why.getTrailers();
    call.close(why.getStatus(), trailers == null ? new Metadata() : trailers);
  }

  private void admit(String method, Metadata headers) {
    switch (rules.of(method)) {
      case Access.Open _ -> {}
      case Access.AnyCaller _ -> identify(headers);
      case Access.Needs(Role role) -> {
        Optional<CallerConfig> caller = identify(headers);
        if (caller.isPresent() && !has(caller.get(), role)) {
          throw Refusals.denied(
              "%s needs the role %s, which the caller %s does not have"
                  .formatted(method, CallerConfig.word(role), caller.get().name()));
        }
      }
      case null -> throw Refusals.denied(method + " may be called by nobody");
    }
  }

  private static boolean has(CallerConfig caller, Role role) {
    return caller.roles().contains(role) || caller.roles().contains(Role.ADMIN);
  }

  /**
   * Who calls; empty while nobody is configured.
   *
   * @throws StatusRuntimeException when nobody is known by what the call says
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
      throw Refusals.unauthenticated("authorization: must be Bearer and a token");
    }
    Optional<CallerConfig> caller =
        callers.holding(authorization.substring(BEARER.length()).strip());
    if (caller.isEmpty()) {
      throw Refusals.unauthenticated("authorization: this token is nobody's");
    }
    return caller;
  }

  /**
   * Without tokens only whoever means this machine may call: a web page that has its own name
   * resolved to the loopback address comes with that name.
   */
  private static void requireLocalName() {
    String authority = ServiceRequestContext.current().request().authority();
    if (!isLocal(authority)) {
      throw Refusals.denied(
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
