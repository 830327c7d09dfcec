package io.kairos.edge.session;

import static java.util.Objects.requireNonNullElse;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.util.AttributeKey;
import java.util.Set;

/** Tells requests of the dashboard's scripts from others. */
public final class DashboardRequest {
  /**
   * The header that they send. No form and no link can send it, and a script of another site only
   * if the process allowed that by CORS, which it never does.
   */
  public static final String HEADER = "x-kairos-ui";

  private static final Set<HttpMethod> SAFE = Set.of(HttpMethod.GET, HttpMethod.HEAD);

  private static final AttributeKey<Boolean> READS_ONLY =
      AttributeKey.valueOf(DashboardRequest.class, "READS_ONLY");

  private DashboardRequest() {}

  /** True for a request with the dashboard's header. */
  public static boolean hasHeader(RequestHeaders request) {
    return "1".equals(request.get(HEADER));
  }

  /**
   * True unless a browser says that another site's page has sent the request. One that may change
   * something must say that it comes from the process's own.
   */
  public static boolean isOfOwnPage(RequestHeaders request) {
    String site = request.get(HttpHeaderNames.SEC_FETCH_SITE);
    if (site != null) {
      return site.equalsIgnoreCase("same-origin");
    }
    String origin = request.get(HttpHeaderNames.ORIGIN);
    return origin == null ? SAFE.contains(request.method()) : isOwn(origin, request);
  }

  /** Behind a proxy with TLS the page has another scheme than the request. */
  private static boolean isOwn(String origin, RequestHeaders request) {
    String authority = "://" + request.authority();
    return origin.equalsIgnoreCase(requireNonNullElse(request.scheme(), "http") + authority)
        || origin.equalsIgnoreCase("https" + authority);
  }

  /** Marks a request as one that may change nothing. */
  static void restrict(ServiceRequestContext request) {
    request.setAttr(READS_ONLY, true);
  }

  /** True for a request of a dashboard that only reads. */
  public static boolean mayOnlyRead(ServiceRequestContext request) {
    return Boolean.TRUE.equals(request.attr(READS_ONLY));
  }
}
