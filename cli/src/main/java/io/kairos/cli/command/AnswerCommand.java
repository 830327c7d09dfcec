package io.kairos.cli.command;

import io.kairos.cli.option.Destination;
import io.kairos.cli.option.WatchOptions;
import io.kairos.cli.terminal.Watch;
import io.kairos.client.KairosClient;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import picocli.CommandLine;

/** A group of commands that print the answers of nodes in the output format of the user. */
public abstract class AnswerCommand extends NodeCommand {
  protected AnswerCommand() {}

  protected AnswerCommand(Destination destination) {
    super(destination);
  }

  /**
   * Prints an answer.
   *
   * @param words returns the text of the answer for the output format table
   */
  public final void print(Object answer, Supplier<?> words) {
    calls().format(destination()).print(out(), answer, words);
  }

  /**
   * Calls a node and prints its answer.
   *
   * @param words text of the answer for the output format table
   */
  public final <A> int show(Function<KairosClient, A> question, Function<A, ?> words) {
    return show(question, words, answer -> false);
  }

  /**
   * Calls a node and prints its answer.
   *
   * @param failed true for an answer with the exit code 1
   */
  public final <A> int show(
      Function<KairosClient, A> question, Function<A, ?> words, Predicate<A> failed) {
    try (KairosClient client = connect()) {
      A answer = question.apply(client);
      print(answer, () -> words.apply(answer));
      return failed.test(answer) ? 1 : 0;
    }
  }

  /**
   * Calls a node and prints its answer, again and again when that is asked for.
   *
   * @param words text of the answer for the output format table
   */
  protected final <A> int show(
      WatchOptions watching, Function<KairosClient, A> question, Function<A, ?> words) {
    Optional<Watch> watch = watch(watching);
    if (watch.isEmpty()) {
      return show(question, words);
    }
    // A call goes to each node once: the failure is shown, and the next call comes soon.
    int attempts = calls().addresses(destination()).size();
    try (KairosClient client = calls().client(destination()).attempts(attempts).build()) {
      return watch.get().show(() -> question.apply(client), answer -> answer, words);
    }
  }

  /** Returns the watch of the given command; empty when its list is shown once. */
  public final Optional<Watch> watch(WatchOptions watching) {
    CommandLine command = command();
    Optional<Duration> interval = watching.interval(command);
    return interval.map(time ->
        new Watch(
            main().terminal(),
            out(),
            spec.commandLine().getErr(),
            calls().format(destination()),
            command.getCommandSpec().qualifiedName(),
            time));
  }

  /** Calls a node, and prints the returned text. */
  public final int tell(Function<KairosClient, String> call) {
    return show(call, text -> text);
  }

  /** Calls a node, and prints {@code done}. */
  protected final int tell(Consumer<KairosClient> call, String done) {
    return tell(client -> {
      call.accept(client);
      return done;
    });
  }
}
