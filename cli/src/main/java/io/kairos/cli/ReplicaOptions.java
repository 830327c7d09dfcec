package io.kairos.cli;

import java.util.List;
import picocli.CommandLine.Option;

/** Which replicas of a replicated cron to talk to. */
final class ReplicaOptions extends AddressOptions {
  @Option(
      names = "--address",
      split = ",",
      defaultValue = "${env:KAIROS_CRON_ADDRESS:-127.0.0.1:7171}",
      description =
          "Replicas, host:port separated by commas (default: KAIROS_CRON_ADDRESS, else"
              + " 127.0.0.1:7171).")
  List<String> addresses = List.of();

  @Override
  List<String> addresses() {
    return addresses;
  }
}
