package io.kairos.cli.command;

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

/** A group of commands. It does nothing itself, unless a subclass says what. */
public abstract class GroupCommand implements Runnable {
  @ParentCommand private @Nullable MainCommand main;
  @Spec protected CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
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

  final MainCommand main() {
    return requireNonNull(main);
  }

  public final CallOptions calls() {
    return main().calls();
  }

  public final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Returns the command of the group that was given. */
  protected final CommandLine command() {
    ParseResult parsed = spec.commandLine().getParseResult();
    return parsed.hasSubcommand()
        ? parsed.subcommand().commandSpec().commandLine()
        : spec.commandLine();
  }
}
