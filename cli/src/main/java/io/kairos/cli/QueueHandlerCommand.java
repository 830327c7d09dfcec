package io.kairos.cli;

import static java.util.Objects.requireNonNull;

import io.kairos.cli.text.OutputOptions;
import io.kairos.client.HandlerChange;
import io.kairos.client.HandlerSettings;
import io.kairos.client.KairosClient;
import io.kairos.client.KeyPolicy;
import io.kairos.client.RetryPolicy;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * {@code kairos queue handler ...}: shows what holds for the tasks of a handler, and changes it.
 */
@Command(
    name = "handler",
    mixinStandardHelpOptions = true,
    description = {
      "Shows how the tasks of a handler are tried again, how many may be unfinished, and how those"
          + " of",
      "an ordering key run beside each other; or changes what is named. default stands for what is"
          + " shipped."
    })
final class QueueHandlerCommand implements Callable<Integer> {
  private static final String DEFAULT = "default";

  @ParentCommand @Nullable NodeCommand group;
  @Mixin OutputOptions output = new OutputOptions();
  @Spec CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "HANDLER")
  String handler = "";

  @Option(
      names = "--max-attempts",
      description = "How often a task is tried that was given no policy, the first time counted.")
  @Nullable String maxAttempts;

  @Option(names = "--initial-backoff", description = "The wait before the second attempt.")
  @Nullable String initialBackoff;

  @Option(names = "--backoff-factor", description = "By which each wait is longer than the last.")
  @Nullable String backoffFactor;

  @Option(names = "--max-backoff", description = "The longest wait.")
  @Nullable String maxBackoff;

  @Option(
      names = "--max-unfinished",
      description = "How many unfinished tasks it may have; default is any number.")
  @Nullable String maxUnfinished;

  @Option(
      names = "--key-max-running",
      description = "Tasks of one key at a time, in no order; default is one, in due order.")
  @Nullable String keyMaxRunning;

  @Option(
      names = "--on-dead",
      description =
          "What the head of an ordered key does that has failed for good:"
              + " ${COMPLETION-CANDIDATES}.")
  @Nullable OnDead onDead;

  @Option(names = "--key-rate", description = "Most tasks of one key that begin in a second.")
  @Nullable String keyRate;

  @Option(names = "--key-burst", description = "How many of them may begin at once after a pause.")
  @Nullable String keyBurst;

  /** Two words for a yes or no that nobody would know by itself. */
  enum OnDead {
    PARK,
    BLOCK
  }

  @Override
  public Integer call() {
    HandlerChange change = HandlerChange.of(handler);
    set(maxAttempts, Integer::valueOf, change::maxAttempts);
    set(initialBackoff, QueueHandlerCommand::duration, change::initialBackoff);
    set(backoffFactor, Double::valueOf, change::backoffFactor);
    set(maxBackoff, QueueHandlerCommand::duration, change::maxBackoff);
    set(maxUnfinished, Long::valueOf, change::maxUnfinished);
    set(keyMaxRunning, Integer::valueOf, change::keyMaxRunning);
    set(keyRate, Double::valueOf, change::keyPerSecond);
    set(keyBurst, Integer::valueOf, change::keyBurst);
    if (onDead != null) {
      change.blocksWhenDead(onDead == OnDead.BLOCK);
    }
    try (KairosClient client = requireNonNull(group).connect()) {
      HandlerSettings settings =
          change.isEmpty() ? client.queues().settings(handler) : client.queues().change(change);
      output.print(spec.commandLine().getOut(), settings, () -> words(settings));
    }
    return 0;
  }

  private static Duration duration(String word) {
    return new DurationWord().convert(word);
  }

  private <T> void set(
      @Nullable String word, Function<String, T> reader, Consumer<@Nullable T> setting) {
    if (word == null) {
      return;
    }
    if (word.toLowerCase(Locale.ROOT).equals(DEFAULT)) {
      setting.accept(null);
      return;
    }
    T value;
    try {
      value = reader.apply(word);
    } catch (NumberFormatException | TypeConversionException e) {
      throw new ParameterException(
          spec.commandLine(), "'" + word + "' is neither such a value nor default", e);
    }
    setting.accept(value);
  }

  private static String words(HandlerSettings settings) {
    RetryPolicy retry = settings.retryPolicy();
    Long most = settings.maxUnfinished();
    return String.join(
        System.lineSeparator(),
        "attempts    " + retry.maxAttempts(),
        "backoff     %s, times %s, at most %s"
            .formatted(retry.initialBackoff(), retry.factor(), retry.maxBackoff()),
        "unfinished  " + (most == null ? "any number" : "at most " + most),
        "keys        " + words(settings.keyPolicy()));
  }

  private static String words(KeyPolicy keys) {
    Integer most = keys.maxRunning();
    String mode =
        most == null
            ? "one task at a time in due order, a dead one "
                + (keys.blocksWhenDead() ? "blocks its key" : "is passed")
            : (most == Integer.MAX_VALUE ? "any number of tasks" : "up to " + most + " tasks")
                + " at a time";
    return keys.perSecond() == null
        ? mode
        : "%s, %s per second, burst %s".formatted(mode, keys.perSecond(), keys.burst());
  }
}
