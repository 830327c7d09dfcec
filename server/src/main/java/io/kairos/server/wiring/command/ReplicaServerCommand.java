package io.kairos.server.wiring.command;

import io.kairos.server.config.SettingsListing;
import io.kairos.server.config.SettingsReader;
import io.kairos.server.config.SettingsSchema;
import io.kairos.server.wiring.BuildVersion;
import io.kairos.server.wiring.ExitCode;
import io.kairos.server.wiring.ForcedExit;
import io.kairos.server.wiring.ReplicaConfig;
import io.kairos.server.wiring.RunningReplica;
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

/** {@code kairos replica}: runs a replica of a replicated cron until it is stopped. */
@Command(
    name = "replica",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a replica of a replicated cron until it is stopped (Ctrl-C or SIGTERM).",
      "Without settings it is a cluster of one, which keeps its log in ./kairos-replica. Tables are changed by \"kairos cron\"."
    },
    subcommands = ReplicaDemoCommand.class)
final class ReplicaServerCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaServerCommand.class);
  private static final Duration READY_WITHIN = Duration.ofSeconds(10);
  private static final double NANOS_PER_SECOND = 1e9;

  @Mixin private ReplicaSettingOptions options = new ReplicaSettingOptions();
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
    String origins = StartBanner.starting(LOG, config.logging(), settings);
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
        ForcedExit.haltLater(code);
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
      @Mixin ReplicaSettingOptions given,
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
    out.print(SettingsListing.effective(settings.effective()));
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
            while (in.read() >= 0) { // the input has no meaning
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
            BuildVersion.text(),
            config.log().self(),
            config.log().clusterName(),
            ready ? "is ready" : "has started but is not ready yet",
            tookNanos / NANOS_PER_SECOND));
    StartBanner.line(text, "peers", config.log().replicas().toString());
    StartBanner.line(
        text,
        "http",
        StartBanner.url(config.http(), replica.port())
            + " (/v1/cron, /metrics, /healthz, /readyz)");
    StartBanner.line(text, "data", config.dataDirectory().toAbsolutePath().normalize().toString());
    StartBanner.line(text, "settings", origins + " (\"kairos replica config\" shows all)");
    if (!ready) {
      replica.obstacles().forEach(why -> StartBanner.line(text, "waiting", why));
    }
    return text.append('\n').toString();
  }
}
