package io.kairos.server.config;

import io.kairos.engine.setting.Setting;
import java.nio.file.Path;
import java.time.Duration;

/** Settings of the whole node. */
public record NodeConfig(
    @Setting(
            key = DATA_DIRECTORY,
            defaultValue = "kairos-data",
            description =
                "Where the embedded Postgres and Kafka keep their data. A relative path counts from the current folder.")
        Path dataDirectory,
    @Setting(
            key = "node.start-timeout",
            defaultValue = "1m",
            description =
                "How long the start may wait for a database that does not answer; then the node gives up and exits.")
        Duration startTimeout,
    @Setting(
            key = "node.loops",
            defaultValue = "internal",
            description =
                "What runs the node's steps: internal, its own loops; external, polls by POST /v1/poll; see docs/operations.md.")
        LoopDriver loops) {
  public static final String DATA_DIRECTORY = "node.data-dir";
}
