package io.kairos.cli;

import io.kairos.cli.command.AnswerCommand;
import io.kairos.cli.option.ConfirmOptions;
import io.kairos.cli.option.WatchOptions;
import io.kairos.cli.text.AnswerText;
import io.kairos.cli.text.TextLines;
import io.kairos.cli.text.TextTable;
import io.kairos.client.KairosClient;
import io.kairos.client.batch.BatchId;
import io.kairos.client.batch.BatchStatus;
import io.kairos.client.task.TaskState;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kairos batch ...}: creates, shows, closes and cancels batches of tasks. */
@Command(
    name = "batch",
    addMethodSubcommands = false,
    description = "Creates and shows batches: tasks of one handler that are counted together.")
final class BatchCommand extends AnswerCommand {
  @Command(
      name = "create",
      description = {
        "Creates a batch and prints its id.",
        "Tasks join it by kairos task add --batch, others wait for it by --after-batch."
      })
  int create(
      @Parameters(
              paramLabel = "HANDLER",
              description = "Handler whose tasks join it, or pool: and the name of a pool.")
          String handler,
      @Option(
              names = "--name",
              description = "Name: when the handler has a batch of it, prints the id of that one.",
              defaultValue = "")
          String name) {
    return show(client -> client.batches().create(handler, name), batch -> batch.id().toString());
  }

  @Command(name = "show", description = "Shows a batch with its counts.")
  int show(@Parameters(paramLabel = "ID") String id, @Mixin WatchOptions watch) {
    return show(watch, client -> client.batches().get(BatchId.of(id)), BatchCommand::describe);
  }

  @Command(name = "list", description = "Lists batches, newest first.")
  int list(
      @Option(names = "--handler", description = "Only batches of this handler.", defaultValue = "")
          String handler,
      @Option(names = "--limit", defaultValue = "20", description = AnswerText.LIMIT) int limit,
      @Mixin WatchOptions watch) {
    return show(watch, client -> client.batches().list(handler, limit), BatchCommand::table);
  }

  @Command(
      name = "close",
      description = "Lets no more tasks join a batch: it ends when all its tasks have ended.")
  int close(@Parameters(paramLabel = "ID") String id) {
    return show(client -> client.batches().close(BatchId.of(id)), BatchCommand::describe);
  }

  @Command(name = "cancel", description = "Closes a batch, and cancels what has not ended of it.")
  int cancel(@Parameters(paramLabel = "ID") String id, @Mixin ConfirmOptions confirmation) {
    BatchId batch = BatchId.of(id);
    try (KairosClient client = connect()) {
      int unfinished = client.batches().get(batch).counts().unfinished();
      if (unfinished > 0) {
        confirm(confirmation, "Cancel %,d tasks? They cannot be put back.".formatted(unfinished));
      }
      long cancelled = client.batches().cancel(batch);
      print(Map.of("cancelled", cancelled), () -> cancelled + " cancelled");
      return 0;
    }
  }

  private static TextTable<BatchStatus> table(List<BatchStatus> batches) {
    return TextTable.of(batches)
        .column("ID", BatchStatus::id)
        .column("HANDLER", BatchStatus::handler)
        .column("NAME", BatchStatus::name)
        .column("STATE", BatchCommand::state)
        .column("DONE", batch -> batch.percent() + " %")
        .column("TASKS", batch -> batch.counts().total())
        .column("FAILED", batch -> batch.counts().failed() + batch.counts().dead())
        .column("CREATED", BatchStatus::createdAt);
  }

  private static String state(BatchStatus batch) {
    TaskState end = batch.state();
    if (end != null) {
      return AnswerText.of(end);
    }
    return batch.closedAt() == null ? "open" : "closed";
  }

  private static String describe(BatchStatus batch) {
    BatchStatus.Counts counts = batch.counts();
    return new TextLines()
        .add("", batch.id())
        .add("handler     ", batch.handler())
        .add("name        ", batch.name())
        .add("state       ", state(batch))
        .add("done        ", batch.percent() + " %")
        .add("tasks       ", counts.total())
        .add("unfinished  ", counts.unfinished())
        .add("succeeded   ", counts.succeeded())
        .add("failed      ", counts.failed())
        .add("cancelled   ", counts.cancelled())
        .add("dead        ", counts.dead())
        .add("created     ", batch.createdAt())
        .add("created by  ", batch.createdBy())
        .add("closed      ", batch.closedAt())
        .add("completed   ", batch.completedAt())
        .toString();
  }
}
