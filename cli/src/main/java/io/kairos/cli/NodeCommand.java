package io.kairos.cli;

import io.kairos.cli.option.Destination;
import io.kairos.client.KairosClient;

/** A group of commands that call nodes, or the replicas of a replicated cron. */
abstract class NodeCommand extends GroupCommand {
  private final Destination destination;

  NodeCommand() {
    this(Destination.NODES);
  }

  NodeCommand(Destination destination) {
    this.destination = destination;
  }

  final Destination destination() {
    return destination;
  }

  final KairosClient connect() {
    return calls().client(destination).build();
  }
}
