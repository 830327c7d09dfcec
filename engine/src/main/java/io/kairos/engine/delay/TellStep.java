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
 * Tells outcomes of one route's control records to its results topic, at least once each, then
 * forgets them. What is not acknowledged is tried again after all others have had their turn, so
 * that a dead partition holds up itself alone; what the broker will never take is told to the
 * listeners instead.
 */
final class TellStep implements Step {
  private static final int MOST_PER_ROUND = 500;

  private final NodeContext node;
  private final Route route;
  private final AmendmentStore amendments;
  private final Publisher publisher;
  private final Outbox outbox;

  /** The number after which the next round begins. */
  private long after;

  TellStep(
      NodeContext node,
      Route route,
      AmendmentStore amendments,
      Publisher publisher,
      Outbox outbox) {
    this.node = node;
    this.route = route;
    this.amendments = amendments;
    this.publisher = publisher;
    this.outbox = outbox;
  }

  @Override
  public String name() {
    return "tell-" + route.name();
  }

  @Override
  public Next runOnce() {
    Optional<Incarnation> acting = node.membership().acting();
    if (acting.isEmpty()) {
      return Next.after(node.config().claiming().pollInterval());
    }
    List<AmendmentResult> untold =
        amendments.untold(acting.get().id(), route.id(), after, MOST_PER_ROUND);
    List<Long> told = told(untold);
    if (!told.isEmpty()) {
      amendments.told(told);
    }
    after = untold.size() == MOST_PER_ROUND ? untold.getLast().number() : 0;
    return told.size() == MOST_PER_ROUND
        ? Next.AT_ONCE
        : Next.after(node.config().claiming().pollInterval());
  }

  /** Publishes; returns the numbers of those that need not be published again. */
  private List<Long> told(List<AmendmentResult> untold) {
    String topic = route.resultsTopic();
    if (topic == null) { // it was taken out of the configuration
      return untold.stream().map(AmendmentResult::number).toList();
    }
    if (untold.isEmpty()) {
      return List.of();
    }
    List<Outgoing> records = untold.stream().map(result -> record(topic, result)).toList();
    List<SendResult> answers = outbox.publishAll(records, node.config().firing().publishTimeout());
    List<Long> told = new ArrayList<>(untold.size());
    for (int i = 0; i < answers.size(); i++) {
      switch (answers.get(i)) {
        case SendResult.Acknowledged _ -> told.add(untold.get(i).number());
        case SendResult.Refused(String why) -> {
          told.add(untold.get(i).number());
          node.events().resultRefused(route.id(), topic, why);
        }
        case SendResult.NoRoom(String why) ->
            node.events().publishFailed(topic, records.get(i).partition(), why);
        case SendResult.Failed(String why) ->
            node.events().publishFailed(topic, records.get(i).partition(), why);
      }
    }
    return told;
  }

  private Outgoing record(String topic, AmendmentResult result) {
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
            header(ControlHeaders.SOURCE_TOPIC, route.inputTopic()),
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
