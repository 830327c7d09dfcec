package io.kairos.server.wiring.command;

import io.kairos.edge.access.HttpConfig;
import io.kairos.server.config.LoggingConfig;
import io.kairos.server.config.RouteConfig;
import io.kairos.server.config.SettingsListing;
import io.kairos.server.config.SettingsReader;
import io.kairos.server.observe.LoggingSetup;
import io.kairos.server.wiring.BuildVersion;
import io.kairos.server.wiring.NodeAddresses;
import io.kairos.server.wiring.RunningNode;
import io.kairos.server.wiring.ServerConfig;
import java.net.InetAddress;
import java.util.Locale;
import org.slf4j.Logger;

/** The lines that a node prints at the terminal when it has started. */
final class StartBanner {
  private StartBanner() {}

  static String of(
      ServerConfig config, String origins, RunningNode node, boolean ready, double seconds) {
    StringBuilder text = new StringBuilder("\n");
    text.append(
        String.format(
            Locale.ROOT,
            "Kairos %s %s after %.1f s%n%n",
            BuildVersion.text(),
            ready ? "is ready" : "has started but is not ready yet",
            seconds));
    line(text, "node", node.id().map(Object::toString).orElse("no id yet"));
    NodeAddresses places = node.places();
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

  /** Configures logging, logs the start, and returns the origins of the settings. */
  static String starting(Logger log, LoggingConfig logging, SettingsReader settings) {
    String origins = SettingsListing.origins(settings.effective());
    LoggingSetup.configure(logging);
    log.atInfo()
        .addKeyValue("version", BuildVersion.text())
        .addKeyValue("configuration", origins)
        .log("starting");
    return origins;
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
