package io.kairos.edge.rest;

import static java.util.Objects.requireNonNull;

import com.google.api.HttpRule;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.server.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The REST route of a method, from its http annotation.
 *
 * @param variables fields of the request that are in the path
 * @param takesBody true when the other fields are in the body, false when they are in the query
 */
record RestRoute(Route route, List<String> variables, boolean takesBody) {
  private static final Pattern VARIABLE = Pattern.compile("\\{(\\w+)}");

  RestRoute {
    variables = List.copyOf(variables);
  }

  /** Reads a rule of the kinds that Kairos' protos use. */
  static RestRoute of(HttpRule rule) {
    return switch (rule.getPatternCase()) {
      case GET -> of(HttpMethod.GET, rule.getGet(), false);
      case POST -> of(HttpMethod.POST, rule.getPost(), true);
      case PATCH -> of(HttpMethod.PATCH, rule.getPatch(), true);
      case DELETE -> of(HttpMethod.DELETE, rule.getDelete(), false);
      default ->
          throw new IllegalStateException(
              "REST has only GET, POST, PATCH and DELETE here: " + rule);
    };
  }

  private static RestRoute of(HttpMethod method, String template, boolean takesBody) {
    List<String> variables = new ArrayList<>();
    StringBuilder regex = new StringBuilder("^");
    Matcher variable = VARIABLE.matcher(template);
    int from = 0;
    while (variable.find()) {
      String name = requireNonNull(variable.group(1));
      variables.add(name);
      regex.append(Pattern.quote(template.substring(from, variable.start())));
      from = variable.end();
      // A colon begins a verb, except in the last variable, whose value may contain colons.
      String rest = template.substring(from);
      regex.append("(?<").append(name).append(rest.isEmpty() ? ">[^/]+)" : ">[^/:]+)");
    }
    regex.append(Pattern.quote(template.substring(from))).append('$');
    Route route =
        variables.isEmpty()
            ? Route.builder().exact(template).methods(method).build()
            : Route.builder().regex(regex.toString()).methods(method).build();
    return new RestRoute(route, variables, takesBody);
  }
}
