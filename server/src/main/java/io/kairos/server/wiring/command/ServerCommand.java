package io.kairos.server.wiring.command;

import io.kairos.server.config.SettingsReader;
import io.kairos.server.wiring.ExitCode;
import io.kairos.server.wiring.ForcedExit;
import io.kairos.server.wiring.RunningNode;
import io.kairos.server.wiring.ServerConfig;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code kairos server}: runs a node until it is stopped. */
@Command(
    name = "server",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a node until it is stopped (Ctrl-C or SIGTERM).",
      "Without settings it starts a Postgres and a Kafka of its own, keeps their data in ./kairos-data, takes delayed messages from the topic kairos.in and fires them to kairos.out."
    })
final class ServerCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(ServerCommand.class);
  private static final Duration READY_WITHIN = Duration.ofSeconds(30);
  private static final double NANOS_PER_SECOND = 1e9;

  @Mixin private ConfigOptions options = new ConfigOptions();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    long sinceNanos = System.nanoTime();
    PrintWriter out = spec.commandLine().getOut();
    SettingsReader settings = new SettingsReader(options.sources(System.getenv()));
    ServerConfig config = ServerConfig.read(settings);
    String origins = StartBanner.starting(LOG, config.logging(), settings);
    try (RunningNode node = RunningNode.start(config)) {
      boolean ready = node.awaitReady(READY_WITHIN);
      double seconds = (System.nanoTime() - sinceNanos) / NANOS_PER_SECOND;
      switch (config.logging().format()) {
        case TEXT -> out.print(StartBanner.of(config, origins, node, ready, seconds));
        case JSON -> {}
      }
      out.flush();
      LOG.atInfo()
          .addKeyValue("node", node.id().map(Object::toString).orElse("none yet"))
          .addKeyValue("kafka", node.places().bootstrapServers())
          .addKeyValue("postgres", node.places().database())
          .addKeyValue("httpPort", node.places().httpPort())
          .addKeyValue("obstacles", node.obstacles())
          .log(ready ? "ready" : "started, but not ready yet");
      int code = node.awaitEnd();
      if (code != ExitCode.OK) {
        ForcedExit.haltLater(code);
      }
      return code;
    } finally {
      // An interruption has done its work; what is closed now may wait.
      boolean _ = Thread.interrupted();
    }
  }
}
