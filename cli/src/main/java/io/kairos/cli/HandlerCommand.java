package io.kairos.cli;

import io.kairos.cli.command.AnswerCommand;
import io.kairos.cli.option.ConfirmOptions;
import io.kairos.cli.option.PauseOptions;
import io.kairos.cli.option.WatchOptions;
import io.kairos.cli.text.AnswerText;
import io.kairos.cli.text.TextTable;
import io.kairos.client.queue.HandlerPause;
import io.kairos.client.queue.HandlerStatus;
import io.kairos.client.queue.StuckKey;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code kairos handler ...}: shows handlers, and pauses, drops, limits and redrives their tasks.
 */
@Command(
    name = "handler",
    addMethodSubcommands = false,
    description = "Shows, pauses and limits handlers, queues and keys; puts failed tasks back.",
    subcommands = {
      HandlerSettingsCommand.class,
      HandlerLimitsCommand.class,
      HandlerRedriveCommand.class
    })
final class HandlerCommand extends AnswerCommand {
  @Command(
      name = "list",
      description = "Counts the tasks of each handler by state; names handlers without a worker.")
  int list(@Mixin WatchOptions watch) {
    return show(watch, client -> client.handlers().list(), HandlerCommand::table);
  }

  private static TextTable<HandlerStatus> table(List<HandlerStatus> handlers) {
    return TextTable.of(handlers)
        .column("HANDLER", HandlerStatus::name)
        .column("WAITING", HandlerStatus::waiting)
        .column("ENQUEUED", HandlerStatus::enqueued)
        .column("PROCESSING", HandlerStatus::processing)
        .column("BLOCKED", HandlerStatus::blocked)
        .column("PAUSED", HandlerStatus::paused)
        .column("DEAD", HandlerStatus::dead)
        .column("FAILED", HandlerStatus::failed)
        .column("REMARKS", HandlerCommand::remarks);
  }

  private static String remarks(HandlerStatus handler) {
    List<String> remarks = new ArrayList<>();
    if (!handler.hasWorker()) {
      remarks.add("no worker");
    }
    handler.pauses().forEach(pause -> remarks.add(AnswerText.of(pause)));
    handler.limits().forEach(limit -> remarks.add(AnswerText.of(limit)));
    return String.join("; ", remarks);
  }

  @Command(
      name = "pause",
      description = "Pauses a handler: no task begins until it is resumed; running tasks go on.")
  int pause(@Parameters(paramLabel = "HANDLER") String handler, @Mixin PauseOptions pause) {
    return set(pause.applyTo(HandlerPause.pause(handler)));
  }

  @Command(
      name = "drop",
      description = {
        "Cancels the waiting tasks of a handler, and all new ones until it is resumed.",
        "Cancelled tasks cannot be put back."
      })
  int drop(
      @Parameters(paramLabel = "HANDLER") String handler,
      @Mixin PauseOptions pause,
      @Mixin ConfirmOptions confirmation) {
    confirm(
        confirmation,
        "Cancel the waiting tasks of %s, and all new ones until it is resumed? They cannot be put back."
            .formatted(handler));
    return set(pause.applyTo(HandlerPause.drop(handler)));
  }

  private int set(HandlerPause pause) {
    return show(
        client -> client.handlers().setPause(pause),
        closed -> closed.handler() + ": " + AnswerText.of(closed));
  }

  @Command(name = "resume", description = "Ends a pause or drop: tasks begin again.")
  int resume(
      @Parameters(paramLabel = "HANDLER") String handler,
      @Option(
              names = "--collection",
              description = "Ends the pause or drop of this collection.",
              defaultValue = "")
          String collection) {
    return tell(
        client -> {
          if (collection.isEmpty()) {
            client.handlers().endPause(handler);
          } else {
            client.handlers().endPause(handler, collection);
          }
        },
        handler + ": resumed");
  }

  @Command(
      name = "keys",
      description = {
        "Lists ordering keys whose tasks wait because their head fails. Keys that are blocked",
        "until the head is skipped or retried come first."
      })
  int keys(
      @Option(names = "--handler", description = "Only keys of this handler.", defaultValue = "")
          String handler,
      @Option(names = "--limit", defaultValue = "100", description = AnswerText.LIMIT) int limit,
      @Mixin WatchOptions watch) {
    return show(
        watch,
        client ->
            handler.isEmpty()
                ? client.handlers().stuckKeys(limit)
                : client.handlers().stuckKeys(handler, limit),
        HandlerCommand::keys);
  }

  private static TextTable<StuckKey> keys(List<StuckKey> keys) {
    return TextTable.of(keys)
        .column("HANDLER", StuckKey::handler)
        .column("KEY", StuckKey::key)
        .column("STATE", key -> key.isBlocked() ? "blocked" : "retried")
        .column("WAITING", StuckKey::waiting)
        .column("HEAD", StuckKey::head)
        .column("ERROR", key -> AnswerText.firstLine(key.error()));
  }

  @Command(
      name = "skip",
      description = "Skips the failing head of an ordering key; the head ends as dead.")
  int skip(
      @Parameters(paramLabel = "HANDLER") String handler,
      @Parameters(paramLabel = "KEY") String key) {
    return tell(client -> client.handlers().skipHead(handler, key), key + ": head skipped");
  }

  @Command(name = "retry", description = "Retries the failing head of an ordering key at once.")
  int retry(
      @Parameters(paramLabel = "HANDLER") String handler,
      @Parameters(paramLabel = "KEY") String key) {
    return tell(client -> client.handlers().retryHead(handler, key), key + ": head is tried again");
  }
}
