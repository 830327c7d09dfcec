package io.kairos.edge.rest;

import static java.util.Objects.requireNonNull;

import com.google.api.HttpRule;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.server.Route;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A REST route of a method, from its http annotation.
 *
 * @param template the path, with its variables in braces
 * @param variables paths of the request's fields that are in the path, such as id or pool.name
 * @param body the field that the body has, or {@value #WHOLE} when the body has all fields that are
 *     not in the path. Other fields are in the query; an empty body means that all are.
 * @param elsewhere the path by which a field is given, for fields that are only in the path of
 *     another route of the method: an object has one URL. A list of everything has no variables,
 *     and its query may have the fields by which other routes narrow it.
 */
record RestRoute(
    HttpMethod method,
    String template,
    List<String> variables,
    String body,
    Map<String, String> elsewhere) {
  static final String WHOLE = "*";
  private static final Pattern VARIABLE = Pattern.compile("\\{([\\w.]+)}");

  RestRoute {
    variables = List.copyOf(variables);
    elsewhere = Map.copyOf(elsewhere);
  }

  /** Reads a rule of the kinds that Kairos' protos use, and its additional bindings. */
  static List<RestRoute> of(HttpRule rule) {
    List<RestRoute> routes = new ArrayList<>();
    routes.add(one(rule));
    rule.getAdditionalBindingsList().forEach(more -> routes.add(one(more)));
    return routes.stream().map(route -> route.among(routes)).toList();
  }

  private RestRoute among(List<RestRoute> routes) {
    Map<String, String> others = new HashMap<>();
    if (!variables.isEmpty()) {
      routes.forEach(route -> route.variables.forEach(name -> others.put(name, route.template)));
      others.keySet().removeAll(variables);
    }
    return new RestRoute(method, template, variables, body, others);
  }

  private static RestRoute one(HttpRule rule) {
    return switch (rule.getPatternCase()) {
      case GET -> one(HttpMethod.GET, rule.getGet(), rule);
      case PUT -> one(HttpMethod.PUT, rule.getPut(), rule);
      case POST -> one(HttpMethod.POST, rule.getPost(), rule);
      case PATCH -> one(HttpMethod.PATCH, rule.getPatch(), rule);
      case DELETE -> one(HttpMethod.DELETE, rule.getDelete(), rule);
      case CUSTOM, PATTERN_NOT_SET ->
          throw new IllegalStateException(
              "REST has only GET, PUT, POST, PATCH and DELETE here: " + rule);
    };
  }

  private static RestRoute one(HttpMethod method, String template, HttpRule rule) {
    List<String> variables = new ArrayList<>();
    Matcher variable = VARIABLE.matcher(template);
    while (variable.find()) {
      variables.add(requireNonNull(variable.group(1)));
    }
    return new RestRoute(method, template, variables, rule.getBody(), Map.of());
  }

  /** The route for the server. The parameter of a variable is named by {@link #parameter}. */
  Route route() {
    if (variables.isEmpty()) {
      return Route.builder().exact(template).methods(method).build();
    }
    StringBuilder regex = new StringBuilder("^");
    Matcher variable = VARIABLE.matcher(template);
    int from = 0;
    for (int i = 0; variable.find(); i++) {
      regex.append(Pattern.quote(template.substring(from, variable.start())));
      from = variable.end();
      // Values may contain colons, except before a colon that begins a verb.
      String value = template.startsWith(":", from) ? "[^/:]+" : "[^/]+";
      regex.append("(?<").append(parameter(i)).append('>').append(value).append(')');
    }
    regex.append(Pattern.quote(template.substring(from))).append('$');
    return Route.builder().regex(regex.toString()).methods(method).build();
  }

  /** The name of a path parameter; those of fields may have characters that no group may have. */
  static String parameter(int variable) {
    return "v" + variable;
  }

  boolean takesWholeBody() {
    return body.equals(WHOLE);
  }

  /** The name of a path's last field: {@code name} of {@code pool.name}. */
  static String last(String path) {
    return path.substring(path.lastIndexOf('.') + 1);
  }
}
