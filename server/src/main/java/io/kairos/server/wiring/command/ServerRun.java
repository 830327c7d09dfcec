package io.kairos.server.wiring.command;

import io.kairos.edge.access.HttpConfig;
import io.kairos.server.config.LoggingConfig;
import io.kairos.server.config.SettingsListing;
import io.kairos.server.config.SettingsReader;
import io.kairos.server.observe.LoggingSetup;
import io.kairos.server.wiring.BuildVersion;
import io.kairos.server.wiring.ExitCode;
import io.kairos.server.wiring.ForcedExit;
import io.kairos.server.wiring.ServingProcess;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * One run of a node or a replica by its command: logs the start, prints a banner at the terminal,
 * and waits for the end.
 */
final class ServerRun {
  private static final Logger LOG = LoggerFactory.getLogger(ServerRun.class);
  private static final double NANOS_PER_SECOND = 1e9;

  private final long sinceNanos = System.nanoTime();
  private final PrintWriter out;
  private final SettingsReader settings;
  private final StringBuilder banner = new StringBuilder();

  ServerRun(PrintWriter out, SettingOptions options) {
    this.out = out;
    this.settings = new SettingsReader(options.sources(System.getenv()));
  }

  SettingsReader settings() {
    return settings;
  }

  /**
   * Starts a process and runs it until its end.
   *
   * @param self what the banner calls it, behind the version
   * @param command the command that shows all its settings
   * @param lines adds the banner's lines by {@link #line}
   * @return the exit code
   */
  <P extends ServingProcess> int serve(
      LoggingConfig logging,
      Supplier<P> start,
      Duration readyWithin,
      String self,
      String command,
      BiConsumer<P, ServerRun> lines)
      throws InterruptedException {
    String origins = SettingsListing.origins(settings.effective());
    LoggingSetup.configure(logging);
    LOG.atInfo()
        .addKeyValue("version", BuildVersion.text())
        .addKeyValue("configuration", origins)
        .log("starting");
    if ("root".equals(System.getProperty("user.name"))) {
      LOG.warn("runs as root and needs no right of root: run it as a user of its own");
    }
    try (P process = start.get()) {
      boolean ready = process.awaitReady(readyWithin);
      if (logging.format() == LoggingConfig.Format.TEXT) {
        banner.append(
            String.format(
                Locale.ROOT,
                "%nKairos %s%s %s after %.1f s%n%n",
                BuildVersion.text(),
                self,
                ready ? "is ready" : "has started but is not ready yet",
                (System.nanoTime() - sinceNanos) / NANOS_PER_SECOND));
        lines.accept(process, this);
        line("settings", origins + " (\"" + command + "\" shows all)");
        if (!ready) {
          process.obstacles().forEach(why -> line("waiting", why));
        }
        out.println(banner);
      }
      out.flush();
      LoggingEventBuilder event = LOG.atInfo();
      for (Map.Entry<String, ?> fact : process.facts().entrySet()) {
        event = event.addKeyValue(fact.getKey(), fact.getValue());
      }
      event
          .addKeyValue("obstacles", process.obstacles())
          .log(ready ? "ready" : "started, but not ready yet");
      int code = process.awaitEnd();
      if (code != ExitCode.OK) {
        ForcedExit.haltLater(code);
      }
      return code;
    } finally {
      // An interruption has done its work; what is closed now may wait.
      boolean _ = Thread.interrupted();
    }
  }

  void line(String name, String what) {
    banner.append(String.format(Locale.ROOT, "  %-9s %s%n", name, what));
  }

  /** The line with the edge's URL. */
  void http(HttpConfig http, int port, String paths) {
    String host = http.address().getHostAddress();
    String place = host.contains(":") ? "[" + host + "]" : host;
    line(
        "http",
        "%s://%s:%d (%s/metrics, /healthz, /readyz)".formatted(http.scheme(), place, port, paths));
  }
}
