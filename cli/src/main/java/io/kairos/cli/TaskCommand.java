package io.kairos.cli;

import io.kairos.cli.text.OutputOptions;
import io.kairos.client.CancelOutcome;
import io.kairos.client.KairosClient;
import io.kairos.client.RetryPolicy;
import io.kairos.client.Scheduled;
import io.kairos.client.Task;
import io.kairos.client.TaskId;
import io.kairos.client.TaskPage;
import io.kairos.client.TaskQuery;
import io.kairos.client.TaskRequest;
import io.kairos.client.TaskState;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code kairos task ...}: schedule tasks, look at them, change them. */
@Command(
    name = "task",
    mixinStandardHelpOptions = true,
    description = "Schedules tasks, shows and changes them.")
final class TaskCommand extends NodeCommand {
  private static final int MOST_PER_CALL = 1_000;

  TaskCommand() {
    super("Say what to do: add, get, list, cancel or reschedule.");
  }

  @Command(
      name = "add",
      mixinStandardHelpOptions = true,
      description = "Schedules a task and prints its id.")
  int add(
      @Parameters(
              paramLabel = "HANDLER",
              arity = "0..1",
              description = "Name of the code that performs it.")
          @Nullable String handler,
      @ArgGroup(exclusive = false) @Nullable TopicOptions topic,
      @ArgGroup @Nullable PayloadOptions payload,
      @Option(names = "--priority", description = "0 to 100, higher is sooner; 50 when left out.")
          @Nullable Integer priority,
      @Option(names = "--max-attempts", description = "Counts the first; 101 when left out.")
          @Nullable Integer maxAttempts,
      @Option(
              names = "--timeout",
              converter = DurationWord.class,
              description = "How long one attempt may take.")
          @Nullable Duration timeout,
      @Mixin LabelOptions labels,
      @ArgGroup @Nullable WhenOptions when,
      @Mixin OutputOptions output)
      throws IOException {
    TaskRequest.Builder task = destination(handler, topic).payload(PayloadOptions.bytes(payload));
    labels.applyTo(task);
    if (priority != null) {
      task.priority(priority);
    }
    if (maxAttempts != null) {
      task.retryPolicy(RetryPolicy.attempts(maxAttempts));
    }
    if (timeout != null) {
      task.executionTimeout(timeout);
    }
    WhenOptions.apply(when, task);
    try (KairosClient client = connect()) {
      Scheduled scheduled = client.accept(task.build());
      output.print(
          out(),
          scheduled,
          () -> scheduled.id() + (scheduled.duplicate() ? " (scheduled before)" : ""));
    }
    return 0;
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

  @Command(name = "get", mixinStandardHelpOptions = true, description = "Shows a task.")
  int get(@Parameters(paramLabel = "ID") String id, @Mixin OutputOptions output) {
    return show(this, id, output);
  }

  static int show(NodeCommand group, String id, OutputOptions output) {
    try (KairosClient client = group.connect()) {
      Task task = client.get(TaskId.of(id));
      output.print(group.out(), task, () -> TaskText.describe(task));
    }
    return 0;
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists tasks, newest first.")
  int list(
      @Option(names = "--handler", description = "Only tasks of this handler.", defaultValue = "")
          String handler,
      @Option(
              names = "--collection",
              description = "Only tasks of this collection.",
              defaultValue = "")
          String collection,
      @Option(
              names = "--key",
              description = "Only tasks with this ordering key; needs --handler.",
              defaultValue = "")
          String key,
      @Option(names = "--state", split = ",", description = "Only these: ${COMPLETION-CANDIDATES}.")
          @Nullable List<TaskState> states,
      @Option(
              names = "--limit",
              defaultValue = "20",
              description = "At most this many (default ${DEFAULT-VALUE}).")
          int limit,
      @Mixin OutputOptions output) {
    TaskQuery query = TaskQuery.all().handler(handler).collection(collection).key(key);
    if (states != null) {
      query = query.states(states.toArray(TaskState[]::new));
    }
    try (KairosClient client = connect()) {
      List<Task> tasks = all(client, query, limit);
      output.print(out(), tasks, () -> TaskText.list(tasks));
    }
    return 0;
  }

  /** Page by page, up to a limit. */
  static List<Task> all(KairosClient client, TaskQuery query, int limit) {
    List<Task> tasks = new ArrayList<>();
    TaskPage page = client.list(query.pageSize(Math.clamp(limit, 1, MOST_PER_CALL)));
    while (true) {
      int left = Math.max(0, limit - tasks.size());
      tasks.addAll(page.tasks().subList(0, Math.min(left, page.tasks().size())));
      left = limit - tasks.size();
      if (left <= 0 || page.isLast()) {
        return tasks;
      }
      page = client.list(query.pageSize(Math.min(left, MOST_PER_CALL)).after(page));
    }
  }

  @Command(
      name = "cancel",
      mixinStandardHelpOptions = true,
      description = "Cancels a task. Exit code 1 when it had ended before.")
  int cancel(@Parameters(paramLabel = "ID") String id, @Mixin OutputOptions output) {
    return cancel(this, id, output);
  }

  /** A task or a message; returns the exit code. */
  static int cancel(NodeCommand group, String id, OutputOptions output) {
    try (KairosClient client = group.connect()) {
      CancelOutcome outcome = client.cancel(TaskId.of(id));
      output.print(group.out(), Map.of("outcome", outcome), () -> Words.of(outcome));
      return outcome == CancelOutcome.TOO_LATE ? 1 : 0;
    }
  }

  @Command(
      name = "reschedule",
      mixinStandardHelpOptions = true,
      description = "Gives a task that waits another due time.")
  int reschedule(
      @Parameters(paramLabel = "ID") String id,
      @ArgGroup(multiplicity = "1") WhenOptions when,
      @Mixin OutputOptions output) {
    try (KairosClient client = connect()) {
      Task task = when.reschedule(client, TaskId.of(id));
      output.print(out(), task, () -> TaskText.describe(task));
    }
    return 0;
  }
}
