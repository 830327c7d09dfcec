package io.kairos.cli.option;

import io.kairos.cli.terminal.Watch;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Stack;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Whether a list is shown again and again, and how often. */
public final class WatchOptions {
  private static final Duration USUAL = Duration.ofSeconds(2);

  @Option(
      names = "--watch",
      arity = "0..1",
      paramLabel = "INTERVAL",
      preprocessor = OptionalInterval.class,
      description =
          "Shows the list again every INTERVAL (2s when left out), until Ctrl-C; with -o json one"
              + " document a line. Goes on while no node answers.")
  @Nullable Duration interval;

  /** Leaves the next word alone when it is no duration: it may be a parameter of the command. */
  static final class OptionalInterval implements IParameterPreprocessor {
    @Override
    public boolean preprocess(
        Stack<String> words, CommandSpec command, ArgSpec option, Map<String, Object> info) {
      if (!words.isEmpty() && words.peek().matches("P?T?[0-9].*")) {
        return false;
      }
      option.setValue(USUAL);
      return true;
    }
  }

  /**
   * Returns the interval; empty for a list that is shown once.
   *
   * @param command the command, for the message of an interval that is too short
   */
  public Optional<Duration> interval(CommandLine command) {
    if (interval != null && interval.compareTo(Watch.SHORTEST) < 0) {
      throw new ParameterException(command, "--watch: the shortest interval is 100ms");
    }
    return Optional.ofNullable(interval);
  }
}
