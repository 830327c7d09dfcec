package io.kairos.server.wiring.command;

import io.kairos.server.config.RouteConfig;
import io.kairos.server.wiring.NodeAddresses;
import io.kairos.server.wiring.RunningNode;
import io.kairos.server.wiring.ServerConfig;
import java.time.Duration;
import java.util.concurrent.Callable;
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
      "Without settings it starts a Postgres and a Kafka of its own, keeps their data in ./kairos-data, takes delayed messages from the topic kairos.in and fires them to kairos.out.",
      "With --without-kafka it starts no Kafka, in half the time, and serves tasks, schedules and pools."
    })
final class ServerCommand implements Callable<Integer> {
  private static final Duration READY_WITHIN = Duration.ofSeconds(30);

  @Mixin private ConfigOptions options = new ConfigOptions();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    ServerRun run = new ServerRun(spec.commandLine().getOut(), options);
    ServerConfig config = ServerConfig.read(run.settings());
    return run.serve(
        config.logging(),
        () -> RunningNode.start(config),
        READY_WITHIN,
        "",
        "kairos config",
        (node, banner) -> describe(config, node, banner));
  }

  private static void describe(ServerConfig config, RunningNode node, ServerRun banner) {
    NodeAddresses places = node.places();
    boolean startsBroker = config.kafka() != null && config.kafka().embedded();
    banner.line("node", node.id().map(Object::toString).orElse("no id yet"));
    banner.line("kafka", places.bootstrapServers() + (startsBroker ? " (embedded)" : ""));
    banner.line("postgres", places.database());
    banner.http(config.http(), places.httpPort(), "");
    if (startsBroker || config.postgres().embedded()) {
      banner.line("data", config.node().dataDirectory().toAbsolutePath().normalize().toString());
    }
    for (RouteConfig route : config.routes()) {
      banner.line(
          "route",
          "%s: %s → %s, dead letters %s%s"
              .formatted(
                  route.name(),
                  route.input(),
                  route.output(),
                  route.deadLetterTopic(),
                  route.resultsTopic() == null ? "" : ", results " + route.resultsTopic()));
    }
  }
}
