package io.kairos.cli;

import static io.kairos.api.text.GivenValue.ifGiven;
import static io.kairos.cli.option.Conditions.with;
import static java.util.Objects.requireNonNull;

import io.kairos.cli.command.AnswerCommand;
import io.kairos.cli.context.PayloadKeysFile;
import io.kairos.cli.option.AfterOptions;
import io.kairos.cli.option.ConfirmOptions;
import io.kairos.cli.option.FilterOptions;
import io.kairos.cli.option.LabelOptions;
import io.kairos.cli.option.ListOptions;
import io.kairos.cli.option.PayloadOptions;
import io.kairos.cli.option.TopicOptions;
import io.kairos.cli.option.WatchOptions;
import io.kairos.cli.option.WhenOptions;
import io.kairos.cli.text.AnswerText;
import io.kairos.cli.text.GraphText;
import io.kairos.cli.text.TaskText;
import io.kairos.client.FailureQuery;
import io.kairos.client.KairosClient;
import io.kairos.client.Task;
import io.kairos.client.TaskOutcome;
import io.kairos.client.TaskQuery;
import io.kairos.client.TaskRequest;
import io.kairos.client.encryption.EncryptedPayloads;
import io.kairos.client.task.CancelOutcome;
import io.kairos.client.task.ChangedTasks;
import io.kairos.client.task.RetryPolicy;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskResult;
import io.kairos.client.task.TaskState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code kairos task ...}: schedules, shows and changes tasks. */
@Command(
    name = "task",
    addMethodSubcommands = false,
    description = "Schedules tasks, shows and changes them.")
final class TaskCommand extends AnswerCommand {
  @Command(name = "add", description = "Schedules a task and prints its id.")
  int add(
      @Parameters(
              paramLabel = "HANDLER",
              arity = "0..1",
              description = "Name of the handler that performs the task.")
          @Nullable String handler,
      @ArgGroup(exclusive = false) @Nullable TopicOptions topic,
      @ArgGroup @Nullable PayloadOptions payload,
      @Option(
              names = "--priority",
              description = "0 to 100, higher priorities first; 50 when left out.")
          @Nullable Integer priority,
      @Option(
              names = "--max-attempts",
              description = "Maximum number of attempts, including the first; 101 when left out.")
          @Nullable Integer maxAttempts,
      @Option(names = "--timeout", description = "Maximum duration of one attempt.")
          @Nullable Duration timeout,
      @Mixin LabelOptions labels,
      @Mixin AfterOptions after,
      @ArgGroup @Nullable WhenOptions when)
      throws IOException {
    TaskRequest.Builder task = destination(handler, topic).payload(PayloadOptions.bytes(payload));
    labels.applyTo(task);
    after.applyTo(task);
    ifGiven(priority, task::priority);
    ifGiven(maxAttempts, most -> task.retryPolicy(RetryPolicy.attempts(most)));
    ifGiven(timeout, task::executionTimeout);
    WhenOptions.apply(when, task);
    return show(
        client -> client.accept(task.build()),
        scheduled -> scheduled.id() + (scheduled.duplicate() ? " (scheduled before)" : ""));
  }

  private TaskRequest.Builder destination(@Nullable String handler, @Nullable TopicOptions topic) {
    if (handler != null && topic == null) {
      return TaskRequest.to(handler);
    }
    if (topic != null && handler == null) {
      return topic.request();
    }
    throw new ParameterException(spec.commandLine(), "Give a HANDLER or --topic, and not both.");
  }

  @Command(name = "get", description = "Shows a task.")
  int get(
      @Parameters(paramLabel = "ID") String id,
      @Option(
              names = "--payload-keys",
              paramLabel = "FILE",
              description =
                  "File with the keys of an encrypted payload, id:base64 in each line: payload,"
                      + " result and errors are shown decrypted.")
          @Nullable Path keys) {
    if (keys == null) {
      return show(this, id);
    }
    EncryptedPayloads payloads = PayloadKeysFile.read(keys).acceptingPlaintext();
    try (KairosClient client = calls().client(destination()).encryption(payloads).build()) {
      Task task = client.get(TaskId.of(id));
      print(task, () -> TaskText.describeDecrypted(task));
      return 0;
    }
  }

  @Command(
      name = "await",
      description = {
        "Waits until a task has ended, and shows how, with the result that it has left.",
        "Exit code 0 when it has succeeded, 1 when it has failed or was cancelled, 3 when it has not"
            + " ended within the time."
      })
  int await(
      @Parameters(paramLabel = "ID") String id,
      @Option(
              names = "--for",
              paramLabel = "TIME",
              description = "Longest time to wait; one hour when left out.",
              defaultValue = "1h")
          Duration atMost,
      @Option(
              names = "--save",
              paramLabel = "FILE",
              description = "Writes the bytes of the result to this file.")
          @Nullable Path saved,
      @Option(
              names = "--payload-keys",
              paramLabel = "FILE",
              description = "File with the keys of an encrypted result, id:base64 in each line.")
          @Nullable Path keys)
      throws IOException {
    KairosClient.Builder builder = calls().client(destination());
    if (keys != null) {
      builder.encryption(PayloadKeysFile.read(keys).acceptingPlaintext());
    }
    try (KairosClient client = builder.build()) {
      TaskOutcome outcome = client.await(TaskId.of(id), atMost);
      if (saved != null && outcome instanceof TaskOutcome.Succeeded succeeded) {
        Files.write(saved, succeeded.result().map(TaskResult::value).orElse(new byte[0]));
      }
      print(outcome, () -> TaskText.outcome(outcome));
      return outcome instanceof TaskOutcome.Succeeded
          ? 0
          : outcome instanceof TaskOutcome.StillRunning ? 3 : 1;
    }
  }

