package io.kairos.cli.cron;

import static io.kairos.api.text.GivenValue.ifGiven;

import com.google.protobuf.ByteString;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.CronEntry;
import io.kairos.api.v1.PoolTarget;
import io.kairos.cli.option.PayloadOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The work of an entry of a cron table. */
final class CronWorkOptions {
  @ArgGroup(multiplicity = "1")
  Kind kind = new Kind();

  @ArgGroup @Nullable PayloadOptions payload;

  @Option(
      names = "--key",
      description =
          "Ordering key of the task or of the request to the pool, or key of the message.")
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

  @Option(
      names = "--header",
      paramLabel = "NAME=VALUE",
      description = "Header of the request to the pool; may be repeated.")
  Map<String, String> headers = Map.of();

  @Option(
      names = "--method",
      description = "HTTP method of the request to the pool (default POST).")
  @Nullable String method;

  @Option(names = "--path", description = "Path on the endpoints of the pool (default /).")
  @Nullable String path;

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

    @Option(
        names = "--pool",
        description = "Has a node push a signed HTTP request to an endpoint of this pool.")
    @Nullable String pool;

    @Option(
        names = "--push",
        paramLabel = "URL",
        description = "Pushes an HTTP request that is not signed.")
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
  @Nullable String problem() {
    if (key != null && kind.task == null && kind.message == null && kind.pool == null) {
      return "--key goes with --task, --message and --pool.";
    }
    if (kind.pool == null && !(headers.isEmpty() && method == null && path == null)) {
      return "--header, --method and --path go with --pool.";
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
  void applyTo(CronEntry.Builder entry) throws IOException {
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
    if (kind.pool != null) {
      PoolTarget.Builder target = PoolTarget.newBuilder().setName(kind.pool);
      ifGiven(method, target::setMethod);
      ifGiven(path, target::setPath);
      headers.forEach((name, value) ->
          target.addHeaders(PoolTarget.Header.newBuilder().setName(name).setValue(value)));
      entry.getPushToPoolBuilder().setPool(target).setBody(bytes).setKey(givenKey);
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
