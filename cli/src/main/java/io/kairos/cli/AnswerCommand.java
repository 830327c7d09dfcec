package io.kairos.cli;

import io.kairos.cli.option.AddressOptions;
import io.kairos.cli.option.NodeOptions;
import io.kairos.cli.text.OutputOptions;
import io.kairos.client.KairosClient;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;

/** A group of commands that print the answers of nodes in the output format of the user. */
abstract class AnswerCommand extends NodeCommand {
  @Mixin private OutputOptions output = new OutputOptions();

  AnswerCommand() {
    this(new NodeOptions());
  }

  /** Creates a group whose commands call other addresses than those of nodes. */
  AnswerCommand(AddressOptions others) {
    super(others);
  }

  /**
   * Prints an answer.
   *
   * @param words returns the text of the answer for the output format table
   */
  final void print(Object answer, Supplier<?> words) {
    output.print(out(), answer, words);
  }

  /**
   * Calls a node and prints its answer.
   *
   * @param words text of the answer for the output format table
   */
  final <A> int show(Function<KairosClient, A> question, Function<A, ?> words) {
    return show(question, words, answer -> false);
  }

  /**
   * Calls a node and prints its answer.
   *
   * @param failed true for an answer with the exit code 1
   */
  final <A> int show(
      Function<KairosClient, A> question, Function<A, ?> words, Predicate<A> failed) {
    try (KairosClient client = connect()) {
      A answer = question.apply(client);
      print(answer, () -> words.apply(answer));
      return failed.test(answer) ? 1 : 0;
    }
  }

  /** Calls a node, and prints the returned text. */
  final int tell(Function<KairosClient, String> call) {
    return show(call, text -> text);
  }

  /** Calls a node, and prints {@code done}. */
  final int tell(Consumer<KairosClient> call, String done) {
    return tell(client -> {
      call.accept(client);
      return done;
    });
  }
}
