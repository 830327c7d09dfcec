package io.kairos.cli.command;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** A command of a group in its own class, because it has many options. */
public abstract class PartCommand implements Callable<Integer> {
  @ParentCommand private @Nullable AnswerCommand parent;
  @Spec private CommandSpec spec = CommandSpec.create();

  protected final AnswerCommand group() {
    return requireNonNull(parent);
  }

  protected final ParameterException wrongUsage(String problem) {
    return new ParameterException(spec.commandLine(), problem);
  }

  /**
   * Reads an option that is a value or the word for none.
   *
   * @param none the word for none
   * @param kind kind of value, for the error message
   */
  protected final <T> @Nullable T value(
      String word, String none, String kind, Function<String, T> reader) {
    if (word.equalsIgnoreCase(none)) {
      return null;
    }
    try {
      return reader.apply(word);
    } catch (NumberFormatException | TypeConversionException e) {
      throw new ParameterException(
          spec.commandLine(), "'" + word + "' is neither " + kind + " nor " + none, e);
    }
  }
}
