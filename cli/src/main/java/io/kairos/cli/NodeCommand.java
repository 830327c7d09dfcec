package io.kairos.cli;

import io.kairos.client.KairosClient;

/** A group of commands that says which nodes its subcommands talk to. */
interface NodeCommand {
  KairosClient connect();
}