  @Command(
      name = "graph",
      description =
          "Shows all tasks that are connected with a task: those that it waits for, those that wait"
              + " for it, and what is connected with these in turn.")
  int graph(@Parameters(paramLabel = "ID") String id) {
    return show(client -> client.graph(TaskId.of(id)), GraphText::describe);
  }

  @Command(
      name = "cancel-graph",
      description =
          "Cancels what has not ended of a task and of those that wait for it, directly or through"
              + " others; not what it waits for.")
  int cancelGraph(@Parameters(paramLabel = "ID") String id) {
    return show(
        client -> client.cancelGraph(TaskId.of(id)),
        done -> done.cancelled() + " cancelled" + (done.more() ? "; more is left, try again" : ""));
  }

  static int show(AnswerCommand group, String id) {
    return group.show(client -> client.get(TaskId.of(id)), TaskText::describe);
  }

  @Command(name = "list", description = "Lists tasks, newest first.")
  int list(
      @Mixin ListOptions which,
      @Option(
              names = "--key",
              description = "Only tasks with this ordering key; needs --handler.",
              defaultValue = "")
          String key,
      @Option(
              names = "--state",
              split = ",",
              description = "Only these states: ${COMPLETION-CANDIDATES}.")
          @Nullable List<TaskState> states,
      @Option(names = "--from", description = "Only tasks due at or after this time.")
          @Nullable Instant from,
      @Option(names = "--to", description = "Only tasks due before this time.")
          @Nullable Instant to,
      @Mixin WatchOptions watch) {
    TaskQuery ofKey = with(TaskQuery.all(), key, TaskQuery::key);
    TaskQuery due = with(with(ofKey, from, TaskQuery::dueFrom), to, TaskQuery::dueBefore);
    TaskQuery query = states == null ? due : due.states(states.toArray(TaskState[]::new));
    return show(watch, client -> which.list(client, query), TaskText::list);
  }

  @Command(
      name = "failures",
      description = {
        "Lists failed and dead tasks in groups: of one handler, with errors that differ only in"
            + " numbers, ids and quoted words. The group with the latest end comes first.",
        "Looks at the 100,000 that ended last."
      })
  int failures(
      @Option(names = "--handler", description = "Only tasks of this handler.", defaultValue = "")
          String handler,
      @Option(names = "--since", description = "Only tasks that ended at or after this time.")
          @Nullable Instant since,
      @Mixin WatchOptions watch) {
    FailureQuery ofHandler = with(FailureQuery.all(), handler, FailureQuery::handler);
    FailureQuery query = with(ofHandler, since, FailureQuery::endedFrom);
    return show(watch, client -> client.handlers().failures(query).groups(), TaskText::failures);
  }

  @Command(
      name = "cancel",
      description = {
        "Cancels a task, or all unfinished tasks that match.",
        "Exit code 1 when the task had ended before."
      })
  int cancel(
      @Parameters(paramLabel = "ID", arity = "0..1") @Nullable String id,
      @Mixin FilterOptions which,
      @Option(names = "--dry-run", description = "Counts the tasks that match, and cancels none.")
          boolean isDryRun,
      @Mixin ConfirmOptions confirmation) {
    if (id != null && !which.isGiven() && !isDryRun) {
      return cancel(this, id);
    }
    if (id != null || !which.isGiven()) {
      throw new ParameterException(
          spec.commandLine(), "Give an ID, or say which tasks by --handler and the like.");
    }
    try (KairosClient client = connect()) {
      ChangedTasks found = which.count(client);
      if (isDryRun) {
        print(Map.of("matching", found.count()), () -> found.count() + " would be cancelled");
        return 0;
      }
      if (found.count() > 0) {
        confirm(
            confirmation, "Cancel %,d tasks? They cannot be put back.".formatted(found.count()));
      }
      long cancelled = found.count() == 0 ? 0 : which.cancel(client, found.at());
      print(Map.of("cancelled", cancelled), () -> cancelled + " cancelled");
      return 0;
    }
  }

  /** Cancels a task or a message; returns the exit code. */
  static int cancel(AnswerCommand group, String id) {
    return group.show(
        client -> Map.of("outcome", client.cancel(TaskId.of(id))),
        done -> AnswerText.of(requireNonNull(done.get("outcome"))),
        done -> done.get("outcome") == CancelOutcome.TOO_LATE);
  }

  @Command(name = "reschedule", description = "Changes the due time of a waiting task.")
  int reschedule(
      @Parameters(paramLabel = "ID") String id, @ArgGroup(multiplicity = "1") WhenOptions when) {
    return show(client -> when.reschedule(client, TaskId.of(id)), TaskText::describe);
  }
}
