package io.kairos.cli.option;

import io.kairos.cli.terminal.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The confirmation of a command that cannot be undone. */
public final class ConfirmOptions {
  @Option(
      names = "--yes",
      description = "Does not ask first. Needed where there is no terminal to ask on.")
  boolean yes;

  /**
   * Returns when the command may be done. Without a terminal that is wrong usage, unless it was
   * confirmed by the option: scripts must not do by accident what cannot be undone.
   *
   * @param command the command, for the message
   */
  public void require(Terminal terminal, CommandLine command, String question) {
    if (yes) {
      return;
    }
    if (!terminal.isInteractive()) {
      throw new ParameterException(
          command,
          "%s cannot be undone, and there is no terminal to ask on: give --yes"
              .formatted(command.getCommandSpec().qualifiedName()));
    }
    if (!terminal.confirms(question)) {
      throw new IllegalArgumentException("not confirmed, nothing was changed");
    }
  }
}
