package io.kairos.cli.option;

import static java.util.Objects.requireNonNull;

import io.grpc.ChannelCredentials;
import io.grpc.ManagedChannelBuilder;
import io.grpc.okhttp.OkHttpChannelBuilder;
import io.kairos.cli.context.CallCertificates;
import io.kairos.cli.context.Context;
import io.kairos.cli.context.ContextFile;
import io.kairos.cli.context.Contexts;
import io.kairos.cli.context.SecretFile;
import io.kairos.cli.text.OutputFormat;
import io.kairos.client.KairosClient;
import io.kairos.client.net.ConnectionBuilder;
import io.kairos.client.worker.Worker;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * The options of all commands, before or behind the command: whom to call, with which token, and
 * how to print the answer. What is left out comes from the context of {@code --context}, else from
 * the environment, else from the context in use.
 *
 * <p>A token goes only to the addresses that it was given with: that of {@code --token-file} to
 * those of the call, that of a context to those of the context, that of the environment to those of
 * the environment. Used by the main thread only.
 */
public final class CallOptions {
  private static final String CONTEXT_VARIABLE = "KAIROS_CONTEXT";
  private static final String TOKEN_VARIABLE = "KAIROS_TOKEN";
  private static final String DEFAULT = "default";

  /** As Netty's: with OkHttp's usual 64 KiB a long list from far away would wait for its reader. */
  private static final int WINDOW_BYTES = 1 << 20;

  private final Map<String, String> environment;
  private final ContextFile contexts;
  private @Nullable Contexts read;
  private String hint = "";

  @Option(
      names = "--address",
      scope = ScopeType.INHERIT,
      paramLabel = "HOST:PORT",
      description =
          "Nodes to call, host:port,... or https://host:port,... (default: KAIROS_ADDRESS, else the"
              + " context, else 127.0.0.1:7070); for cron its replicas (KAIROS_CRON_ADDRESS,"
              + " 127.0.0.1:7171).")
  @Nullable String address;

  @Option(
      names = "--token-file",
      scope = ScopeType.INHERIT,
      paramLabel = "FILE",
      description =
          "File with the API token, if nodes need one (default: the token in KAIROS_TOKEN for"
              + " addresses of the environment, that of the context for addresses of the context).")
  @Nullable Path tokenFile;

  @Option(
      names = "--ca-file",
      scope = ScopeType.INHERIT,
      paramLabel = "FILE",
      description =
          "CA certificates of nodes at https:// addresses, in PEM (default: the context, else those"
              + " of Java).")
  @Nullable Path caFile;

  @Option(
      names = "--certificate-file",
      scope = ScopeType.INHERIT,
      paramLabel = "FILE",
      description =
          "Certificate that is shown to nodes, with those between it and its CA, in PEM (default:"
              + " the context, else none).")
  @Nullable Path certificate;

  @Option(
      names = "--key-file",
      scope = ScopeType.INHERIT,
      paramLabel = "FILE",
      description = "Private key of --certificate-file, in PEM, PKCS 8 without a password.")
  @Nullable Path key;

  @Option(
      names = "--context",
      scope = ScopeType.INHERIT,
      paramLabel = "CONTEXT",
      completionCandidates = ContextNames.class,
      description =
          "Takes address, token, certificates and output format from this context (default:"
              + " KAIROS_CONTEXT, else the one of \"kairos context use\").")
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

  /** Returns true when one of the options is on the command line. */
  public boolean isGiven() {
    return address != null
        || tokenFile != null
        || !certificates().isEmpty()
        || context != null
        || output != null;
  }

  /** Returns the options of this command line, for a new context. */
  public Context given(@Nullable String cronAddress) {
    return new Context(
        address,
        cronAddress,
        absolute(tokenFile),
        new CallCertificates(absolute(caFile), absolute(certificate), absolute(key)),
        output);
  }

  private @Nullable Path absolute(@Nullable Path file) {
    return file == null ? null : contexts.expanded(file).toAbsolutePath();
  }

