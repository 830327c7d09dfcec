package io.kairos.cli.option;

import static io.kairos.api.text.GivenValue.ifGiven;

import com.google.protobuf.ByteString;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.CronEntry;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The work of an entry of a cron table. */
public final class CronWorkOptions {
  @ArgGroup(multiplicity = "1")
  Kind kind = new Kind();

  @ArgGroup @Nullable PayloadOptions payload;

  @Option(names = "--key", description = "Ordering key of the task, or key of the message.")
  @Nullable String key;

  @Option(
      names = "--delay",
      description = "How long after the fire time the message is published, at least 1m.")
  @Nullable Duration delay;

  @Option(
      names = "--content-type",
      paramLabel = "TYPE",
      description = "Content type of the push (default application/octet-stream).")
  @Nullable String contentType;

  /** The work: exactly one option. */
  static final class Kind {
    @Option(
        names = "--task",
        paramLabel = "HANDLER",
        description = "Enqueues a task for this handler.")
    @Nullable String task;

    @Option(
        names = "--message",
        paramLabel = "TOPIC",
        description = "Publishes a message to this Kafka topic, after --delay.")
    @Nullable String message;

    @Option(names = "--push", paramLabel = "URL", description = "Pushes an HTTP request.")
    @Nullable String push;

    @Option(
        names = "--prune",
        paramLabel = "AGE",
        description = "Deletes older fires from the journal.")
    @Nullable Duration prune;

    @Option(names = "--run", paramLabel = "MODULE", description = "Runs a module of the replicas.")
    @Nullable String run;
  }

  /** Returns why the options contradict each other; null when they do not. */
  @Nullable
  public String problem() {
    if (key != null && kind.task == null && kind.message == null) {
      return "--key goes with --task and --message.";
    }
    if ((delay == null) != (kind.message == null)) {
      return "--delay goes with --message, and the other way round.";
    }
    if (contentType != null && kind.push == null) {
      return "--content-type goes with --push.";
    }
    return payload != null && kind.prune != null ? "--prune has no payload." : null;
  }

  /** Sets the given options on an entry. */
  public void applyTo(CronEntry.Builder entry) throws IOException {
    ByteString bytes = ByteString.copyFrom(PayloadOptions.bytes(payload));
    String givenKey = key == null ? "" : key;
    if (kind.task != null) {
      entry.getEnqueueTaskBuilder().setHandler(kind.task).setPayload(bytes).setKey(givenKey);
    }
    if (kind.message != null && delay != null) {
      entry
          .getPostMessageBuilder()
          .setTopic(kind.message)
          .setKey(ByteString.copyFromUtf8(givenKey))
          .setValue(bytes)
          .setDelay(ProtoTime.of(delay));
    }
    if (kind.push != null) {
      entry
          .getPushBuilder()
          .setUrl(kind.push)
          .setContentType(contentType == null ? "" : contentType)
          .setBody(bytes);
    }
    ifGiven(kind.prune, age -> entry.setPrune(ProtoTime.of(age)));
    if (kind.run != null) {
      entry.getRunBuilder().setModule(kind.run).setArgument(bytes);
    }
  }
}
