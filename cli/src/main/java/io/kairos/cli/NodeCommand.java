package io.kairos.cli;

import io.kairos.cli.option.AddressOptions;
import io.kairos.cli.option.NodeOptions;
import io.kairos.client.KairosClient;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A group of commands, with the addresses that they call. It does nothing itself. */
abstract class NodeCommand implements Runnable {
  @Mixin AddressOptions node;
  @Spec CommandSpec spec = CommandSpec.create();

  NodeCommand() {
    this(new NodeOptions());
  }

  /** Creates a group whose commands call other addresses than those of nodes. */
  NodeCommand(AddressOptions others) {
    node = others;
  }

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

  final KairosClient connect() {
    return node.connect();
  }

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
