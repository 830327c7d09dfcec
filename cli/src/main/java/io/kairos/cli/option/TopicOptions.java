package io.kairos.cli.option;

import io.kairos.client.TaskRequest;
import java.nio.charset.StandardCharsets;
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
  @Nullable Map<String, String> headers;

  public TaskRequest.Builder request() {
    TaskRequest.Builder request = TaskRequest.toTopic(topic);
    if (key != null) {
      request.messageKey(bytes(key));
    }
    if (headers != null) {
      headers.forEach((name, value) -> request.messageHeader(name, bytes(value)));
    }
    return request;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
