package io.kairos.server.wiring.command;

import io.kairos.consensus.RatisConfig;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that configure a replica. */
final class ReplicaSettingOptions extends SettingOptions {
  @Option(
      names = "--id",
      paramLabel = "NUMBER",
      description = "Which of the peers it is, from 0: replica.id.")
  void id(@Nullable String text) {
    give(RatisConfig.ID, text, "--id");
  }

  @Option(
      names = "--peers",
      paramLabel = "HOST:PORT",
      description = "Where all replicas listen for each other, separated by commas: replica.peers.")
  void peers(@Nullable String text) {
    give(RatisConfig.PEERS, text, "--peers");
  }

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Where this replica keeps its log and state: replica.data-dir.")
  void dataDirectory(@Nullable String text) {
    give(RatisConfig.DATA_DIRECTORY, text, "--data-dir");
  }
}
