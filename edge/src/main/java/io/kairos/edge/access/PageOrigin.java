package io.kairos.edge.access;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import io.grpc.StatusRuntimeException;
import io.kairos.edge.refusal.CallRefusals;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps foreign web pages from changing a node that asks for no token. A browser sends the POST of
 * any page to any address, loopback included, and names the page in {@code Origin} and {@code
 * Sec-Fetch-Site}. Programs other than browsers send neither header. Reads are permitted, because
 * the browser does not show the answers to the page.
 */
final class PageOrigin {
  private static final Set<HttpMethod> READS = Set.of(HttpMethod.GET, HttpMethod.HEAD);
  private static final Set<String> OTHER_SITES = Set.of("cross-site", "same-site");

  private PageOrigin() {}

  /**
   * Checks one request, of gRPC or REST.
   *
   * @throws StatusRuntimeException when the request may change something and comes from a foreign
   *     page
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
      throw CallRefusals.denied(
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
