package io.kairos.cli;

import static java.util.Objects.requireNonNull;

import io.kairos.cli.command.AnswerCommand;
import io.kairos.cli.option.PayloadOptions;
import io.kairos.cli.option.TopicOptions;
import io.kairos.cli.option.WhenOptions;
import io.kairos.client.TaskRequest;
import io.kairos.client.task.TaskId;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code kairos delay ...}: delayed messages for Kafka topics, without Kafka. */
@Command(
    name = "delay",
    addMethodSubcommands = false,
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
final class DelayCommand extends AnswerCommand {
  @Command(name = "send", description = "Stores a message until it is due, and prints its id.")
  int send(
      @ArgGroup(exclusive = false, multiplicity = "1") TopicOptions topic,
      @ArgGroup @Nullable PayloadOptions payload,
      @ArgGroup @Nullable WhenOptions when)
      throws IOException {
    TaskRequest.Builder message = topic.request().payload(PayloadOptions.bytes(payload));
    WhenOptions.apply(when, message);
    return show(
        client -> Map.of("id", client.schedule(message.build())),
        sent -> requireNonNull(sent.get("id")));
  }

  @Command(
      name = "cancel",
      description = "Cancels a message. Exit code 1 when it is published or being published.")
  int cancel(@Parameters(paramLabel = "ID") String id) {
    return TaskCommand.cancel(this, id);
  }

  @Command(name = "reschedule", description = "Changes the due time of a waiting message.")
  int reschedule(
      @Parameters(paramLabel = "ID") String id, @ArgGroup(multiplicity = "1") WhenOptions when) {
    return show(
        client -> Map.of("id", id, "runAt", when.reschedule(client, TaskId.of(id)).runAt()),
        message -> message.get("id") + ": due " + message.get("runAt"));
  }
}
