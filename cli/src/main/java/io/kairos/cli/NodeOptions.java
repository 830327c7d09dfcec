package io.kairos.cli;

import io.kairos.client.KairosClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which nodes to talk to, and as whom. */
final class NodeOptions {
  @Option(
      names = "--address",
      split = ",",
      defaultValue = "${env:KAIROS_ADDRESS:-127.0.0.1:7070}",
      description =
          "Nodes, host:port separated by commas (default: KAIROS_ADDRESS, else 127.0.0.1:7070).")
  List<String> addresses = List.of();

  @Option(
      names = "--token-file",
      description =
          "File with the API token (default: the token in KAIROS_TOKEN); none is needed on loopback.")
  @Nullable Path tokenFile;

  String[] addresses() {
    return addresses.toArray(String[]::new);
  }

  /** Never from the command line, where other users of the machine could read it. */
  Optional<String> token() {
    if (tokenFile == null) {
      return Optional.ofNullable(System.getenv("KAIROS_TOKEN")).filter(token -> !token.isBlank());
    }
    try {
      return Optional.of(Files.readString(tokenFile).strip());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the token in " + tokenFile, e);
    }
  }

  KairosClient connect() {
    return client().build();
  }

  /** For settings beside these. */
  KairosClient.Builder client() {
    KairosClient.Builder builder = KairosClient.builder(addresses());
    token().ifPresent(builder::token);
    return builder;
  }
}
