package io.kairos.cli;

import io.kairos.cli.text.OutputOptions;
import io.kairos.client.KairosClient;
import io.kairos.client.Task;
import io.kairos.client.TaskQuery;
import io.kairos.client.TaskState;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kairos dlq ...}: tasks that have failed for good. */
@Command(
    name = "dlq",
    mixinStandardHelpOptions = true,
    description = {
      "Shows tasks that have failed for good, by their attempts (dead) or in as many words"
          + " (failed), and puts them back.",
      "They are kept in the history until their retention ends. What the delay queue cannot publish"
          + " goes to a Kafka topic: docs/delay-queue.md."
    },
    subcommands = QueueRedriveCommand.class)
final class DlqCommand extends NodeCommand {
  DlqCommand() {
    super("Say what to do: list, show or redrive.");
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists them with their last error, newest first.")
  int list(
      @Option(names = "--handler", description = "Only tasks of this handler.", defaultValue = "")
          String handler,
      @Option(
              names = "--collection",
              description = "Only tasks of this collection.",
              defaultValue = "")
          String collection,
      @Option(names = "--state", description = "dead or failed; both when left out.")
          @Nullable TaskState state,
      @Option(
              names = "--limit",
              defaultValue = "20",
              description = "At most this many (default ${DEFAULT-VALUE}).")
          int limit,
      @Mixin OutputOptions output) {
    TaskQuery all = TaskQuery.all().handler(handler).collection(collection);
    TaskQuery query =
        state == null ? all.states(TaskState.DEAD, TaskState.FAILED) : all.states(state);
    try (KairosClient client = connect()) {
      List<Task> tasks = TaskCommand.all(client, query, limit);
      output.print(out(), tasks, () -> TaskText.failed(tasks));
    }
    return 0;
  }

  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = "Shows one with all its failures.")
  int show(@Parameters(paramLabel = "ID") String id, @Mixin OutputOptions output) {
    return TaskCommand.show(this, id, output);
  }
}
