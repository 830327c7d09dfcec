package io.kairos.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** All commands, also those without a test of their own. */
final class CommandTree {
  private CommandTree() {}

  static List<CommandSpec> of(CommandLine main) {
    List<CommandSpec> commands = new ArrayList<>();
    commands.add(main.getCommandSpec());
    main.getSubcommands().values().stream().distinct().forEach(below -> commands.addAll(of(below)));
    return commands;
  }
}
