package io.kairos.cli.option;

import io.kairos.client.KairosClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Addresses to call, and the token. */
public abstract class AddressOptions {
  @Option(
      names = "--token-file",
      description =
          "File with the API token, if nodes need one (default: the token in KAIROS_TOKEN).")
  @Nullable Path tokenFile;

  /** Of host:port. */
  public List<String> addresses = List.of();

  /**
   * Returns the token. It is never read from the command line, where other users of the machine
   * could see it.
   */
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

  public final KairosClient connect() {
    return client().build();
  }

  /** Returns a builder for clients with further settings. */
  public final KairosClient.Builder client() {
    return client(addresses);
  }

  /** Returns a builder for clients of other addresses, with the same token. */
  public final KairosClient.Builder client(List<String> addresses) {
    KairosClient.Builder builder = KairosClient.builder(addresses.toArray(String[]::new));
    token().ifPresent(builder::token);
    return builder;
  }
}
