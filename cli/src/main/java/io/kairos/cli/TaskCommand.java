package io.kairos.cli;

import static java.util.Objects.requireNonNull;

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
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kairos task ...}: schedule tasks, look at them, change them. */
@Command(
    name = "task",
    mixinStandardHelpOptions = true,
    description = "Schedules tasks, shows and changes them.")
final class TaskCommand implements Runnable {
  @Mixin NodeOptions node = new NodeOptions();
  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Say what to do: add, get, list, cancel or reschedule.");
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
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
      @Option(names = "--payload", description = "Text, passed on as UTF-8.") @Nullable String text,
      @Option(
              names = "--payload-file",
              description = "File with the payload, - for standard input.")
          @Nullable String file,
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
      @ArgGroup @Nullable WhenOptions when)
      throws IOException {
    TaskRequest.Builder task = destination(handler, topic).payload(payload(text, file));
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
    if (when != null && when.at != null) {
      task.runAt(when.at);
    }
    if (when != null && when.delay != null) {
      task.delay(when.delay);
    }
    try (KairosClient client = node.connect()) {
      Scheduled scheduled = client.accept(task.build());
      out().println(scheduled.id() + (scheduled.duplicate() ? " (scheduled before)" : ""));
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

  private byte[] payload(@Nullable String text, @Nullable String file) throws IOException {
    if (text != null && file != null) {
      throw new ParameterException(
          spec.commandLine(), "Give --payload or --payload-file, not both.");
    }
    if (file != null) {
      return file.equals("-") ? System.in.readAllBytes() : Files.readAllBytes(Path.of(file));
    }
    return text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
  }

  @Command(name = "get", mixinStandardHelpOptions = true, description = "Shows a task.")
  int get(@Parameters(paramLabel = "ID") String id) {
    try (KairosClient client = node.connect()) {
      show(client.get(TaskId.of(id)));
    }
    return 0;
  }

  private void show(Task task) {
    PrintWriter out = out();
    out.println("id        " + task.id());
    out.println("handler   " + task.handler() + ", priority " + task.priority());
    out.println(
        "state     "
            + Words.of(task.state())
            + (task.cancelRequested() ? ", cancel requested" : ""));
    out.println("due       " + task.runAt());
    out.println("created   " + task.createdAt());
    out.println("attempts  " + task.attempt());
    if (!task.key().isEmpty()) {
      out.println("key       " + task.key());
    }
    if (!task.collection().isEmpty()) {
      out.println("collection " + task.collection());
    }
    if (task.startDeadline() != null) {
      out.println("start by  " + task.startDeadline());
    }
    if (!task.holder().isEmpty()) {
      out.println("holder    " + task.holder());
    }
    if (task.nextTrigger() != null) {
      out.println("next      " + task.nextTrigger());
    }
    if (task.finishedAt() != null) {
      out.println("finished  " + task.finishedAt());
    }
    for (Task.Failure failure : task.failures()) {
      out.println(
          "failed    attempt %d at %s: %s"
              .formatted(failure.attempt(), failure.at(), failure.error()));
    }
    if (!task.result().isEmpty()) {
      out.println("result    " + task.result());
    }
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
          int limit) {
    TaskQuery query = TaskQuery.all().handler(handler).collection(collection).key(key);
    if (states != null) {
      query = query.states(states.toArray(TaskState[]::new));
    }
    try (KairosClient client = node.connect()) {
      int left = limit;
      TaskPage page = client.list(query.pageSize(Math.clamp(left, 1, 1_000)));
      while (true) {
        for (Task task : page.tasks().subList(0, Math.min(left, page.tasks().size()))) {
          out()
              .println(
                  "%s  %-18s  %-20s  %s"
                      .formatted(task.id(), Words.of(task.state()), task.handler(), task.runAt()));
        }
        left -= page.tasks().size();
        if (left <= 0 || page.isLast()) {
          return 0;
        }
        page = client.list(query.pageSize(Math.clamp(left, 1, 1_000)).after(page));
      }
    }
  }

  @Command(
      name = "cancel",
      mixinStandardHelpOptions = true,
      description = "Cancels a task. Exit code 1 when it had ended before.")
  int cancel(@Parameters(paramLabel = "ID") String id) {
    try (KairosClient client = node.connect()) {
      CancelOutcome outcome = client.cancel(TaskId.of(id));
      out().println(Words.of(outcome));
      return outcome == CancelOutcome.TOO_LATE ? 1 : 0;
    }
  }

  @Command(
      name = "reschedule",
      mixinStandardHelpOptions = true,
      description = "Gives a task that waits another due time.")
  int reschedule(
      @Parameters(paramLabel = "ID") String id, @ArgGroup(multiplicity = "1") WhenOptions when) {
    try (KairosClient client = node.connect()) {
      TaskId task = TaskId.of(id);
      show(
          when.at != null
              ? client.reschedule(task, when.at)
              : client.reschedule(task, requireNonNull(when.delay)));
    }
    return 0;
  }
}
