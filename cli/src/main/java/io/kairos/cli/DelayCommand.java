package io.kairos.cli;

import io.kairos.cli.text.OutputOptions;
import io.kairos.client.KairosClient;
import io.kairos.client.Task;
import io.kairos.client.TaskId;
import io.kairos.client.TaskRequest;
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
    mixinStandardHelpOptions = true,
    description = {
      "Has messages published to Kafka topics when they are due, and changes its mind.",
      "Applications send such messages to an input topic: docs/delay-queue.md. Those have ids of"
          + " their own, and are amended there."
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

  @Command(
      name = "send",
      mixinStandardHelpOptions = true,
      description = "Stores a message until it is due, and prints its id.")
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
      mixinStandardHelpOptions = true,
      description = "Cancels a message. Exit code 1 when it is published or about to be.")
  int cancel(@Parameters(paramLabel = "ID") String id, @Mixin OutputOptions output) {
    return TaskCommand.cancel(this, id, output);
  }

  @Command(
      name = "reschedule",
      mixinStandardHelpOptions = true,
      description = "Gives a message that waits another due time.")
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
