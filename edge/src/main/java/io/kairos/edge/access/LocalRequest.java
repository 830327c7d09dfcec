package io.kairos.edge.access;

import static java.util.Objects.requireNonNullElse;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import io.grpc.StatusRuntimeException;
import io.kairos.edge.refusal.CallRefusals;
import io.kairos.edge.refusal.Refusals;
import io.kairos.edge.session.DashboardRequest;
import io.netty.util.AsciiString;
import java.net.InetAddress;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks requests to a node that asks for no token: they must come from this machine itself, not
 * from a web page that its browser shows, and not through a proxy.
 */
final class LocalRequest {
  private static final Set<HttpMethod> READS = Set.of(HttpMethod.GET, HttpMethod.HEAD);
  private static final Set<String> OTHER_SITES = Set.of("cross-site", "same-site");
  private static final Set<AsciiString> OF_PROXIES =
      Set.of(HttpHeaderNames.FORWARDED, HttpHeaderNames.VIA, AsciiString.cached("x-real-ip"));
  private static final String OF_A_PROXY = "x-forwarded-";

  /** An IPv6 address in brackets or another host, and an optional port. */
  private static final Pattern AUTHORITY =
      Pattern.compile("(?:\\[([^\\]]*)]|([^:\\[\\]]*))(?::\\d+)?");

  private LocalRequest() {}

  /**
   * Checks one request, of gRPC, REST or for a page.
   *
   * @throws StatusRuntimeException when somebody else may stand behind it
   */
  static void require(RequestHeaders request) {
    requireLocalName(request.authority());
    requireNoProxy(request);
    requireOwnPage(request);
  }

  /**
   * A request must name this machine. That stops DNS rebinding: a web page whose name resolves to
   * the loopback address sends that name.
   */
  private static void requireLocalName(@Nullable String authority) {
    if (!isLocal(authority)) {
      throw CallRefusals.of(
          Refusals.denied(
              "without http.callers the node answers to localhost and loopback addresses only, and was"
                  + " called "
                  + authority));
    }
  }

  /** Behind a proxy every caller has a loopback address, wherever it is. */
  private static void requireNoProxy(RequestHeaders request) {
    for (AsciiString header : request.names()) {
      if (OF_PROXIES.contains(header) || header.startsWith(OF_A_PROXY)) {
        throw CallRefusals.of(
            Refusals.denied(
                "a proxy needs http.callers: without them the node serves this machine only, and this"
                    + " request has the header "
                    + header));
      }
    }
  }

  /**
   * A browser sends the requests of any page to any address, loopback included, and names the page
   * in {@code Origin} and {@code Sec-Fetch-Site}. Programs other than browsers send neither header.
   * A link to this node may be followed.
   */
  private static void requireOwnPage(RequestHeaders request) {
    String origin = request.get(HttpHeaderNames.ORIGIN);
    String site = request.get(HttpHeaderNames.SEC_FETCH_SITE);
    boolean othersOrigin = origin != null && !isOwn(origin, request);
    boolean othersSite = site != null && OTHER_SITES.contains(site.toLowerCase(Locale.ROOT));
    if (othersOrigin || (othersSite && !isLink(request))) {
      throw CallRefusals.of(
          Refusals.denied(
              "without http.callers no web page but the node's own may ask or change anything, and this"
                  + " request comes from "
                  + (origin == null ? "another site" : origin)
                  + ": configure http.callers and send a token, or call from a program"));
    }
    boolean fromPage = origin != null || "same-origin".equalsIgnoreCase(site);
    if (fromPage && !READS.contains(request.method()) && !DashboardRequest.hasHeader(request)) {
      throw CallRefusals.of(
          Refusals.denied(
              "a page's request that may change something needs the header "
                  + DashboardRequest.HEADER
                  + ": 1, which no form and no other site can send"));
    }
  }

  private static boolean isLink(RequestHeaders request) {
    return READS.contains(request.method())
        && "navigate".equals(request.get("sec-fetch-mode"))
        && "document".equals(request.get("sec-fetch-dest"));
  }

  private static boolean isOwn(String origin, RequestHeaders request) {
    String scheme = requireNonNullElse(request.scheme(), "http");
    return request.authority() != null
        && origin.equalsIgnoreCase(scheme + "://" + request.authority());
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
