package io.kairos.edge.ui;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.Cookie;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.StatusRuntimeException;
import io.kairos.edge.access.AccessRules;
import io.kairos.edge.access.CallGate;
import io.kairos.edge.caller.Caller;
import io.kairos.edge.caller.CallerConfig;
import io.kairos.edge.caller.CallerRole;
import io.kairos.edge.caller.KnownCallers;
import io.kairos.edge.caller.PresentCaller;
import io.kairos.edge.caller.Recognition;
import io.kairos.edge.caller.Session;
import io.kairos.edge.refusal.CallRefusals;
import io.kairos.edge.refusal.Refusals;
import io.kairos.edge.rest.RestErrors;
import io.kairos.edge.session.DashboardRequest;
import io.kairos.edge.session.DashboardSessions;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a browser its session, begins one by a token, and ends it. Runs on the threads of the
 * connections; does not block.
 */
final class SessionPage {
  private static final Logger LOG = LoggerFactory.getLogger(SessionPage.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final KnownCallers callers;
  private final CallGate gate;
  private final AccessRules rules;
  private final DashboardSessions sessions;
  private final List<String> issuers;
  private final Optional<String> traceUrl;
  private final Supplier<ProcessFacts> process;

  /**
   * @param issuers names of those by which somebody can log in
   * @param traceUrl where the page of a trace is, with {trace_id} in place of its id
   */
  SessionPage(
      KnownCallers callers,
      CallGate gate,
      AccessRules rules,
      DashboardSessions sessions,
      List<String> issuers,
      Optional<String> traceUrl,
      Supplier<ProcessFacts> process) {
    this.callers = callers;
    this.gate = gate;
    this.rules = rules;
    this.sessions = sessions;
    this.issuers = List.copyOf(issuers);
    this.traceUrl = traceUrl;
    this.process = process;
  }

  /** Who the sender of the request is, and what they may call. */
  HttpResponse show(ServiceRequestContext context, HttpRequest request) {
    if (callers.isEmpty()) {
      return answer("none", null, null, List.of());
    }
    String authorization = request.headers().get(HttpHeaderNames.AUTHORIZATION);
    Recognition found = callers.of(context, authorization);
    if (authorization != null) {
      try {
        return answer("done", gate.require(found, context), null, List.of());
      } catch (StatusRuntimeException e) {
        return RestErrors.of(e);
      }
    }
    return found instanceof Recognition.Known(Caller caller)
        ? answer("done", caller, sessions.session(context).orElse(null), List.of())
        : answer("needed", null, null, List.of());
  }

  /** Begins a session of whoever has the token in the body. */
  HttpResponse login(ServiceRequestContext context, HttpRequest request) {
    return HttpResponse.of(
        request
            .aggregate(context.eventLoop())
            .handle((whole, failure) -> {
              try {
                if (whole == null) {
                  throw CallRefusals.of(requireNonNull(failure));
                }
                return login(context, whole);
              } catch (StatusRuntimeException e) {
                return RestErrors.of(e);
              }
            }));
  }

  private HttpResponse login(ServiceRequestContext context, AggregatedHttpRequest request) {
    requireOwnPage(request.headers());
    if (callers.isEmpty()) {
      throw CallRefusals.of(
          Refusals.notInState(
              "nobody needs to log in here: no callers are configured, see http.callers"));
    }
    String token = token(request);
    Caller caller = gate.require(callers.ofToken(token, PresentCaller.address(context)), context);
    Session session = callers.session(token, sessions.latestEnd());
    Cookie cookie = sessions.cookie(context, session).orElseThrow(SessionPage::tooManyRoles);
    LOG.atInfo()
        .addKeyValue("caller", caller.name())
        .addKeyValue("address", PresentCaller.address(context))
        .addKeyValue("until", session.until())
        .log("logged in at the dashboard");
    return answer("done", caller, session, List.of(cookie));
  }

  static StatusRuntimeException tooManyRoles() {
    return CallRefusals.of(Refusals.denied("the token has more roles than a cookie can hold"));
  }

  private static String token(AggregatedHttpRequest request) {
    MediaType type = request.contentType();
    if (type == null || !type.isJson()) {
      throw CallRefusals.of(Refusals.invalid("content-type: must be application/json"));
    }
    try {
      JsonNode token = JSON.readTree(request.contentUtf8()).path("token");
      if (token.isTextual() && !token.asText().isBlank()) {
        return token.asText().strip();
      }
    } catch (JsonProcessingException _) {
      // Its message might show a part of the token.
    }
    throw CallRefusals.of(
        Refusals.invalid("token: must be the token of a caller, in a JSON object"));
  }

  /** Ends the session of this browser. */
  HttpResponse logout(ServiceRequestContext context, HttpRequest request) {
    try {
      requireOwnPage(request.headers());
    } catch (StatusRuntimeException e) {
      return RestErrors.of(e);
    }
    return answer(
        callers.isEmpty() ? "none" : "needed", null, null, List.of(sessions.noCookie(context)));
  }

  private static void requireOwnPage(RequestHeaders request) {
    if (!DashboardRequest.hasHeader(request) || !DashboardRequest.isOfOwnPage(request)) {
      throw CallRefusals.of(
          Refusals.denied(
              "only the dashboard's own page may log in or out: the request needs the header "
                  + DashboardRequest.HEADER
                  + ": 1, and Sec-Fetch-Site or Origin of the same origin"));
    }
  }

  private HttpResponse answer(
      String login, @Nullable Caller caller, @Nullable Session session, List<Cookie> cookies) {
    ProcessFacts facts = process.get();
    ObjectNode told = JSON.createObjectNode();
    told.put("kind", facts.kind()).put("version", facts.version()).put("login", login);
    boolean needsLogin = login.equals("needed");
    if (caller != null) {
      told.put("caller", caller.name());
    }
    Stream<CallerRole> roles =
        caller == null
            ? Stream.of(needsLogin ? new CallerRole[0] : CallerRole.values())
            : caller.scopes().keySet().stream().sorted();
    roles.map(CallerConfig::word).forEach(told.putArray("roles")::add);
    told.put("readOnly", sessions.readsOnly());
    issuers.forEach(told.putArray("issuers")::add);
    if (session != null) {
      told.put("expiresAt", session.until().truncatedTo(ChronoUnit.SECONDS).toString());
    }
    ObjectNode methods = told.putObject("methods");
    if (!needsLogin) {
      traceUrl.ifPresent(url -> told.put("traceUrl", url));
      rules.callable(caller, sessions.readsOnly()).forEach(method -> methods.put(method, true));
    }
    ResponseHeadersBuilder headers =
        ResponseHeaders.builder(HttpStatus.OK)
            .contentType(MediaType.JSON_UTF_8)
            .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
            .cookies(cookies);
    return HttpResponse.of(headers.build(), HttpData.ofUtf8(told + "\n"));
  }
}
