package io.kairos.cli;

import io.kairos.cli.command.AnswerCommand;
import io.kairos.cli.option.ListOptions;
import io.kairos.cli.option.WatchOptions;
import io.kairos.cli.text.TaskText;
import io.kairos.client.TaskQuery;
import io.kairos.client.task.TaskState;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kairos dlq ...}: tasks that have failed for good. */
@Command(
    name = "dlq",
    addMethodSubcommands = false,
    description = {
      "Shows tasks that have failed for good, and puts them back: dead tasks have used up"
          + " their attempts, failed tasks were reported as failed for good.",
      "The history keeps these tasks until their retention ends. Messages that the delay"
          + " queue cannot publish go to a Kafka topic: docs/delay-queue.md."
    },
    subcommands = HandlerRedriveCommand.class)
final class DlqCommand extends AnswerCommand {
  @Command(name = "list", description = "Lists these tasks with their last error, newest first.")
  int list(
      @Mixin ListOptions which,
      @Option(names = "--state", description = "dead or failed; both when left out.")
          @Nullable TaskState state,
      @Mixin WatchOptions watch) {
    TaskQuery all = TaskQuery.all();
    TaskQuery query =
        state == null ? all.states(TaskState.DEAD, TaskState.FAILED) : all.states(state);
    return show(watch, client -> which.list(client, query), TaskText::failed);
  }

  @Command(name = "show", description = "Shows a task with all its failures.")
  int show(@Parameters(paramLabel = "ID") String id) {
    return TaskCommand.show(this, id);
  }
}
