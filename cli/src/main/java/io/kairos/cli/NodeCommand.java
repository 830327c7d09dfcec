package io.kairos.cli;

import io.kairos.client.KairosClient;
import java.io.PrintWriter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A group of commands, which says what nodes they talk to. By itself it does nothing. */
abstract class NodeCommand implements Runnable {
  @Mixin NodeOptions node = new NodeOptions();
  @Spec CommandSpec spec = CommandSpec.create();

  private final String choice;

  /**
   * @param choice what is said to whoever names none of its commands
   */
  NodeCommand(String choice) {
    this.choice = choice;
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
