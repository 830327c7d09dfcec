package io.kairos.cli.option;

import java.util.List;
import picocli.CommandLine.Option;

/** Addresses of the replicas of a replicated cron. */
public final class ReplicaOptions extends AddressOptions {
  @Option(
      names = "--address",
      split = ",",
      defaultValue = "${env:KAIROS_CRON_ADDRESS:-127.0.0.1:7171}",
      description = "Replicas, host:port,... (default: KAIROS_CRON_ADDRESS, else 127.0.0.1:7171).")
  void addresses(List<String> addresses) {
    this.addresses = addresses;
  }
}
