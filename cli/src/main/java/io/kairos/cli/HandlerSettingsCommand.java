package io.kairos.cli;

import io.kairos.cli.command.PartCommand;
import io.kairos.cli.option.DurationWord;
import io.kairos.client.HandlerChange;
import io.kairos.client.queue.HandlerSettings;
import io.kairos.client.queue.KeyPolicy;
import io.kairos.client.task.RetryPolicy;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kairos handler settings ...}: shows and changes the settings of a handler. */
@Command(
    name = "settings",
    description = {
      "Shows or changes the retry policy of a handler, its quota of unfinished tasks, and the",
      "policy of its ordering keys. Only the named options change; the word default resets one."
    })
final class HandlerSettingsCommand extends PartCommand {

  @Parameters(paramLabel = "HANDLER")
  String handler = "";

  @Option(
      names = "--max-attempts",
      description = "Maximum number of attempts, for tasks without their own policy.")
  @Nullable String maxAttempts;

  @Option(names = "--initial-backoff", description = "The wait before the second attempt.")
  @Nullable String initialBackoff;

  @Option(
      names = "--backoff-factor",
      description = "Factor by which each wait exceeds the one before.")
  @Nullable String backoffFactor;

  @Option(names = "--max-backoff", description = "Maximum wait between two attempts.")
  @Nullable String maxBackoff;

  @Option(
      names = "--max-unfinished",
      description = "Maximum number of unfinished tasks; default is no limit.")
  @Nullable String maxUnfinished;

  @Option(
      names = "--key-max-running",
      description =
          "Maximum number of concurrent tasks per key, in no order; default is one, by due time.")
  @Nullable String keyMaxRunning;

  @Option(
      names = "--on-dead",
      description =
          "What a head that has failed for good does to its key: ${COMPLETION-CANDIDATES}.")
  @Nullable OnDead onDead;

  @Option(
      names = "--key-rate",
      description = "Maximum number of tasks with the same key that begin per second.")
  @Nullable String keyRate;

  @Option(
      names = "--key-burst",
      description = "Maximum number of tasks with the same key that begin at once after a pause.")
  @Nullable String keyBurst;

  /** The API's words for {@link HandlerChange#blocksWhenDead}. */
  enum OnDead {
    PARK,
    BLOCK
  }

  @Override
  public Integer call() {
    HandlerChange change = HandlerChange.of(handler);
    set(maxAttempts, Integer::valueOf, change::maxAttempts);
    set(initialBackoff, HandlerSettingsCommand::duration, change::initialBackoff);
    set(backoffFactor, Double::valueOf, change::backoffFactor);
    set(maxBackoff, HandlerSettingsCommand::duration, change::maxBackoff);
    set(maxUnfinished, Long::valueOf, change::maxUnfinished);
    set(keyMaxRunning, Integer::valueOf, change::keyMaxRunning);
    set(keyRate, Double::valueOf, change::keyPerSecond);
    set(keyBurst, Integer::valueOf, change::keyBurst);
    if (onDead != null) {
      change.blocksWhenDead(onDead == OnDead.BLOCK);
    }
    return group()
        .show(
            client ->
                change.isEmpty()
                    ? client.handlers().settings(handler)
                    : client.handlers().change(change),
            HandlerSettingsCommand::words);
  }

  private static Duration duration(String word) {
    return new DurationWord().convert(word);
  }

  private <T> void set(
      @Nullable String word, Function<String, T> reader, Consumer<@Nullable T> setting) {
    if (word != null) {
      setting.accept(value(word, "default", "such a value", reader));
    }
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
