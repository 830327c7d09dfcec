package io.kairos.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.client.ScheduleSpec;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** What a fire of a schedule makes. */
final class TargetOptions {
  @ArgGroup @Nullable Kind kind;

  @Option(names = "--priority", description = "Of the task: 0 to 100, higher is sooner.")
  @Nullable Integer priority;

  @Option(names = "--key", description = "Ordering key of the task.")
  @Nullable String key;

  @Option(names = "--collection", description = "Label of the task.")
  @Nullable String collection;

  @Option(names = "--message-key", description = "Key of the topic's record, as UTF-8.")
  @Nullable String messageKey;

  @Option(
      names = "--header",
      paramLabel = "NAME=VALUE",
      description = "A header of the topic's record or the pool's request; any number.")
  @Nullable Map<String, String> headers;

  @Option(names = "--method", defaultValue = "POST", description = "Of the pool's request: POST.")
  String method = "POST";

  @Option(names = "--path", defaultValue = "/", description = "On the pool's endpoints.")
  String path = "/";

  @ArgGroup @Nullable PayloadOptions payload;

  /** Exactly one of them. */
  static final class Kind {
    @Option(names = "--handler", description = "Makes tasks for this handler.")
    @Nullable String handler;

    @Option(names = "--topic", description = "Publishes to this Kafka topic.")
    @Nullable String topic;

    @Option(names = "--pool", description = "Sends requests to this HTTP pool.")
    @Nullable String pool;
  }

  boolean isGiven() {
    return kind != null;
  }

  /** Sets what is given. */
  void applyTo(ScheduleSpec.Builder spec) throws IOException {
    if (kind != null && kind.handler != null) {
      spec.handler(kind.handler);
    }
    if (kind != null && kind.topic != null) {
      spec.topic(kind.topic);
    }
    if (kind != null && kind.pool != null) {
      spec.pool(kind.pool, method, path);
    }
    if (priority != null) {
      spec.priority(priority);
    }
    if (key != null) {
      spec.key(key);
    }
    if (collection != null) {
      spec.collection(collection);
    }
    if (messageKey != null) {
      spec.messageKey(messageKey.getBytes(UTF_8));
    }
    if (headers != null) {
      boolean ofRequest = kind != null && kind.pool != null;
      headers.forEach((name, value) -> {
        if (ofRequest) {
          spec.requestHeader(name, value);
        } else {
          spec.messageHeader(name, value.getBytes(UTF_8));
        }
      });
    }
    if (payload != null) {
      spec.payload(PayloadOptions.bytes(payload));
    }
  }
}
