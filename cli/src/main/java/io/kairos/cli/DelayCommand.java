package io.kairos.cli;

import io.kairos.cli.option.PayloadOptions;
import io.kairos.cli.option.TopicOptions;
import io.kairos.cli.option.WhenOptions;
import io.kairos.cli.text.OutputOptions;
import io.kairos.client.KairosClient;
import io.kairos.client.Task;
import io.kairos.client.TaskRequest;
import io.kairos.client.task.TaskId;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code kairos delay ...}: delayed messages for Kafka topics, without Kafka. */
@Command(
    name = "delay",
    description = {
      "Sends, cancels and reschedules delayed messages for Kafka topics.",
      "Messages that applications send to an input topic have their own ids, and are"
          + " changed there: docs/delay-queue.md."
    },
    footer = {
      "",
      "  kairos delay send --topic kairos.out --message-key order-7 --payload cancelled --delay"
          + " 15m",
      "  kairos delay cancel ID"
    })
final class DelayCommand extends NodeCommand {
  DelayCommand() {
    super("Say what to do: send, cancel or reschedule.");
  }

  @Command(name = "send", description = "Stores a message until it is due, and prints its id.")
  int send(
      @ArgGroup(exclusive = false, multiplicity = "1") TopicOptions topic,
      @ArgGroup @Nullable PayloadOptions payload,
      @ArgGroup @Nullable WhenOptions when,
      @Mixin OutputOptions output)
      throws IOException {
    TaskRequest.Builder message = topic.request().payload(PayloadOptions.bytes(payload));
    WhenOptions.apply(when, message);
    try (KairosClient client = connect()) {
      TaskId id = client.schedule(message.build());
      output.print(out(), Map.of("id", id), () -> id);
    }
    return 0;
  }

  @Command(
      name = "cancel",
      description = "Cancels a message. Exit code 1 when it is published or being published.")
  int cancel(@Parameters(paramLabel = "ID") String id, @Mixin OutputOptions output) {
    return TaskCommand.cancel(this, id, output);
  }

  @Command(name = "reschedule", description = "Changes the due time of a waiting message.")
  int reschedule(
      @Parameters(paramLabel = "ID") String id,
      @ArgGroup(multiplicity = "1") WhenOptions when,
      @Mixin OutputOptions output) {
    try (KairosClient client = connect()) {
      Task message = when.reschedule(client, TaskId.of(id));
      output.print(
          out(),
          Map.of("id", message.id(), "runAt", message.runAt()),
          () -> message.id() + ": due " + message.runAt());
    }
    return 0;
  }
}
