package io.kairos.server.wiring;

import io.kairos.server.config.HttpConfig;
import io.kairos.server.config.RouteConfig;
import java.net.InetAddress;
import java.util.Locale;

/** What a person who has just started a node wants to know, in a few lines. */
final class Banner {
  private Banner() {}

  static String of(
      ServerConfig config, String origins, RunningNode node, boolean ready, double seconds) {
    StringBuilder text = new StringBuilder("\n");
    text.append(
        String.format(
            Locale.ROOT,
            "Kairos %s %s after %.1f s%n%n",
            Version.text(),
            ready ? "is ready" : "has started but is not ready yet",
            seconds));
    line(text, "node", node.id().map(Object::toString).orElse("no id yet"));
    Places places = node.places();
    line(
        text,
        "kafka",
        places.bootstrapServers() + (config.kafka().embedded() ? " (embedded)" : ""));
    line(text, "postgres", places.database());
    line(text, "http", url(config.http(), places.httpPort()) + " (/metrics, /healthz, /readyz)");
    if (config.kafka().embedded() || config.postgres().embedded()) {
      line(text, "data", config.node().dataDirectory().toAbsolutePath().normalize().toString());
    }
    for (RouteConfig route : config.routes()) {
      line(
          text,
          "route",
          "%s: %s → %s, dead letters %s%s"
              .formatted(
                  route.name(),
                  route.input(),
                  route.output(),
                  route.deadLetterTopic(),
                  route.resultsTopic() == null ? "" : ", results " + route.resultsTopic()));
    }
    line(text, "settings", origins + " (\"kairos config\" shows all)");
    if (!ready) {
      node.obstacles().forEach(why -> line(text, "waiting", why));
    }
    return text.append('\n').toString();
  }

  static void line(StringBuilder text, String name, String what) {
    text.append(String.format(Locale.ROOT, "  %-9s %s%n", name, what));
  }

  static String url(HttpConfig http, int port) {
    InetAddress address = http.address();
    String host = address.getHostAddress();
    return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
