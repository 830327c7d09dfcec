package io.kairos.edge.task;

import static io.kairos.edge.refusal.InvalidField.require;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.kairos.api.v1.Idempotency;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.Topic;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.task.TraceContext;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.edge.call.GivenPayload;
import io.kairos.edge.call.PayloadBytes;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.engine.delay.MessageEdge;
import io.kairos.engine.delay.NewMessage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks tasks whose destination is a topic and translates them for the delay queue. Throws {@link
 * InvalidField}.
 *
 * @param maxBytes the largest sum of payload, key and headers
 */
public record TopicRequests(int maxBytes) {
  private static final Set<Integer> FIELDS =
      Set.of(
          ScheduleTaskRequest.TOPIC_FIELD_NUMBER,
          ScheduleTaskRequest.RUN_AT_FIELD_NUMBER,
          ScheduleTaskRequest.DELAY_FIELD_NUMBER,
          ScheduleTaskRequest.PAYLOAD_FIELD_NUMBER,
          ScheduleTaskRequest.TRACEPARENT_FIELD_NUMBER,
          ScheduleTaskRequest.IDEMPOTENCY_FIELD_NUMBER);
  private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9._-]{1,249}");
  private static final int MOST_HEADERS = 100;
  private static final int LONGEST_HEADER_NAME = 256;
  private static final String RESERVED = "kairos-";

  /** The message that a task for a topic becomes. */
  public NewMessage message(ScheduleTaskRequest given, Instant now) {
    requireSize(GivenPayload.leastSize(given));
    ScheduleTaskRequest request = GivenPayload.inBytes("", ScheduleTaskRequest.class, given);
    for (FieldDescriptor field : request.getAllFields().keySet()) {
      require(
          FIELDS.contains(field.getNumber()),
          field.getName(),
          "must not be given together with topic");
    }
    Topic topic = request.getTopic();
    require(
        NAME.matcher(topic.getName()).matches(),
        "topic.name",
        "must be a Kafka topic's name: 1 to 249 of letters, digits and . _ -");
    List<MessageHeader> headers = headers(topic);
    TraceContext trace = TaskRequests.traceContext(request.getTraceparent());
    if (trace != null) {
      headers.add(
          new MessageHeader(
              TraceContext.HEADER, trace.traceparent().getBytes(StandardCharsets.US_ASCII)));
    }
    NewMessage message =
        new NewMessage(
            new TopicName(topic.getName()),
            TaskRequests.due(request, now),
            key(topic),
            PayloadBytes.in(request.getPayload()),
            headers,
            request.hasIdempotency() ? once(request, now) : null);
    requireSize(bytes(topic, request.getPayload()));
    return message;
  }

  private void requireSize(long bytes) {
    if (bytes > maxBytes) {
      throw new InvalidField(
          "payload", "must be at most %,d bytes together with key and headers".formatted(maxBytes));
    }
  }

  /**
   * The idempotency key. It holds only while the message waits, because nothing is kept of a
   * published message.
   */
  private static String once(ScheduleTaskRequest request, Instant now) {
    Idempotency idempotency = request.getIdempotency();
    require(
        idempotency.equals(Idempotency.newBuilder().setKey(idempotency.getKey()).build()),
        "idempotency",
        "must be a key and nothing else, together with topic");
    require(
        request.hasRunAt(), "run_at", "must be given, together with topic and an idempotency key");
    return TaskRequests.idempotency(request, TaskRequests.due(request, now), now).key();
  }

  /**
   * The route that may publish to all of these topics; a refusal about {@code field} if none may.
   */
  public static RouteId route(MessageEdge edge, Set<TopicName> topics, String field) {
    return edge.routeTo(topics)
        .orElseThrow(() ->
            new InvalidField(
                field, "must name an output topic of one route, or topics on its allowed-outputs"));
  }

  private static byte @Nullable [] key(Topic topic) {
    return topic.hasKey() ? PayloadBytes.in(topic.getKey()) : null;
  }

  private static List<MessageHeader> headers(Topic topic) {
    require(topic.getHeadersCount() <= MOST_HEADERS, "topic.headers", "must be at most 100");
    List<MessageHeader> headers = new ArrayList<>();
    for (int i = 0; i < topic.getHeadersCount(); i++) {
      Topic.Header header = topic.getHeaders(i);
      String name = header.getName();
      String field = "topic.headers[" + i + "].name";
      require(
          !name.isEmpty() && name.length() <= LONGEST_HEADER_NAME,
          field,
          "must have 1 to 256 characters");
      require(
          !name.toLowerCase(Locale.ROOT).startsWith(RESERVED),
          field,
          "must not begin with " + RESERVED);
      headers.add(new MessageHeader(name, PayloadBytes.in(header.getValue())));
    }
    return headers;
  }

  private static long bytes(Topic topic, ByteString payload) {
    long bytes = (long) payload.size() + topic.getKey().size();
    for (Topic.Header header : topic.getHeadersList()) {
      bytes += header.getName().length() + header.getValue().size();
    }
    return bytes;
  }
}
