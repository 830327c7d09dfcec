package io.kairos.edge.session;

import com.linecorp.armeria.common.Cookie;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import io.kairos.edge.caller.KnownCallers;
import io.kairos.edge.caller.Recognition;
import io.kairos.edge.caller.Session;
import io.kairos.edge.refusal.CallRefusals;
import io.kairos.edge.refusal.Refusals;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Knows callers by the cookies that their browsers keep. Nothing of a session is kept here: any
 * process with the key finds the caller anew at each request. A cookie counts only in requests of
 * the dashboard's scripts, and never beside an {@code Authorization} header. Thread-safe; does not
 * block.
 */
public final class DashboardSessions {
  private static final String COOKIE = "kairos-session";

  private final DashboardConfig config;
  private final KnownCallers callers;
  private final InstantSource clock;
  private final SealedCookie cookie;

  public DashboardSessions(
      DashboardConfig config, KnownCallers callers, SessionKeys keys, InstantSource clock) {
    this.config = config;
    this.callers = callers;
    this.clock = clock;
    this.cookie = new SealedCookie(COOKIE, "Strict", keys);
  }

  /** Lets a service know callers by their sessions. */
  public HttpService around(HttpService service) {
    return new SimpleDecoratingHttpService(service) {
      @Override
      public HttpResponse serve(ServiceRequestContext context, HttpRequest request)
          throws Exception {
        recognize(context);
        return ((HttpService) unwrap()).serve(context, request);
      }
    };
  }

  private void recognize(ServiceRequestContext request) {
    RequestHeaders headers = request.request().headers();
    if (!DashboardRequest.hasHeader(headers)) {
      return;
    }
    // Also beside a credential that a proxy adds: the pages say that they only read.
    if (config.readsOnly()) {
      DashboardRequest.restrict(request);
    }
    if (!callers.isEmpty()
        && !headers.contains(HttpHeaderNames.AUTHORIZATION)
        && cookie.isThere(request)) {
      KnownCallers.recognize(request, judge(request));
    }
  }

  private Recognition judge(ServiceRequestContext request) {
    if (!DashboardRequest.isOfOwnPage(request.request().headers())) {
      return new Recognition.Refused(
          CallRefusals.of(
              Refusals.denied(
                  "the session counts for the process's own pages only: this request may change"
                      + " something or comes from another site, and neither Sec-Fetch-Site nor Origin says"
                      + " that it is of this one")));
    }
    Session session = session(request).orElse(null);
    if (session == null) {
      return over("it was not made here, or the key of sessions has changed");
    }
    Recognition found = callers.of(session);
    return found instanceof Recognition.Wrong wrong ? over(wrong.why()) : found;
  }

  private static Recognition over(String why) {
    return new Recognition.Refused(
        CallRefusals.of(
            Refusals.unauthenticated("the session is over: " + why + "; log in again")));
  }

  /** The session of a request's cookie, whether or not it still counts. */
  public Optional<Session> session(ServiceRequestContext request) {
    return cookie.read(request).flatMap(SessionText::read);
  }

  /** The latest end of a session that begins now. */
  public Instant latestEnd() {
    return clock.instant().plus(config.sessionLength());
  }

  /** The cookie of a session; empty when it has too many roles for one. */
  public Optional<Cookie> cookie(ServiceRequestContext request, Session session) {
    return cookie.make(
        request, SessionText.of(session), Duration.between(clock.instant(), session.until()));
  }

  /** Makes the browser forget its session. */
  public Cookie noCookie(ServiceRequestContext request) {
    return cookie.none(request);
  }

  /** True when the dashboard may only read. */
  public boolean readsOnly() {
    return config.readsOnly();
  }
}
