package io.kairos.cli;

import io.kairos.cli.command.PartCommand;
import io.kairos.cli.text.AnswerText;
import io.kairos.client.queue.QueueLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kairos handler limits ...}: shows the limits of queues, and changes them. */
@Command(
    name = "limits",
    description = {
      "Shows or changes the limits of a handler's tasks at one priority, over all nodes.",
      "Limits that are not named stay as they are; the word none lifts a limit."
    })
final class HandlerLimitsCommand extends PartCommand {

  @Parameters(paramLabel = "HANDLER")
  String handler = "";

  @Option(
      names = "--priority",
      defaultValue = "50",
      description = "Priority of the queue (default ${DEFAULT-VALUE}).")
  int priority;

  @Option(names = "--max-running", description = "Maximum number of concurrent tasks, or none.")
  @Nullable String maxRunning;

  @Option(names = "--rate", description = "Maximum number of tasks that begin per second, or none.")
  @Nullable String rate;

  @Option(
      names = "--burst",
      description = "Tasks that may begin at once after a pause, or none for the rate.")
  @Nullable String burst;

  @Override
  public Integer call() {
    List<String> fields = new ArrayList<>();
    QueueLimit limit =
        new QueueLimit(
            handler,
            priority,
            number(maxRunning, "max_running", fields, Integer::valueOf),
            number(rate, "per_second", fields, Double::valueOf),
            number(burst, "burst", fields, Integer::valueOf),
            0);
    return group()
        .show(
            client ->
                fields.isEmpty()
                    ? client.handlers().get(handler).limits()
                    : List.of(client.handlers().change(limit, fields)),
            HandlerLimitsCommand::words);
  }

  private static String words(List<QueueLimit> limits) {
    return limits.stream().map(AnswerText::of).collect(Collectors.joining(System.lineSeparator()));
  }

  private <T> @Nullable T number(
      @Nullable String text, String field, List<String> fields, Function<String, T> reader) {
    if (text == null) {
      return null;
    }
    fields.add(field);
    return value(text, "none", "a number", reader);
  }
}
