package io.kairos.cli;

import io.kairos.client.KairosClient;
import java.io.PrintWriter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A group of commands, which says whom they talk to. By itself it does nothing. */
abstract class NodeCommand implements Runnable {
  @Mixin AddressOptions node;
  @Spec CommandSpec spec = CommandSpec.create();

  private final String choice;

  /**
   * @param choice what is said to whoever names none of its commands
   */
  NodeCommand(String choice) {
    this(choice, new NodeOptions());
  }

  /** The same for those who talk to others than nodes. */
  NodeCommand(String choice, AddressOptions others) {
    this.choice = choice;
    this.node = others;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), choice);
  }

  final KairosClient connect() {
    return node.connect();
  }

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
