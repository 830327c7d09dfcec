package io.kairos.cli;

import io.kairos.cli.option.AddressOptions;
import io.kairos.cli.option.NodeOptions;
import io.kairos.cli.text.OutputOptions;
import io.kairos.client.KairosClient;
import java.io.PrintWriter;
import java.util.function.Consumer;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A group of commands, with the addresses that they call. It does nothing itself. */
abstract class NodeCommand implements Runnable {
  @Mixin AddressOptions node;
  @Spec CommandSpec spec = CommandSpec.create();

  private final String choice;

  /**
   * @param choice message when no command of the group is named
   */
  NodeCommand(String choice) {
    this(choice, new NodeOptions());
  }

  /** Creates a group whose commands call other addresses than those of nodes. */
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

  /**
   * Calls a node and prints its answer.
   *
   * @param words text of the answer for the output table
   */
  final <A> int show(
      OutputOptions output, Function<KairosClient, A> question, Function<A, ?> words) {
    try (KairosClient client = connect()) {
      A answer = question.apply(client);
      output.print(out(), answer, () -> words.apply(answer));
    }
    return 0;
  }

  /** Calls a node, and prints the returned text. */
  final int tell(Function<KairosClient, String> call) {
    try (KairosClient client = connect()) {
      out().println(call.apply(client));
    }
    return 0;
  }

  /** Calls a node, and prints {@code done}. */
  final int tell(Consumer<KairosClient> call, String done) {
    return tell(client -> {
      call.accept(client);
      return done;
    });
  }

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
