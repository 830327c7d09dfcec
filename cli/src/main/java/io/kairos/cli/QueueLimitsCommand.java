package io.kairos.cli;

import static java.util.Objects.requireNonNull;

import io.kairos.cli.text.OutputOptions;
import io.kairos.client.KairosClient;
import io.kairos.client.QueueLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code kairos queue limits ...}: shows the limits of queues, and changes them. */
@Command(
    name = "limits",
    mixinStandardHelpOptions = true,
    description = {
      "Limits the tasks of a handler at one priority, over all nodes, or shows the limits.",
      "A limit that is not named stays as it is; none lifts it."
    })
final class QueueLimitsCommand implements Callable<Integer> {
  private static final String NONE = "none";

  @ParentCommand @Nullable NodeCommand group;
  @Mixin OutputOptions output = new OutputOptions();
  @Spec CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "HANDLER")
  String handler = "";

  @Option(
      names = "--priority",
      defaultValue = "50",
      description = "Of the queue (default ${DEFAULT-VALUE}).")
  int priority;

  @Option(names = "--max-running", description = "Most tasks at a time, or none.")
  @Nullable String maxRunning;

  @Option(names = "--rate", description = "Most tasks that begin in a second, or none.")
  @Nullable String rate;

  @Option(
      names = "--burst",
      description = "How many may begin at once after a pause, or none for a second's.")
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
    try (KairosClient client = requireNonNull(group).connect()) {
      List<QueueLimit> shown =
          fields.isEmpty()
              ? client.queues().handler(handler).limits()
              : List.of(client.queues().change(limit, fields));
      output.print(
          spec.commandLine().getOut(),
          shown,
          () -> shown.stream().map(Words::of).collect(Collectors.joining(System.lineSeparator())));
    }
    return 0;
  }

  private <T> @Nullable T number(
      @Nullable String text, String field, List<String> fields, Function<String, T> reader) {
    if (text == null) {
      return null;
    }
    fields.add(field);
    if (text.equals(NONE)) {
      return null;
    }
    try {
      return reader.apply(text);
    } catch (NumberFormatException e) {
      throw new ParameterException(
          spec.commandLine(), "'" + text + "' is neither a number nor none", e);
    }
  }
}
