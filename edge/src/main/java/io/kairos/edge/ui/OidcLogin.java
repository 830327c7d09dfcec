package io.kairos.edge.ui;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.linecorp.armeria.common.Cookie;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.util.TimeoutMode;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.StatusRuntimeException;
import io.kairos.edge.access.CallGate;
import io.kairos.edge.caller.Caller;
import io.kairos.edge.caller.KnownCallers;
import io.kairos.edge.caller.PresentCaller;
import io.kairos.edge.caller.Recognition;
import io.kairos.edge.caller.Session;
import io.kairos.edge.refusal.CallRefusals;
import io.kairos.edge.refusal.Refusals;
import io.kairos.edge.rest.RestErrors;
import io.kairos.edge.session.DashboardSessions;
import io.kairos.edge.session.SealedCookie;
import io.kairos.edge.session.SessionKeys;
import io.kairos.edge.ui.LoginFailedException.Problem;
import io.kairos.edge.ui.OidcProvider.Pending;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets people log in by an OpenID provider. Where a login stands is in a sealed cookie of the
 * browser that began it, so that any process with the key can complete it. Works off the threads of
 * the connections, for at most {@value #MOST_AT_A_TIME} people at a time.
 */
final class OidcLogin {
  private static final Logger LOG = LoggerFactory.getLogger(OidcLogin.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MOST_AT_A_TIME = 8;
  private static final Duration WITHIN = Duration.ofMinutes(10);

  /** Longer than two questions to an issuer. */
  private static final Duration LONGEST = Duration.ofSeconds(15);

  private static final int LONGEST_TARGET = 1_000;

  /** Of this process's own pages: no host, and nothing that a browser might take for one. */
  private static final Pattern TARGET = Pattern.compile("/ui/[\\w./?=&%:,~@+-]*");

  private final Map<String, OidcProvider> providers;
  private final KnownCallers callers;
  private final CallGate gate;
  private final DashboardSessions sessions;
  private final InstantSource clock;
  private final SealedCookie cookie;
  private final Semaphore free = new Semaphore(MOST_AT_A_TIME);

  OidcLogin(
      List<OidcProvider> providers,
      KnownCallers callers,
      CallGate gate,
      DashboardSessions sessions,
      SessionKeys keys,
      InstantSource clock) {
    this.providers =
        providers.stream().collect(Collectors.toUnmodifiableMap(OidcProvider::name, one -> one));
    this.callers = callers;
    this.gate = gate;
    this.sessions = sessions;
    this.clock = clock;
    // The issuer's page leads back here, and a strict cookie would not come along.
    this.cookie = new SealedCookie("kairos-login", "Lax", keys);
  }

  private interface Way {
    HttpResponse go() throws LoginFailedException, InterruptedException;
  }

  /** Sends the browser to the login page of an issuer. */
  HttpResponse begin(ServiceRequestContext context, HttpRequest request) {
    OidcProvider provider = providers.get(String.valueOf(context.pathParam("issuer")));
    if (provider == null) {
      return RestErrors.of(
          CallRefusals.of(Refusals.notFound("nobody logs in by an issuer of this name")));
    }
    String wanted = context.queryParam("to");
    String target =
        wanted != null && wanted.length() <= LONGEST_TARGET && TARGET.matcher(wanted).matches()
            ? wanted
            : DashboardPages.HOME;
    return aside(
        context,
        () -> {
          Pending login =
              new Pending(
                  provider.name(),
                  unguessable(),
                  unguessable(),
                  unguessable(),
                  (SealedCookie.isSecure(context) ? "https://" : "http://")
                      + context.request().authority()
                      + "/ui/callback");
          String page = provider.loginPage(login);
          Cookie made =
              cookie
                  .make(context, text(login, target), WITHIN)
                  .orElseThrow(() -> new LoginFailedException(Problem.EXPIRED, "too long"));
          return redirect(page, List.of(made));
        });
  }

  private static String unguessable() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(SessionKeys.random());
  }

  private String text(Pending login, String target) {
    return JSON.createObjectNode()
        .put("i", login.issuer())
        .put("s", login.state())
        .put("n", login.nonce())
        .put("v", login.verifier())
        .put("r", login.redirect())
        .put("to", target)
        .put("u", clock.instant().plus(WITHIN).getEpochSecond())
        .toString();
  }

  /** Completes a login: the issuer has sent the browser back. */
  HttpResponse complete(ServiceRequestContext context, HttpRequest request) {
    return aside(
        context,
        () -> {
          JsonNode begun = begun(context);
          Pending login =
              new Pending(
                  begun.path("i").asText(),
                  begun.path("s").asText(),
                  begun.path("n").asText(),
                  begun.path("v").asText(),
                  begun.path("r").asText());
          OidcProvider provider = providers.get(login.issuer());
          if (provider == null) {
            throw new LoginFailedException(Problem.EXPIRED, "the issuer is no longer known");
          }
          String token = provider.idToken(login, code(context, login, provider));
          Caller caller = caller(context, provider, login, token);
          Session session = callers.sessionOfIdToken(token, sessions.latestEnd());
          Cookie made =
              sessions
                  .cookie(context, session)
                  .orElseThrow(
                      () -> new LoginFailedException(Problem.ROLES, "too many roles for a cookie"));
          LOG.atInfo()
              .addKeyValue("caller", caller.name())
              .addKeyValue("address", PresentCaller.address(context))
              .addKeyValue("until", session.until())
              .log("logged in at the dashboard");
          return redirect(begun.path("to").asText(), List.of(made, cookie.none(context)));
        });
  }

  private JsonNode begun(ServiceRequestContext context) throws LoginFailedException {
    try {
      JsonNode begun = JSON.readTree(cookie.read(context).orElse("{}"));
      if (begun.path("u").asLong() > clock.instant().getEpochSecond()) {
        return begun;
      }
    } catch (JsonProcessingException _) {
      // of another version
    }
    throw new LoginFailedException(
        Problem.EXPIRED, "the browser has not begun a login here, or more than ten minutes ago");
  }

  private static String code(ServiceRequestContext context, Pending login, OidcProvider provider)
      throws LoginFailedException {
    String state = context.queryParam("state");
    if (state == null
        || !MessageDigest.isEqual(state.getBytes(UTF_8), login.state().getBytes(UTF_8))) {
      throw new LoginFailedException(Problem.EXPIRED, "the state is not that of the login");
    }
    String by = context.queryParam("iss"); // RFC 9207
    if (by != null && !by.equals(provider.issuer())) {
      throw new LoginFailedException(Problem.PROVIDER, "another issuer answers");
    }
    String code = context.queryParam("code");
    if (code == null) {
      throw new LoginFailedException(Problem.DENIED, "the issuer has sent no code");
    }
    return code;
  }

  private Caller caller(
      ServiceRequestContext context, OidcProvider provider, Pending login, String token)
      throws LoginFailedException {
    Recognition found =
        callers.ofIdToken(provider.name(), provider.clientId(), login.nonce(), token);
    if (found instanceof Recognition.Undecided(String why)) {
      throw new LoginFailedException(Problem.KEYS, why);
    }
    Caller caller;
    try {
      caller = gate.require(found, context);
    } catch (StatusRuntimeException e) {
      throw new LoginFailedException(Problem.TOKEN, String.valueOf(e.getMessage()));
    }
    if (caller.scopes().isEmpty()) {
      throw new LoginFailedException(
          Problem.ROLES, caller.name() + " has no role that a caller's claims name");
    }
    return caller;
  }

  /** Runs off the thread of the connection, and shows a failure on the login page. */
  private HttpResponse aside(ServiceRequestContext context, Way way) {
    if (!free.tryAcquire()) {
      return back(context, Problem.BUSY);
    }
    context.setRequestTimeout(TimeoutMode.SET_FROM_START, LONGEST);
    CompletableFuture<HttpResponse> answer;
    try {
      answer =
          CompletableFuture.supplyAsync(
              () -> go(context, way), context.blockingTaskExecutor().withoutContext());
    } catch (RejectedExecutionException _) {
      free.release();
      return back(context, Problem.BUSY);
    }
    return HttpResponse.of(answer.whenComplete((_, _) -> free.release()));
  }

  private HttpResponse go(ServiceRequestContext context, Way way) {
    try {
      return way.go();
    } catch (LoginFailedException e) {
      return failed(context, e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return failed(context, new LoginFailedException(Problem.BUSY, "the process stops"));
    }
  }

  private HttpResponse failed(ServiceRequestContext context, LoginFailedException why) {
    var _ =
        gate.wrongTokens()
            .isTooMany(
                PresentCaller.address(context), why.problem().word() + ": " + why.getMessage());
    return back(context, why.problem());
  }

  private HttpResponse back(ServiceRequestContext context, Problem problem) {
    return redirect(
        DashboardPages.HOME + "login?problem=" + problem.word(), List.of(cookie.none(context)));
  }

  private static HttpResponse redirect(String to, List<Cookie> cookies) {
    return HttpResponse.of(
        ResponseHeaders.builder(HttpStatus.SEE_OTHER)
            .set(HttpHeaderNames.LOCATION, to)
            .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
            .cookies(cookies)
            .build());
  }
}