  private CallCertificates certificates() {
    return new CallCertificates(caFile, certificate, key);
  }

  /** Returns the variables of the environment that come before the context in use. */
  public List<String> variablesBeforeTheContextInUse() {
    return Stream.of(CONTEXT_VARIABLE, Destination.NODES.variable, Destination.REPLICAS.variable)
        .filter(name -> variable(name).isPresent())
        .toList();
  }

  /**
   * The context of a call.
   *
   * @param because who has named it
   */
  private record Chosen(String name, String because, Context context) {
    String source() {
      return "context %s, %s".formatted(name, because);
    }
  }

  /**
   * Returns the context of a call, if any. A context in use is put aside as a whole when the
   * addresses come from elsewhere.
   */
  private Optional<Chosen> chosen(Destination to) {
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
    return Optional.ofNullable(readOnce().current()).map(name -> chosen(name, "in use"));
  }

  private Chosen chosen(String name, String because) {
    return new Chosen(name, because, contexts.get(readOnce(), name, because));
  }

  /** Returns the contexts as they were when this command first looked. */
  private Contexts readOnce() {
    Contexts found = read;
    if (found == null) {
      found = contexts.read();
      read = found;
    }
    return found;
  }

  /** Returns where calls go, with which token, and how their answers are printed. */
  public CallTarget target(Destination to) {
    Chosen chosen = chosen(to).orElse(null);
    Sourced<OutputFormat> format = format(chosen);
    if (address != null) {
      String reason =
          chosen == null || chosen.context.tokenFile() == null
              ? reasonOfTheEnvironment()
              : "the token of the context %s goes only to its own addresses".formatted(chosen.name);
      return target(
          new Sourced<>(address, "--address"), new CallToken.None(reason), none(), format);
    }
    if (chosen != null) {
      Sourced<String> found = new Sourced<>(addressOf(chosen, to), chosen.source());
      return target(
          found,
          tokenOf(chosen),
          new Sourced<>(chosen.context.certificates(), chosen.source()),
          format);
    }
    boolean isNamed = variable(to.variable).isPresent();
    Sourced<String> found =
        isNamed
            ? new Sourced<>(variable(to.variable).orElseThrow(), to.variable)
            : new Sourced<>(to.usual, DEFAULT);
    boolean isPaired = isNamed || addressVariables().isEmpty();
    CallToken token =
        isPaired && variable(TOKEN_VARIABLE).isPresent()
            ? new CallToken.InEnvironment(TOKEN_VARIABLE)
            : new CallToken.None(reasonOfTheEnvironment());
    return target(found, token, none(), format);
  }

  private static Sourced<CallCertificates> none() {
    return new Sourced<>(CallCertificates.NONE, DEFAULT);
  }

  /** The files of TLS on the command line come before those that the addresses have. */
  private CallTarget target(
      Sourced<String> found,
      CallToken paired,
      Sourced<CallCertificates> pairedFiles,
      Sourced<OutputFormat> format) {
    CallCertificates given = certificates();
    Sourced<CallCertificates> files =
        given.isEmpty() ? pairedFiles : new Sourced<>(given, "the command line");
    CallToken token =
        tokenFile == null
            ? paired
            : new CallToken.InFile(contexts.expanded(tokenFile), "--token-file");
    return new CallTarget(found, token, files, format);
  }

  private Sourced<OutputFormat> format(@Nullable Chosen chosen) {
    if (output != null) {
      return new Sourced<>(output, "-o");
    }
    OutputFormat ofContext = chosen == null ? null : chosen.context.output();
    return chosen == null || ofContext == null
        ? new Sourced<>(OutputFormat.TABLE, DEFAULT)
        : new Sourced<>(ofContext, chosen.source());
  }

  private static String addressOf(Chosen chosen, Destination to) {
    String found =
        switch (to) {
          case NODES -> chosen.context.address();
          case REPLICAS -> chosen.context.cronAddress();
        };
    return found == null ? "" : found;
  }

