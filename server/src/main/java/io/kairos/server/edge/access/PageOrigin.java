package io.kairos.server.edge.access;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import io.grpc.StatusRuntimeException;
import io.kairos.server.edge.refusal.Refusals;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps web pages of others from changing a node that asks for no token. A browser sends a POST of
 * any page to any address, loopback included, and says in {@code Origin} and {@code Sec-Fetch-Site}
 * which page it was. Programs other than browsers send neither. Reads are let through: the browser
 * does not show their answers to the page.
 */
final class PageOrigin {
  private static final Set<HttpMethod> READS = Set.of(HttpMethod.GET, HttpMethod.HEAD);
  private static final Set<String> OTHER_SITES = Set.of("cross-site", "same-site");

  private PageOrigin() {}

  /**
   * Checks one request, of gRPC or REST.
   *
   * @throws StatusRuntimeException when it changes something and comes from another's page
   */
  static void requireOwn(RequestHeaders request) {
    if (READS.contains(request.method())) {
      return;
    }
    String origin = request.get(HttpHeaderNames.ORIGIN);
    String site = request.get(HttpHeaderNames.SEC_FETCH_SITE);
    boolean othersOrigin = origin != null && !isOwn(origin, request.authority());
    boolean othersSite = site != null && OTHER_SITES.contains(site.toLowerCase(Locale.ROOT));
    if (othersOrigin || othersSite) {
      throw Refusals.denied(
          "without http.callers no web page but the node's own may change anything, and this"
              + " request comes from "
              + (origin == null ? "another site" : origin)
              + ": configure http.callers and send a token, or call from a program");
    }
  }

  private static boolean isOwn(String origin, @Nullable String authority) {
    return authority != null && origin.equalsIgnoreCase("http://" + authority);
  }
}
