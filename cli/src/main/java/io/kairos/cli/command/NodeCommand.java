package io.kairos.cli.command;

import io.kairos.cli.option.ConfirmOptions;
import io.kairos.cli.option.Destination;
import io.kairos.client.KairosClient;

/** A group of commands that call nodes, or the replicas of a replicated cron. */
public abstract class NodeCommand extends GroupCommand {
  private final Destination destination;

  protected NodeCommand() {
    this(Destination.NODES);
  }

  protected NodeCommand(Destination destination) {
    this.destination = destination;
  }

  protected final Destination destination() {
    return destination;
  }

  /**
   * Returns when the given command, which cannot be undone, may be done. The question names the
   * cluster: whoever types the command has several of them.
   */
  protected final void confirm(ConfirmOptions confirmation, String question) {
    confirmation.require(
        main().terminal(), command(), "%s: %s".formatted(calls().cluster(destination), question));
  }

  public final KairosClient connect() {
    return calls().client(destination).build();
  }
}
