package io.kairos.cli.option;

import java.util.List;
import picocli.CommandLine.Option;

/** Addresses of nodes. */
public final class NodeOptions extends AddressOptions {
  @Option(
      names = "--address",
      split = ",",
      defaultValue = "${env:KAIROS_ADDRESS:-127.0.0.1:7070}",
      description = "Nodes, host:port,... (default: KAIROS_ADDRESS, else 127.0.0.1:7070).")
  void addresses(List<String> addresses) {
    this.addresses = addresses;
  }
}
