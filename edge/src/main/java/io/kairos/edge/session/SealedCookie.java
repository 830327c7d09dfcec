package io.kairos.edge.session;

import com.linecorp.armeria.common.Cookie;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A cookie with a sealed text, which no script reads. By TLS its name begins with {@code __Host-},
 * so that no other host, and no page without TLS, can set it.
 *
 * @param name which is also the purpose of the seal
 * @param sameSite {@code Strict}, or {@code Lax} for one that a link of another site must bring
 */
public record SealedCookie(String name, String sameSite, SessionKeys keys) {
  /** As a browser accepts it. */
  private static final int MOST_CHARACTERS = 4_000;

  /** True when the browser speaks TLS, with the process or with a proxy before it. */
  public static boolean isSecure(ServiceRequestContext request) {
    return request.sessionProtocol().isTls()
        || "https".equalsIgnoreCase(request.request().headers().get("x-forwarded-proto"));
  }

  private String name(ServiceRequestContext request) {
    return isSecure(request) ? "__Host-" + name : name;
  }

  /**
   * A cookie for the sender of a request; empty when the text is too long for one.
   *
   * @param length after which the browser forgets it
   */
  public Optional<Cookie> make(ServiceRequestContext request, String text, Duration length) {
    String sealed = keys.seal(name, text);
    return sealed.length() > MOST_CHARACTERS
        ? Optional.empty()
        : Optional.of(cookie(request, sealed, length.toSeconds()));
  }

  /** Makes the browser forget the cookie. */
  public Cookie none(ServiceRequestContext request) {
    return cookie(request, "", 0);
  }

  private Cookie cookie(ServiceRequestContext request, String value, long seconds) {
    return Cookie.secureBuilder(name(request), value)
        .path("/")
        .httpOnly(true)
        .secure(isSecure(request))
        .sameSite(sameSite)
        .maxAge(seconds)
        .build();
  }

  /** True when the request has a cookie of this name. */
  public boolean isThere(ServiceRequestContext request) {
    return values(request.request().headers(), name(request)).findAny().isPresent();
  }

  /** The text of the request's cookie; empty when it has none that was sealed here. */
  public Optional<String> read(ServiceRequestContext request) {
    return values(request.request().headers(), name(request))
        .flatMap(value -> keys.open(name, value).stream())
        .findFirst();
  }

  private static Stream<String> values(RequestHeaders headers, String name) {
    return headers.cookies().stream()
        .filter(cookie -> cookie.name().equals(name))
        .map(Cookie::value);
  }
}
