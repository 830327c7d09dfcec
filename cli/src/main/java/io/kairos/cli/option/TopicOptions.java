package io.kairos.cli.option;

import static io.kairos.api.text.GivenValue.ifGiven;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.client.TaskRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A Kafka topic as destination, with key and headers of the record. */
public final class TopicOptions {
  @Option(
      names = "--topic",
      required = true,
      description = "Publishes the payload to this Kafka topic when it is due.")
  String topic = "";

  @Option(names = "--message-key", description = "Key of the record, as UTF-8.")
  @Nullable String key;

  @Option(
      names = "--header",
      paramLabel = "NAME=VALUE",
      description = "Header of the record, as UTF-8; may be repeated.")
  Map<String, String> headers = Map.of();

  public TaskRequest.Builder request() {
    TaskRequest.Builder request = TaskRequest.toTopic(topic);
    ifGiven(key, text -> request.messageKey(text.getBytes(UTF_8)));
    headers.forEach((name, value) -> request.messageHeader(name, value.getBytes(UTF_8)));
    return request;
  }
}
