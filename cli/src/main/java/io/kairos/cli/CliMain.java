package io.kairos.cli;

import io.kairos.client.KairosException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The commands that talk to nodes: {@code kairos task ...}, {@code kairos queue ...} and {@code
 * kairos worker ...}. Exit codes: 0 done, 1 the node refused or could not be reached, 2 wrong
 * usage.
 */
@Command(
    name = "kairos",
    description = "Talks to Kairos nodes.",
    mixinStandardHelpOptions = true,
    subcommands = {TaskCommand.class, QueueCommand.class, WorkerCommand.class})
public final class CliMain implements Runnable {
  private static final int REFUSED = 1;

  @Spec private CommandSpec spec = CommandSpec.create();

  private CliMain() {}

  public static void main(String[] args) {
    System.setProperty("logback.configurationFile", "io/kairos/cli/cli-logback.xml");
    System.exit(commandLine().execute(args));
  }

  /** For tests as well. */
  public static CommandLine commandLine() {
    return new CommandLine(new CliMain())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler((e, command, parsed) -> {
          if (e instanceof KairosException || e instanceof IllegalArgumentException) {
            command.getErr().println("kairos: " + e.getMessage());
            return REFUSED;
          }
          throw e;
        });
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say which command.");
  }
}
