package io.kairos.bench.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/**
 * A request of a screen of the dashboard.
 *
 * @param screen the name of its module
 * @param what it asks for
 * @param everySeconds time between an answer and the next request while the screen is open; {@link
 *     #ONCE} when it is opened, {@link #CHOSEN} for what people choose there
 * @param target path and query at a moment
 * @param body JSON of a POST; empty for a GET
 */
record ScreenCall(
    String screen, String what, int everySeconds, Function<Instant, String> target, String body) {
  static final int ONCE = 0;
  static final int CHOSEN = -1;

  /**
   * Path and query.
   *
   * @param parameters names and values in turn; a list is a name with several values, and what is
   *     empty is left out
   */
  static String target(String path, Object... parameters) {
    StringBuilder target = new StringBuilder(path);
    for (int i = 0; i < parameters.length; i += 2) {
      for (Object value :
          parameters[i + 1] instanceof List<?> all ? all : List.of(parameters[i + 1])) {
        if (!value.toString().isEmpty()) {
          target
              .append(target.indexOf("?") < 0 ? '?' : '&')
              .append(parameters[i])
              .append('=')
              .append(URLEncoder.encode(value.toString(), UTF_8));
        }
      }
    }
    return target.toString();
  }

  @Override
  public String toString() {
    return screen + ": " + what;
  }
}
