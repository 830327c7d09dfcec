package io.kairos.server.wiring.command;

import io.kairos.server.config.SettingsListing;
import io.kairos.server.config.SettingsReader;
import io.kairos.server.config.SettingsSchema;
import io.kairos.server.wiring.ExitCode;
import io.kairos.server.wiring.ReplicaConfig;
import io.kairos.server.wiring.RunningReplica;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
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
    subcommands = {ReplicaDemoCommand.class, ReplicaKeysCommand.class})
final class ReplicaServerCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaServerCommand.class);
  private static final Duration READY_WITHIN = Duration.ofSeconds(10);

  @Mixin private ReplicaSettingOptions options = new ReplicaSettingOptions();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--end-with-input",
      hidden = true,
      description = "Ends when standard input does: with the process that started it.")
  private boolean endsWithInput;

  @Override
  public Integer call() throws InterruptedException {
    ServerRun run = new ServerRun(spec.commandLine().getOut(), options);
    ReplicaConfig config = ReplicaConfig.read(run.settings());
    if (endsWithInput) {
      haltAtEnd(System.in);
    }
    return run.serve(
        config.logging(),
        () -> RunningReplica.start(config),
        READY_WITHIN,
        ": %s of cluster %s".formatted(config.log().self(), config.log().clusterName()),
        "kairos replica config",
        (replica, banner) -> {
          banner.line("peers", config.log().replicas().toString());
          banner.http(config.http(), replica.port(), "/v1/cron, ");
          banner.line("data", config.dataDirectory().toAbsolutePath().normalize().toString());
        });
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
}
