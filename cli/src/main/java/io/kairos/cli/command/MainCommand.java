package io.kairos.cli.command;

import io.kairos.cli.option.CallOptions;
import io.kairos.cli.terminal.Terminal;

/** The main command, as the commands of a program see it. */
public interface MainCommand {
  /** How its commands call nodes. */
  CallOptions calls();

  /** Where they ask for confirmation and redraw what is watched. */
  Terminal terminal();
}
