package io.kairos.cli.option;

import io.kairos.cli.context.Context;
import io.kairos.cli.context.ContextFile;
import io.kairos.cli.text.OutputFormat;
import io.kairos.client.KairosClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * The options of all commands, before or behind the command: whom to call, with which token, and
 * how to print the answer. What is left out comes from the context of {@code --context}, else from
 * the environment, else from the context in use. A context in use is put aside, with its token,
 * when the addresses come from elsewhere.
 */
public final class CallOptions {
  private static final String CONTEXT_VARIABLE = "KAIROS_CONTEXT";
  private static final String TOKEN_VARIABLE = "KAIROS_TOKEN";

  private final Map<String, String> environment;
  private final ContextFile contexts;

  @Option(
      names = "--address",
      scope = ScopeType.INHERIT,
      paramLabel = "HOST:PORT",
      description =
          "Nodes to call, host:port,... (default: KAIROS_ADDRESS, else the context, else"
              + " 127.0.0.1:7070); for cron its replicas (KAIROS_CRON_ADDRESS, 127.0.0.1:7171).")
  @Nullable String address;

  @Option(
      names = "--token-file",
      scope = ScopeType.INHERIT,
      paramLabel = "FILE",
      description =
          "File with the API token, if nodes need one (default: the token in KAIROS_TOKEN, else"
              + " the context).")
  @Nullable Path tokenFile;

  @Option(
      names = "--context",
      scope = ScopeType.INHERIT,
      paramLabel = "CONTEXT",
      completionCandidates = ContextNames.class,
      description =
          "Takes address, token and output format from this context (default: KAIROS_CONTEXT,"
              + " else the one of \"kairos context use\").")
  @Nullable String context;

  @Option(
      names = {"-o", "--output"},
      scope = ScopeType.INHERIT,
      paramLabel = "FORMAT",
      description = "Output format: table, json or yaml (default: the context, else table).")
  @Nullable OutputFormat output;

  public CallOptions(Map<String, String> environment) {
    this.environment = environment;
    contexts = ContextFile.of(environment);
  }

  public ContextFile contexts() {
    return contexts;
  }

  /** Returns the options of this command line, for a new context. */
  public Context given(@Nullable String cronAddress) {
    return new Context(
        address, cronAddress, tokenFile == null ? null : tokenFile.toAbsolutePath(), output);
  }

  /**
   * The context of a call.
   *
   * @param because who has named it
   */
  public record Chosen(String name, String because, Context context) {}

  /** Returns the context that a call takes its addresses from, if any. */
  public Optional<Chosen> chosen(Destination to) {
    if (context != null) {
      return Optional.of(chosen(context, "named by --context"));
    }
    if (address != null || variable(to.variable).isPresent()) {
      return Optional.empty();
    }
    Optional<String> named = variable(CONTEXT_VARIABLE);
    if (named.isPresent()) {
      return named.map(name -> chosen(name, "named by " + CONTEXT_VARIABLE));
    }
    return Optional.ofNullable(contexts.read().current()).map(name -> chosen(name, "in use"));
  }

  private Chosen chosen(String name, String because) {
    return new Chosen(name, because, contexts.get(name, because));
  }

  /** Returns the addresses to call, at least one. */
  public List<String> addresses(Destination to) {
    if (address != null) {
      return List.of(address.split(","));
    }
    Optional<Chosen> chosen = chosen(to);
    if (chosen.isPresent()) {
      return List.of(addressOf(chosen.get(), to).split(","));
    }
    return List.of(variable(to.variable).orElse(to.usual).split(","));
  }

  private static String addressOf(Chosen chosen, Destination to) {
    String found =
        switch (to) {
          case NODES -> chosen.context.address();
          case REPLICAS -> chosen.context.cronAddress();
        };
    if (found == null) {
      throw new IllegalArgumentException(
          "the context %s has no %s: give --address, or add it to the context"
              .formatted(chosen.name, to.contextOption));
    }
    return found;
  }

  /**
   * Returns the token. It is never read from the command line, where other users of the machine
   * could see it.
   */
  final Optional<String> token(Destination to) {
    if (tokenFile != null) {
      return Optional.of(read(tokenFile));
    }
    Optional<Path> ofContext = chosen(to).map(chosen -> chosen.context.tokenFile());
    Optional<String> ofEnvironment = variable(TOKEN_VARIABLE);
    return ofContext.isPresent() && (context != null || ofEnvironment.isEmpty())
        ? ofContext.map(CallOptions::read)
        : ofEnvironment;
  }

  private static String read(Path tokenFile) {
    try {
      return Files.readString(tokenFile).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the token", e);
    }
  }

  private Optional<String> variable(String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
  }

  public OutputFormat format(Destination to) {
    return output != null
        ? output
        : chosen(to).map(chosen -> chosen.context.output()).orElse(OutputFormat.TABLE);
  }

  /** Returns the format of answers for which no context is looked at. */
  public OutputFormat format() {
    return output == null ? OutputFormat.TABLE : output;
  }

  /** Returns a builder for clients of the addresses to call. */
  public KairosClient.Builder client(Destination to) {
    return client(to, addresses(to));
  }

  /** Returns a builder for clients of other addresses, with the same token. */
  public KairosClient.Builder client(Destination to, List<String> addresses) {
    KairosClient.Builder builder = KairosClient.builder(addresses.toArray(String[]::new));
    token(to).ifPresent(builder::token);
    return builder;
  }
}
