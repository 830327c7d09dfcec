package io.kairos.cli.option;

import static io.kairos.api.text.GivenValue.ifGiven;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.client.ScheduleSpec;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The target of a schedule. */
public final class TargetOptions {
  @ArgGroup @Nullable Kind kind;

  @Option(
      names = "--priority",
      description = "Priority of the task: 0 to 100, higher priorities first.")
  @Nullable Integer priority;

  @Option(names = "--key", description = "Ordering key of the task.")
  @Nullable String key;

  @Option(names = "--collection", description = "Collection (a label) of the task.")
  @Nullable String collection;

  @Option(names = "--fairness-key", description = "Fairness key of the task, such as a tenant.")
  @Nullable String fairnessKey;

  @Option(
      names = "--fairness-weight",
      description = "Weight of the fairness key: 1 to 1000 (default 1).")
  @Nullable Integer fairnessWeight;

  @Option(names = "--message-key", description = "Key of the Kafka record, as UTF-8.")
  @Nullable String messageKey;

  @Option(
      names = "--header",
      paramLabel = "NAME=VALUE",
      description = "Header of the Kafka record or of the request to the pool; may be repeated.")
  Map<String, String> headers = Map.of();

  @Option(
      names = "--method",
      defaultValue = "POST",
      description = "HTTP method of the request to the pool; POST when left out.")
  String method = "POST";

  @Option(names = "--path", defaultValue = "/", description = "Path on the endpoints of the pool.")
  String path = "/";

  @ArgGroup @Nullable PayloadOptions payload;

  /** The target: exactly one option. */
  static final class Kind {
    @Option(names = "--handler", description = "Makes tasks for this handler.")
    @Nullable String handler;

    @Option(names = "--topic", description = "Publishes messages to this Kafka topic.")
    @Nullable String topic;

    @Option(names = "--pool", description = "Makes tasks that are requests to this HTTP pool.")
    @Nullable String pool;
  }

  public boolean isGiven() {
    return kind != null;
  }

  /** Sets the given options on a schedule. */
  public void applyTo(ScheduleSpec.Builder spec) throws IOException {
    if (kind != null) {
      ifGiven(kind.handler, spec::handler);
      ifGiven(kind.topic, spec::topic);
      ifGiven(kind.pool, pool -> spec.pool(pool, method, path));
    }
    ifGiven(priority, spec::priority);
    ifGiven(key, spec::key);
    ifGiven(collection, spec::collection);
    ifGiven(fairnessKey, spec::fairnessKey);
    ifGiven(fairnessWeight, spec::fairnessWeight);
    ifGiven(messageKey, text -> spec.messageKey(text.getBytes(UTF_8)));
    boolean ofRequest = kind != null && kind.pool != null;
    headers.forEach((name, value) -> {
      if (ofRequest) {
        spec.requestHeader(name, value);
      } else {
        spec.messageHeader(name, value.getBytes(UTF_8));
      }
    });
    if (payload != null) {
      spec.payload(PayloadOptions.bytes(payload));
    }
  }
}
