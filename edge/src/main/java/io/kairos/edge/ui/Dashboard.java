package io.kairos.edge.ui;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Route;
import com.linecorp.armeria.server.RouteBuilder;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import io.kairos.edge.access.AccessRules;
import io.kairos.edge.access.CallGate;
import io.kairos.edge.access.HttpConfig;
import io.kairos.edge.caller.KnownCallers;
import io.kairos.edge.session.DashboardSessions;
import io.kairos.edge.session.SessionKeys;
import io.kairos.engine.loop.Step;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dashboard: pages for browsers below {@code /ui/}, which call the process's REST API, and
 * their sessions. It calls nothing of the process itself.
 */
public final class Dashboard {
  private static final Logger LOG = LoggerFactory.getLogger(Dashboard.class);

  private final HttpConfig config;
  private final KnownCallers callers;
  private final InstantSource clock;
  private final DashboardFiles files;
  private final SessionKeys keys;
  private final DashboardSessions sessions;

  private Dashboard(
      HttpConfig config, KnownCallers callers, InstantSource clock, DashboardFiles files) {
    this.config = config;
    this.callers = callers;
    this.clock = clock;
    this.files = files;
    this.keys = new SessionKeys(config.dashboard().sessionKeyFile());
    this.sessions = new DashboardSessions(config.dashboard(), callers, keys, clock);
  }

  /**
   * The dashboard of a port; empty where it is off, or its pages are not on the class path.
   *
   * @throws io.kairos.edge.caller.UnusableCredentialsException when the key of sessions cannot be
   *     used
   */
  public static Optional<Dashboard> of(
      HttpConfig config, KnownCallers callers, InstantSource clock) {
    if (!config.servesDashboard()) {
      return Optional.empty();
    }
    Optional<DashboardFiles> files = DashboardFiles.find();
    if (files.isEmpty() && config.dashboard().isOn().isPresent()) {
      LOG.warn("http.ui is true, and the pages of the dashboard are not on the class path");
    }
    return files.map(found -> new Dashboard(config, callers, clock, found));
  }

  /** Lets a service know callers by their sessions. */
  public HttpService knowing(HttpService service) {
    return sessions.around(service);
  }

  /** Steps that read credentials again when they change; they block. */
  public List<Step> upkeep() {
    return keys.upkeep().stream().toList();
  }

  /**
   * Adds the pages.
   *
   * @param plain admits and bounds requests for what needs no token
   * @param process asked at each look at a session
   */
  public void open(
      ServerBuilder server,
      UnaryOperator<HttpService> plain,
      CallGate gate,
      AccessRules rules,
      Supplier<ProcessFacts> process) {
    UnaryOperator<HttpService> served = page -> guarded(sessions.around(plain.apply(page)));
    List<OidcProvider> providers =
        config.callers().issuers().stream()
            .flatMap(issuer -> OidcProvider.of(issuer).stream())
            .toList();
    SessionPage session =
        new SessionPage(
            callers,
            gate,
            rules,
            sessions,
            providers.stream().map(OidcProvider::name).toList(),
            config.dashboard().traceUrl(),
            process);
    OidcLogin login = new OidcLogin(providers, callers, gate, sessions, keys, clock);
    server
        .service(
            get(Route.builder().exact("/ui")),
            served.apply((_, _) -> HttpResponse.ofRedirect(HttpStatus.FOUND, DashboardPages.HOME)))
        .service(
            get(Route.builder().pathPrefix(DashboardPages.HOME)),
            served.apply(new DashboardPages(files)))
        .service(get(Route.builder().exact("/ui/session")), served.apply(session::show))
        .service(post("/ui/login"), served.apply(session::login))
        .service(post("/ui/logout"), served.apply(session::logout))
        .service(get(Route.builder().path("/ui/login/{issuer}")), served.apply(login::begin))
        .service(get(Route.builder().exact("/ui/callback")), served.apply(login::complete));
  }

  private static Route get(RouteBuilder path) {
    return path.methods(HttpMethod.GET, HttpMethod.HEAD).build();
  }

  private static Route post(String path) {
    return Route.builder().exact(path).methods(HttpMethod.POST).build();
  }

  /** Tells browsers what pages may do: load from this process only, and be in no frame. */
  private HttpService guarded(HttpService page) {
    return new SimpleDecoratingHttpService(page) {
      @Override
      public HttpResponse serve(ServiceRequestContext context, HttpRequest request)
          throws Exception {
        return ((HttpService) unwrap())
            .serve(context, request)
            .mapHeaders(headers ->
                headers.toBuilder()
                    .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, files.policy())
                    .set(HttpHeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff")
                    .set(HttpHeaderNames.REFERRER_POLICY, "no-referrer")
                    .build());
      }
    };
  }
}