  private CallToken tokenOf(Chosen chosen) {
    Path file = chosen.context.tokenFile();
    return file == null
        ? new CallToken.None(reasonOfTheEnvironment())
        : new CallToken.InFile(contexts.expanded(file), chosen.source());
  }

  private List<String> addressVariables() {
    return Stream.of(Destination.values())
        .map(one -> one.variable)
        .filter(name -> variable(name).isPresent())
        .toList();
  }

  /** Returns why the token of the environment, if there is one, does not go to other addresses. */
  private String reasonOfTheEnvironment() {
    if (variable(TOKEN_VARIABLE).isEmpty()) {
      return "";
    }
    List<String> paired = addressVariables();
    return "%s goes only to %s"
        .formatted(
            TOKEN_VARIABLE,
            paired.isEmpty() ? "addresses of the environment" : String.join(" and ", paired));
  }

  /** Returns the addresses to call, at least one. */
  public List<String> addresses(Destination to) {
    Sourced<String> found = target(to).address();
    if (found.value().isEmpty()) {
      throw new IllegalArgumentException(
          "the %s, has no %s: give --address, or add it to the context"
              .formatted(found.source(), to.contextOption));
    }
    return List.of(found.value().split(","));
  }

  /** Returns the addresses to call and their source, for questions. */
  public String cluster(Destination to) {
    Sourced<String> found = target(to).address();
    return "%s (%s)".formatted(found.value(), found.source());
  }

  /**
   * Sets the token at a builder, which reads a file again while the command runs. It is never read
   * from the command line, where other users of the machine could see it.
   */
  private void setToken(ConnectionBuilder<?> builder, CallToken token) {
    switch (token) {
      case CallToken.InFile(Path file, String _) -> {
        SecretFile.check(file);
        builder.tokenFile(file);
      }
      case CallToken.InEnvironment(String name) ->
          builder.token(requireNonNull(environment.get(name)));
      case CallToken.None _ -> {}
    }
  }

  private Optional<String> variable(String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
  }

  public OutputFormat format(Destination to) {
    return target(to).output().value();
  }

  /** Returns the format of answers for which no context is looked at. */
  public OutputFormat format() {
    return output == null ? OutputFormat.TABLE : output;
  }

  /** Returns a builder for clients of the addresses to call. */
  public KairosClient.Builder client(Destination to) {
    return client(to, addresses(to));
  }

  /** Returns a builder for clients of some of the addresses to call, with their token. */
  public KairosClient.Builder client(Destination to, List<String> some) {
    KairosClient.Builder builder =
        KairosClient.builder(some.toArray(String[]::new)).transport(CallOptions::channel);
    target(to).certificates().value().apply(builder, contexts);
    CallToken token = target(to).token();
    setToken(builder, token);
    hint = token instanceof CallToken.None none ? hint(none) : "";
    return builder;
  }

  /**
   * Returns a channel of OkHttp, which starts sooner than one of Netty and is enough for a call.
   */
  private static ManagedChannelBuilder<?> channel(String address, ChannelCredentials tls) {
    return OkHttpChannelBuilder.forTarget(address, tls).flowControlWindow(WINDOW_BYTES);
  }

  /** Sets token and TLS of a worker for the nodes to call. */
  void secure(Worker.Builder worker) {
    target(Destination.NODES).certificates().value().apply(worker, contexts);
    setToken(worker, target(Destination.NODES).token());
  }

  /** Returns a sentence about the missing token of the last client; empty when it had one. */
  public String hint() {
    return hint;
  }

  private static String hint(CallToken.None token) {
    String reason = token.reason();
    return "no token was sent%s; --token-file gives one to the addresses of this call"
        .formatted(reason.isEmpty() ? "" : ", " + reason);
  }

  /** Returns why a token that was given is not sent; empty when it is, or when there is none. */
  public String withheld(Destination to) {
    return target(to).token() instanceof CallToken.None none ? none.reason() : "";
  }
}
