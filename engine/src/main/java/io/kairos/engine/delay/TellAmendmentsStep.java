package io.kairos.engine.delay;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.ControlHeaders;
import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.engine.delay.port.AmendmentResult;
import io.kairos.engine.delay.port.AmendmentStore;
import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.delay.port.ReplyTo;
import io.kairos.engine.delay.port.SendResult;
import io.kairos.engine.delay.setup.Route;
import io.kairos.engine.delay.setup.TopicPartitions;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.node.NodeIncarnation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Publishes the outcomes of one route's control records to its results topic, at least once each,
 * and then deletes them. Outcomes for a partition that did not answer are left out, except for a
 * probe every few seconds whose answer is not waited for: a dead partition delays only its own
 * outcomes. An outcome that the broker refuses for good is reported to the listener instead.
 */
final class TellAmendmentsStep {
  private static final int MOST_PER_ROUND = 500;

  /** Longer than the publish timeout, so that each probe has had its answer before the next. */
  private static final Duration PROBE_EVERY = Duration.ofSeconds(5);

  private final DelayContext node;
  private final Route route;
  private final AmendmentStore amendments;
  private final Publisher publisher;
  private final RecordOutbox outbox;

  /** Partitions that have failed, with the monotonic time of their next probe. */
  private final Map<Integer, Long> probeAtNanos = new HashMap<>();

  /** Answers to sends, probes included; filled by any thread. */
  private final ConcurrentLinkedQueue<Answer> answers = new ConcurrentLinkedQueue<>();

  /** The number of the last amendment that the previous round saw; zero to begin anew. */
  private long after;

  private record Answer(AmendmentResult result, int partition, SendResult sent) {}

  TellAmendmentsStep(
      DelayContext node,
      Route route,
      AmendmentStore amendments,
      Publisher publisher,
      RecordOutbox outbox) {
    this.node = node;
    this.route = route;
    this.amendments = amendments;
    this.publisher = publisher;
    this.outbox = outbox;
  }

  NextRound runOnce() {
    return node.whileActing(node.config().claiming().pollInterval(), this::round);
  }

  private NextRound round(NodeIncarnation acting) {
    List<AmendmentResult> untold =
        amendments.untold(acting.id(), route.id(), after, MOST_PER_ROUND);
    List<Long> told = told(untold);
    if (!told.isEmpty()) {
      amendments.told(told);
    }
    after = untold.size() == MOST_PER_ROUND ? untold.getLast().number() : 0;
    return told.size() >= MOST_PER_ROUND
        ? NextRound.AT_ONCE
        : NextRound.after(node.config().claiming().pollInterval());
  }

  /** Publishes outcomes; returns the numbers of those that need not be published again. */
  private List<Long> told(List<AmendmentResult> untold) {
    TopicName topic = route.resultsTopic();
    if (topic == null) { // it was taken out of the configuration
      return untold.stream().map(AmendmentResult::number).toList();
    }
    publish(topic, untold);
    List<Long> told = new ArrayList<>(untold.size());
    for (Answer answer = answers.poll(); answer != null; answer = answers.poll()) {
      int partition = answer.partition();
      switch (answer.sent()) {
        case SendResult.Acknowledged _ -> {
          told.add(answer.result().number());
          probeAtNanos.remove(partition);
        }
        case SendResult.Refused(String why) -> {
          told.add(answer.result().number());
          probeAtNanos.remove(partition);
          node.events().resultRefused(route.id(), topic, why);
        }
        case SendResult.NoRoom(String why) -> node.events().publishFailed(topic, partition, why);
        case SendResult.Failed(String why) -> {
          probeAtNanos.put(partition, node.monotonic().nanos() + PROBE_EVERY.toNanos());
          node.events().publishFailed(topic, partition, why);
        }
      }
    }
    return told;
  }

  private void publish(TopicName topic, List<AmendmentResult> untold) {
    long nowNanos = node.monotonic().nanos();
    List<AmendmentResult> sent = new ArrayList<>(untold.size());
    List<OutgoingRecord> records = new ArrayList<>(untold.size());
    for (AmendmentResult result : untold) {
      OutgoingRecord record = record(topic, result);
      int partition = record.partition();
      Long probeAt = probeAtNanos.get(partition);
      if (probeAt == null) {
        sent.add(result);
        records.add(record);
      } else if (nowNanos - probeAt >= 0) {
        probeAtNanos.put(partition, nowNanos + PROBE_EVERY.toNanos());
        publisher.send(record, answer -> answers.add(new Answer(result, partition, answer)));
      }
    }
    if (!records.isEmpty()) {
      List<SendResult> results =
          outbox.publishAll(records, node.config().firing().publishTimeout());
      for (int i = 0; i < results.size(); i++) {
        answers.add(new Answer(sent.get(i), records.get(i).partition(), results.get(i)));
      }
    }
  }

  private OutgoingRecord record(TopicName topic, AmendmentResult result) {
    ReplyTo.ResultsTopic to = result.replyTo();
    List<MessageHeader> headers =
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
    return new OutgoingRecord(
        topic,
        TopicPartitions.choose(publisher, topic, to.key()),
        to.key(),
        null,
        HeaderCodec.encode(headers));
  }

  private static MessageHeader header(String name, String value) {
    return new MessageHeader(name, value.getBytes(UTF_8));
  }
}
