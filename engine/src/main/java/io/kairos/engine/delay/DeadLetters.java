package io.kairos.engine.delay;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.domain.delay.ControlHeaders;
import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Header;
import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.InputRecord;
import io.kairos.domain.delay.Rejection;
import io.kairos.domain.task.HandlerName;
import io.kairos.domain.task.Output;
import io.kairos.domain.task.PoolName;
import io.kairos.domain.task.TopicName;
import io.kairos.engine.delay.port.Outgoing;
import io.kairos.engine.delay.port.Publisher;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds dead letters: the record as it came, key, value and all headers, followed by why it could
 * not be handled and where it came from. Sent to the input topic again it is taken as the original:
 * the added headers are ignored there.
 */
record DeadLetters(Route route) {

  Outgoing ofRejected(InputRecord input, Rejection rejection, Publisher publisher) {
    List<Header> headers = new ArrayList<>(input.headers());
    addReason(headers, rejection.reason(), rejection.detail());
    headers.add(text(ControlHeaders.SOURCE_TOPIC, route.inputTopic()));
    headers.add(text(ControlHeaders.SOURCE_PARTITION, Integer.toString(input.partition())));
    headers.add(text(ControlHeaders.SOURCE_OFFSET, Long.toString(input.offset())));
    return letter(input.key(), input.value(), headers, publisher);
  }

  /**
   * A stored message that its output topic refuses. Its id, its due time and the output topic,
   * handler or pool that it named come back as headers. Stored headers that cannot be read are left
   * out, and the reason says so.
   */
  Outgoing ofRefused(DelayedMessage message, Output output, String why, Publisher publisher) {
    List<Header> headers = new ArrayList<>();
    String detail = output.label() + ": " + why;
    try {
      headers.addAll(HeaderCodec.decode(message.headers()));
    } catch (IllegalArgumentException e) {
      detail += "; its own headers are left out: " + e.getMessage();
    }
    headers.removeIf(header -> header.name().equals(ControlHeaders.ID));
    headers.add(text(ControlHeaders.ID, message.id().value()));
    headers.add(text(ControlHeaders.DUE_AT, message.dueAt().toString()));
    Output own = message.output();
    if (own != null) {
      headers.add(header(own));
    }
    addReason(headers, Rejection.Reason.PUBLISH_REFUSED, detail);
    headers.add(text(ControlHeaders.SOURCE_TOPIC, route.inputTopic()));
    return letter(message.key(), message.value(), headers, publisher);
  }

  /** The header that names the output. */
  private static Header header(Output output) {
    return switch (output) {
      case TopicName(String topic) -> text(ControlHeaders.OUTPUT_TOPIC, topic);
      case HandlerName(String handler) -> text(ControlHeaders.HANDLER, handler);
      case PoolName(String pool) -> text(ControlHeaders.POOL, pool);
    };
  }

  private Outgoing letter(
      byte @Nullable [] key, byte @Nullable [] value, List<Header> headers, Publisher publisher) {
    TopicName topic = route.deadLetterTopic();
    return new Outgoing(
        topic, Partitions.choose(publisher, topic, key), key, value, HeaderCodec.encode(headers));
  }

  private static void addReason(List<Header> headers, Rejection.Reason reason, String detail) {
    headers.add(text(ControlHeaders.REASON, reason.label()));
    headers.add(text(ControlHeaders.REASON_DETAIL, detail));
  }

  private static Header text(String name, String value) {
    return new Header(name, value.getBytes(UTF_8));
  }
}
