package io.kairos.cli;

import java.util.List;
import picocli.CommandLine.Option;

/** Which nodes to talk to. */
final class NodeOptions extends AddressOptions {
  @Option(
      names = "--address",
      split = ",",
      defaultValue = "${env:KAIROS_ADDRESS:-127.0.0.1:7070}",
      description =
          "Nodes, host:port separated by commas (default: KAIROS_ADDRESS, else 127.0.0.1:7070).")
  List<String> addresses = List.of();

  @Override
  List<String> addresses() {
    return addresses;
  }
}
