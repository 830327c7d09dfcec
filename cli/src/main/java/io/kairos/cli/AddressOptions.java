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

/** Whom to talk to, and as whom. */
abstract class AddressOptions {
  @Option(
      names = "--token-file",
      description =
          "File with the API token (default: the token in KAIROS_TOKEN); none is needed where no"
              + " http.callers are configured.")
  @Nullable Path tokenFile;

  /** Of host:port. */
  abstract List<String> addresses();

  /** Never from the command line, where other users of the machine could read it. */
  final Optional<String> token() {
    if (tokenFile == null) {
      return Optional.ofNullable(System.getenv("KAIROS_TOKEN")).filter(token -> !token.isBlank());
    }
    try {
      return Optional.of(Files.readString(tokenFile).strip());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the token in " + tokenFile, e);
    }
  }

  final KairosClient connect() {
    return client().build();
  }

  /** For settings beside these. */
  final KairosClient.Builder client() {
    return client(addresses());
  }

  /** For others than those that are named, as the same. */
  final KairosClient.Builder client(List<String> addresses) {
    KairosClient.Builder builder = KairosClient.builder(addresses.toArray(String[]::new));
    token().ifPresent(builder::token);
    return builder;
  }
}
