package io.kairos.server.config;

import java.nio.file.Path;
import java.time.Duration;

/**
 * The node as a whole.
 *
 * @param dataDirectory of the embedded engines, kept between runs
 * @param startTimeout how long the start may wait for a database or a broker that does not answer
 * @param loops who has it look for what time has made due
 */
public record NodeConfig(Path dataDirectory, Duration startTimeout, Loops loops) {
  public static final String DATA_DIRECTORY = "node.data-dir";

  public static NodeConfig read(Settings settings) {
    return new NodeConfig(
        Path.of(
            settings.value(
                DATA_DIRECTORY,
                Kind.TEXT,
                "kairos-data",
                "Where the embedded Postgres and Kafka keep their data. A relative path counts from the current folder.")),
        settings.value(
            "node.start-timeout",
            Kind.DURATION,
            Duration.ofMinutes(1),
            "How long the start may wait for a database or a broker that does not answer; then the node gives up and exits."),
        settings.value(
            "node.loops",
            Kind.oneOf(Loops.class),
            Loops.INTERNAL,
            "Who has the node look for what time has made due: internal is the node itself, external whoever polls it by POST /v1/poll; see docs/operations.md."));
  }
}
