package io.kairos.server.wiring;

import io.kairos.server.config.Listing;
import io.kairos.server.config.SettingsReader;
import io.kairos.server.config.SettingsSchema;
import io.kairos.server.observe.Logs;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kairos replica}: runs a replica of a replicated cron until somebody stops it. */
@Command(
    name = "replica",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a replica of a replicated cron until it is stopped (Ctrl-C or SIGTERM).",
      "Without settings it is a cluster of one, which keeps its log in ./kairos-replica. Tables are changed by \"kairos cron\"."
    },
    subcommands = ReplicaDemoCommand.class)
final class ReplicaCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaCommand.class);
  private static final Duration READY_WITHIN = Duration.ofSeconds(10);
  private static final double NANOS_PER_SECOND = 1e9;

  @Mixin private ReplicaOptions options = new ReplicaOptions();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--end-with-input",
      hidden = true,
      description = "Ends when standard input does: with the process that started it.")
  private boolean endsWithInput;

  @Override
  public Integer call() throws InterruptedException {
    long sinceNanos = System.nanoTime();
    PrintWriter out = spec.commandLine().getOut();
    SettingsReader settings = new SettingsReader(options.sources(System.getenv()));
    ReplicaConfig config = ReplicaConfig.read(settings);
    String origins = Listing.origins(settings.effective());
    Logs.configure(config.logging());
    LOG.atInfo()
        .addKeyValue("version", Version.text())
        .addKeyValue("configuration", origins)
        .log("starting");
    if (endsWithInput) {
      haltAtEnd(System.in);
    }
    try (RunningReplica replica = RunningReplica.start(config)) {
      boolean ready = replica.awaitReady(READY_WITHIN);
      switch (config.logging().format()) {
        case TEXT ->
            out.print(banner(config, origins, replica, ready, System.nanoTime() - sinceNanos));
        case JSON -> {}
      }
      out.flush();
      LOG.atInfo()
          .addKeyValue("httpPort", replica.port())
          .addKeyValue("obstacles", replica.obstacles())
          .log(ready ? "ready" : "started, but not ready yet");
      int code = replica.awaitEnd();
      if (code != ExitCode.OK) {
        LastResort.haltLater(code);
      }
      return code;
    } finally {
      // An interruption has done its work; what is closed now may wait.
      boolean _ = Thread.interrupted();
    }
  }

  @Command(
      mixinStandardHelpOptions = true,
      description =
          "Checks the configuration and prints every key with its value and, unless it is the default, where it comes from. Secrets are masked.")
  int config(
      @Mixin ReplicaOptions given,
      @Option(
              names = "--schema",
              paramLabel = "FILE",
              description =
                  "Writes a JSON Schema of the YAML file, for editors, to this file instead.")
          @Nullable Path schema)
      throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (schema != null) {
      ConfigCommand.write(out, schema, schema());
      out.flush();
      return ExitCode.OK;
    }
    SettingsReader settings = new SettingsReader(given.sources(System.getenv()));
    var _ = ReplicaConfig.read(settings);
    out.print(Listing.effective(settings.effective()));
    out.flush();
    return ExitCode.OK;
  }

  /** The file {@code docs/kairos-replica.schema.json}. */
  static String schema() {
    return SettingsSchema.of(
        "Settings of a replica of a replicated cron", ReplicaConfig.documented());
  }

  private static void haltAtEnd(InputStream in) {
    Thread.ofPlatform()
        .name("kairos-input")
        .daemon()
        .start(() -> {
          try (in) {
            while (in.read() >= 0) { // nothing is said by it
            }
          } catch (IOException e) {
            LOG.atDebug().setCause(e).log("standard input has broken");
          } finally {
            Runtime.getRuntime().halt(ExitCode.OK);
          }
        });
  }

  private static String banner(
      ReplicaConfig config, String origins, RunningReplica replica, boolean ready, long tookNanos) {
    StringBuilder text = new StringBuilder("\n");
    text.append(
        String.format(
            Locale.ROOT,
            "Kairos %s: %s of cluster %s %s after %.1f s%n%n",
            Version.text(),
            config.log().self(),
            config.log().clusterName(),
            ready ? "is ready" : "has started but is not ready yet",
            tookNanos / NANOS_PER_SECOND));
    Banner.line(text, "peers", config.log().replicas().toString());
    Banner.line(
        text,
        "http",
        Banner.url(config.http(), replica.port()) + " (/v1/cron, /metrics, /healthz, /readyz)");
    Banner.line(text, "data", config.dataDirectory().toAbsolutePath().normalize().toString());
    Banner.line(text, "settings", origins + " (\"kairos replica config\" shows all)");
    if (!ready) {
      replica.obstacles().forEach(why -> Banner.line(text, "waiting", why));
    }
    return text.append('\n').toString();
  }
}
