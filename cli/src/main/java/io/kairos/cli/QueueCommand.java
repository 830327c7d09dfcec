package io.kairos.cli;

import io.kairos.cli.text.OutputOptions;
import io.kairos.cli.text.Table;
import io.kairos.client.HandlerStatus;
import io.kairos.client.KairosClient;
import io.kairos.client.QueueClient;
import io.kairos.client.StuckKey;
import io.kairos.client.TaskGate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kairos queue ...}: see how handlers do, pause, drop and limit their tasks, redrive. */
@Command(
    name = "queue",
    mixinStandardHelpOptions = true,
    description =
        "Shows handlers, their queues and keys, pauses and limits them, puts failed tasks back.",
    subcommands = {QueueHandlerCommand.class, QueueLimitsCommand.class, QueueRedriveCommand.class})
final class QueueCommand extends NodeCommand {
  QueueCommand() {
    super(
        "Say what to do: list, handler, pause, drop, resume, limits, keys, skip, retry or"
            + " redrive.");
  }

  private int ask(Consumer<QueueClient> calls) {
    try (KairosClient client = connect()) {
      calls.accept(client.queues());
    }
    return 0;
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Shows how many tasks of each handler are where, and who has no worker.")
  int list(@Mixin OutputOptions output) {
    return ask(queues -> {
      List<HandlerStatus> handlers = queues.handlers();
      output.print(out(), handlers, () -> table(handlers));
    });
  }

  private static Table table(List<HandlerStatus> handlers) {
    Table table =
        new Table(
            "HANDLER",
            "WAITING",
            "ENQUEUED",
            "PROCESSING",
            "BLOCKED",
            "PAUSED",
            "DEAD",
            "FAILED",
            "REMARKS");
    for (HandlerStatus handler : handlers) {
      table.row(
          handler.name(),
          handler.waiting(),
          handler.enqueued(),
          handler.processing(),
          handler.blocked(),
          handler.paused(),
          handler.dead(),
          handler.failed(),
          remarks(handler));
    }
    return table;
  }

  private static String remarks(HandlerStatus handler) {
    List<String> remarks = new ArrayList<>();
    if (!handler.hasWorker()) {
      remarks.add("no worker");
    }
    handler.gates().forEach(gate -> remarks.add(Words.of(gate)));
    handler.limits().forEach(limit -> remarks.add(Words.of(limit)));
    return String.join("; ", remarks);
  }

  @Command(
      name = "pause",
      mixinStandardHelpOptions = true,
      description = "Lets no task of a handler begin until it is resumed; what runs goes on.")
  int pause(
      @Parameters(paramLabel = "HANDLER") String handler,
      @Mixin GateOptions gate,
      @Mixin OutputOptions output) {
    return close(gate.applyTo(TaskGate.pause(handler)), output);
  }

  @Command(
      name = "drop",
      mixinStandardHelpOptions = true,
      description = {
        "Ends the tasks of a handler that wait, and those that come until it is resumed, as"
            + " cancelled.",
        "They cannot be put back."
      })
  int drop(
      @Parameters(paramLabel = "HANDLER") String handler,
      @Mixin GateOptions gate,
      @Mixin OutputOptions output) {
    return close(gate.applyTo(TaskGate.drop(handler)), output);
  }

  private int close(TaskGate gate, OutputOptions output) {
    return ask(queues -> {
      TaskGate closed = queues.close(gate);
      output.print(out(), closed, () -> closed.handler() + ": " + Words.of(closed));
    });
  }

  @Command(
      name = "resume",
      mixinStandardHelpOptions = true,
      description = "Lets tasks begin again after a pause or drop.")
  int resume(
      @Parameters(paramLabel = "HANDLER") String handler,
      @Option(
              names = "--collection",
              description = "The pause of this collection.",
              defaultValue = "")
          String collection) {
    return ask(queues -> {
      queues.lift(handler, collection);
      out().println(handler + ": resumed");
    });
  }

  @Command(
      name = "keys",
      mixinStandardHelpOptions = true,
      description = {
        "Lists ordering keys whose tasks wait because their head fails, those first that are"
            + " blocked",
        "until the head is skipped or tried again."
      })
  int keys(
      @Option(names = "--handler", description = "Only keys of this handler.", defaultValue = "")
          String handler,
      @Option(
              names = "--limit",
              defaultValue = "100",
              description = "At most this many (default ${DEFAULT-VALUE}).")
          int limit,
      @Mixin OutputOptions output) {
    return ask(queues -> {
      List<StuckKey> keys = queues.stuckKeys(handler, limit);
      output.print(out(), keys, () -> keys(keys));
    });
  }

  private static Table keys(List<StuckKey> keys) {
    Table table = new Table("HANDLER", "KEY", "STATE", "WAITING", "HEAD", "ERROR");
    for (StuckKey key : keys) {
      table.row(
          key.handler(),
          key.key(),
          key.isBlocked() ? "blocked" : "retried",
          key.waiting(),
          key.head(),
          Words.firstLine(key.error()));
    }
    return table;
  }

  @Command(
      name = "skip",
      mixinStandardHelpOptions = true,
      description = "Lets an ordering key go on without its failing head, which ends as dead.")
  int skip(
      @Parameters(paramLabel = "HANDLER") String handler,
      @Parameters(paramLabel = "KEY") String key) {
    return ask(queues -> {
      queues.skipHead(handler, key);
      out().println(key + ": head skipped");
    });
  }

  @Command(
      name = "retry",
      mixinStandardHelpOptions = true,
      description = "Has the failing head of an ordering key tried again at once.")
  int retry(
      @Parameters(paramLabel = "HANDLER") String handler,
      @Parameters(paramLabel = "KEY") String key) {
    return ask(queues -> {
      queues.retryHead(handler, key);
      out().println(key + ": head is tried again");
    });
  }
}
