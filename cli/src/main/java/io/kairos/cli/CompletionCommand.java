package io.kairos.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code kairos completion}: completion of commands and options in the shell. */
@Command(
    name = "completion",
    description = {
      "Prints a script for bash and zsh that completes commands, options and values:",
      "source <(kairos completion)"
    })
final class CompletionCommand implements Runnable {
  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    spec.commandLine().getOut().print(AutoComplete.bash("kairos", CliMain.commandLine()));
  }
}
