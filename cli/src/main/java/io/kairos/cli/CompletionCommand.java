package io.kairos.cli;

import io.kairos.cli.completion.BashCompletion;
import io.kairos.cli.completion.FishCompletion;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kairos completion SHELL}: completion of commands and options in the shell. */
@Command(
    name = "completion",
    description = "Prints a script that completes commands, options, values and names of contexts.",
    footer = {
      "",
      "  bash, zsh:  source <(kairos completion bash)",
      "  fish:       kairos completion fish >~/.config/fish/completions/kairos.fish"
    })
final class CompletionCommand implements Runnable {
  enum Shell {
    BASH,
    ZSH,
    FISH
  }

  @Spec CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
  Shell shell = Shell.BASH;

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    CommandLine commands = spec.root().commandLine();
    out.print(
        switch (shell) {
          case BASH, ZSH -> BashCompletion.script(commands);
          case FISH -> FishCompletion.script(commands);
        });
  }
}
