package io.kairos.cli;

import static java.util.Objects.requireNonNull;

import io.kairos.cli.option.CallOptions;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** A group of commands. It does nothing itself. */
abstract class GroupCommand implements Runnable {
  @ParentCommand private @Nullable CliMain main;
  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public final void run() {
    List<String> names =
        spec.subcommands().values().stream()
            .map(CommandLine::getCommandName)
            .distinct()
            .sorted()
            .toList();
    throw new ParameterException(
        spec.commandLine(),
        "A command is missing: %s or %s."
            .formatted(String.join(", ", names.subList(0, names.size() - 1)), names.getLast()));
  }

  final CliMain main() {
    return requireNonNull(main);
  }

  final CallOptions calls() {
    return main().calls;
  }

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Returns the command of the group that was given. */
  final CommandLine command() {
    ParseResult parsed = spec.commandLine().getParseResult();
    return parsed.hasSubcommand()
        ? parsed.subcommand().commandSpec().commandLine()
        : spec.commandLine();
  }
}
