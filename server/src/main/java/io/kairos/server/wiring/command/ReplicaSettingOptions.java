package io.kairos.server.wiring.command;

import io.kairos.consensus.RatisConfig;
import io.kairos.server.config.GivenSetting;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that configure a replica. */
final class ReplicaSettingOptions extends SettingOptions {
  @Option(
      names = "--id",
      paramLabel = "NUMBER",
      description = "Which of the peers it is, from 0: replica.id.")
  private @Nullable String id;

  @Option(
      names = "--peers",
      paramLabel = "HOST:PORT",
      description = "Where all replicas listen for each other, separated by commas: replica.peers.")
  private @Nullable String peers;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Where this replica keeps its log and state: replica.data-dir.")
  private @Nullable String dataDirectory;

  @Override
  List<GivenSetting> flags() {
    return Stream.of(
            given(RatisConfig.ID, id, "--id"),
            given(RatisConfig.PEERS, peers, "--peers"),
            given(RatisConfig.DATA_DIRECTORY, dataDirectory, "--data-dir"))
        .flatMap(List::stream)
        .toList();
  }
}
