package io.kairos.cli;

import io.kairos.cli.command.GroupCommand;
import io.kairos.cli.context.CallCertificates;
import io.kairos.cli.context.Context;
import io.kairos.cli.context.Contexts;
import io.kairos.cli.context.SecretFile;
import io.kairos.cli.option.CallTarget;
import io.kairos.cli.option.CallToken;
import io.kairos.cli.option.ContextNames;
import io.kairos.cli.option.Destination;
import io.kairos.cli.option.Sourced;
import io.kairos.cli.text.TextTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code kairos context ...}: named addresses, token files and output formats. */
@Command(
    name = "context",
    addMethodSubcommands = false,
    description = {
      "Keeps named addresses, token files and output formats, and chooses one of them.",
      "They are in the file kairos/contexts.yaml in XDG_CONFIG_HOME, else in ~/.config. It names"
          + " the file of a token and never holds the token."
    },
    footer = {
      "",
      "  kairos context add prod --address node1:7070,node2:7070 --token-file ~/.kairos/prod-token",
      "  kairos context use prod",
      "  kairos task list",
      "  kairos --context staging task list"
    })
final class ContextCommand extends GroupCommand {
  private static final String NONE = "none";

  @Command(
      name = "add",
      description = {
        "Stores the --address, --token-file, --ca-file, --certificate-file, --key-file and -o of this call as a"
            + " context.",
        "Exit code 1 when there is a context of this name, unless --replace is given."
      })
  int add(
      @Parameters(paramLabel = "NAME", description = "Name of letters, digits and . _ -")
          String name,
      @Option(
              names = "--cron-address",
              paramLabel = "HOST:PORT",
              description = "Replicas of a replicated cron, host:port,...")
          @Nullable String cronAddress,
      @Option(names = "--replace", description = "Replaces an existing context.") boolean replace)
      throws IOException {
    Context context = calls().given(cronAddress);
    Path tokenFile = context.tokenFile();
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
      throw new ParameterException(command(), "No name of letters, digits and . _ -: " + name);
    }
    if (context.address() == null && cronAddress == null) {
      throw new ParameterException(command(), "Give --address or --cron-address.");
    }
    if (tokenFile != null && !Files.isReadable(tokenFile)) {
      throw new IllegalArgumentException(
          "there is no readable file %s; --token-file names the file that holds the token"
              .formatted(tokenFile));
    }
    if (tokenFile != null) {
      SecretFile.check(tokenFile);
    }
    context.certificates().requireReadable();
    calls()
        .contexts()
        .change(contexts -> {
          if (!replace && contexts.byName().containsKey(name)) {
            throw new IllegalArgumentException(
                "the context %s exists; --replace replaces it".formatted(name));
          }
          return contexts.with(name, context);
        });
    return say(name + ": added");
  }

  @Command(name = "list", description = "Lists contexts by name; * marks the one in use.")
  int list() {
    Contexts contexts = calls().contexts().read();
    String current = contexts.current();
    return print(
        contexts.byName().entrySet().stream()
            .map(one -> {
              Map<String, Object> tree = new LinkedHashMap<>();
              tree.put("name", one.getKey());
              tree.put("inUse", one.getKey().equals(current));
              tree.put("context", one.getValue());
              return tree;
            })
            .toList(),
        () ->
            TextTable.of(contexts.byName().entrySet())
                .column("", one -> one.getKey().equals(current) ? "*" : "")
                .column("CONTEXT", Map.Entry::getKey)
                .column("ADDRESS", one -> one.getValue().address())
                .column("CRON ADDRESS", one -> one.getValue().cronAddress())
                .column("TOKEN FILE", one -> one.getValue().tokenFile())
                .column("OUTPUT", one -> one.getValue().output()));
  }

  @Command(name = "use", description = "Uses a context for all calls that name no other.")
  int use(
      @Parameters(paramLabel = "CONTEXT", completionCandidates = ContextNames.class) String name)
      throws IOException {
    calls()
        .contexts()
        .change(contexts -> {
          require(contexts, name);
          return contexts.using(name);
        });
    List<String> before = calls().variablesBeforeTheContextInUse();
    return say(
        name
            + ": in use"
            + (before.isEmpty()
                ? ""
                : "; in this shell %s comes before it".formatted(String.join(", ", before))));
  }

  private static void require(Contexts contexts, String name) {
    if (!contexts.byName().containsKey(name)) {
      throw new IllegalArgumentException(
          "there is no context %s; there are: %s"
              .formatted(name, String.join(", ", contexts.byName().keySet())));
    }
  }

  @Command(name = "remove", description = "Removes a context. Its token file stays.")
  int remove(
      @Parameters(paramLabel = "CONTEXT", completionCandidates = ContextNames.class) String name)
      throws IOException {
    boolean[] wasInUse = new boolean[1];
    calls()
        .contexts()
        .change(contexts -> {
          require(contexts, name);
          wasInUse[0] = Objects.equals(contexts.current(), name);
          return contexts.without(name);
        });
    return say(name + (wasInUse[0] ? ": removed; no context is in use now" : ": removed"));
  }

  /** One part of what a call would do, and where it comes from. */
  public record Part(String calls, String part, String value, String from) {}

  @Command(
      name = "show",
      description = {
        "Shows where calls go, with which token and certificates, how answers are printed, and why: try it with the"
            + " same options",
        "and environment. A token goes only to the addresses that it was given with."
      })
  int show() {
    List<Part> parts = new ArrayList<>();
    for (Destination to : Destination.values()) {
      String name = to.name().toLowerCase(Locale.ROOT);
      CallTarget target = calls().target(to);
      Sourced<String> address = target.address();
      parts.add(
          new Part(
              name,
              "address",
              address.value().isEmpty() ? NONE : address.value(),
              address.source()));
      parts.add(token(name, target.token()));
      Sourced<CallCertificates> certificates = target.certificates();
      certificates
          .value()
          .byName()
          .forEach((part, file) ->
              parts.add(new Part(name, part, file.toString(), certificates.source())));
      parts.add(
          new Part(
              name,
              "output",
              target.output().value().name().toLowerCase(Locale.ROOT),
              target.output().source()));
    }
    return print(
        parts,
        () ->
            TextTable.of(parts)
                .column("CALLS", Part::calls)
                .column("PART", Part::part)
                .column("VALUE", Part::value)
                .column("FROM", Part::from));
  }

  private static Part token(String calls, CallToken token) {
    String part = "token";
    return switch (token) {
      case CallToken.InFile(Path file, String source) ->
          new Part(calls, part, file.toString(), source);
      case CallToken.InEnvironment(String variable) -> new Part(calls, part, "(hidden)", variable);
      case CallToken.None(String reason) ->
          new Part(calls, part, NONE, reason.isEmpty() ? "default" : reason);
    };
  }

  private int say(String done) {
    return print(done, () -> done);
  }

  /** Prints in the format of the options: a context in use that is gone must not matter here. */
  private int print(Object answer, Supplier<?> words) {
    calls().format().print(out(), answer, words);
    return 0;
  }
}
