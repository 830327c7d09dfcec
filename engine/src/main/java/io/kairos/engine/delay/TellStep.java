package io.kairos.engine.delay;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.ControlHeaders;
import io.kairos.domain.delay.Header;
import io.kairos.domain.delay.HeaderCodec;
import io.kairos.engine.delay.port.AmendmentResult;
import io.kairos.engine.delay.port.AmendmentStore;
import io.kairos.engine.delay.port.Outgoing;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.delay.port.ReplyTo;
import io.kairos.engine.delay.port.SendResult;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Tells outcomes of control records to the results topics, at least once each, then forgets them.
 */
final class TellStep implements Step {
  private static final int MOST_PER_ROUND = 500;

  private final NodeContext node;
  private final AmendmentStore amendments;
  private final Publisher publisher;
  private final Outbox outbox;

  TellStep(NodeContext node, AmendmentStore amendments, Publisher publisher, Outbox outbox) {
    this.node = node;
    this.amendments = amendments;
    this.publisher = publisher;
    this.outbox = outbox;
  }

  @Override
  public String name() {
    return "tell";
  }

  @Override
  public Next runOnce() {
    Optional<Incarnation> acting = node.membership().acting();
    if (acting.isEmpty()) {
      return Next.after(node.config().claiming().pollInterval());
    }
    List<AmendmentResult> untold = amendments.untold(acting.get().id(), MOST_PER_ROUND);
    List<Long> told = new ArrayList<>();
    List<AmendmentResult> toPublish = new ArrayList<>();
    List<Outgoing> records = new ArrayList<>();
    for (AmendmentResult result : untold) {
      String topic = node.routes().get(result.route()).resultsTopic();
      if (topic == null) {
        told.add(result.number()); // the results topic was taken out of the configuration
      } else {
        toPublish.add(result);
        records.add(record(topic, node.routes().get(result.route()).inputTopic(), result));
      }
    }
    List<SendResult> answers =
        records.isEmpty()
            ? List.of()
            : outbox.publishAll(records, node.config().firing().publishTimeout());
    for (int i = 0; i < answers.size(); i++) {
      if (answers.get(i) instanceof SendResult.Acknowledged) {
        told.add(toPublish.get(i).number());
      }
    }
    if (!told.isEmpty()) {
      amendments.told(told);
    }
    return told.size() == MOST_PER_ROUND
        ? Next.AT_ONCE
        : Next.after(node.config().claiming().pollInterval());
  }

  private Outgoing record(String topic, String inputTopic, AmendmentResult result) {
    ReplyTo.ResultsTopic to = result.replyTo();
    List<Header> headers =
        List.of(
            header(ControlHeaders.ID, result.id().value()),
            header(
                ControlHeaders.CONTROL,
                result.amendment() instanceof Amendment.Cancel ? "cancel" : "reschedule"),
            header(
                ControlHeaders.OUTCOME,
                result.outcome().name().toLowerCase(Locale.ROOT).replace('_', '-')),
            header(ControlHeaders.SOURCE_TOPIC, inputTopic),
            header(ControlHeaders.SOURCE_PARTITION, Integer.toString(to.partition())),
            header(ControlHeaders.SOURCE_OFFSET, Long.toString(to.offset())));
    return new Outgoing(
        topic,
        Partitions.choose(publisher, topic, to.key()),
        to.key(),
        null,
        HeaderCodec.encode(headers));
  }

  private static Header header(String name, String value) {
    return new Header(name, value.getBytes(UTF_8));
  }
}
