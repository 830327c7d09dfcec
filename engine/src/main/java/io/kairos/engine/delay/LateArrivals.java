package io.kairos.engine.delay;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.Submission;
import io.kairos.domain.task.Output;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.IntakePlan.Entry;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.port.Outgoing;
import io.kairos.engine.delay.port.SendResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Messages that are late when they arrive: checked against stored ids, then published without being
 * stored. Part of the intake step.
 */
final class LateArrivals {
  private final NodeContext node;
  private final Route route;
  private final MessageStore messages;
  private final Outbox outbox;
  private final AdvanceGauge advance;
  private final SentAhead sentAhead;

  LateArrivals(
      NodeContext node,
      Route route,
      MessageStore messages,
      Outbox outbox,
      AdvanceGauge advance,
      SentAhead sentAhead) {
    this.node = node;
    this.route = route;
    this.messages = messages;
    this.outbox = outbox;
    this.advance = advance;
    this.sentAhead = sentAhead;
  }

  /**
   * Publishes what is late on arrival and whose id is neither stored nor being stored by an earlier
   * record (CH-14, CH-16, CH-23). What a dead or crowded partition does not take at once is stored
   * like any other.
   *
   * @param nowMicros a reading of the clock in which the node may act
   */
  Published publish(IntakePlan plan, long nowMicros) {
    long dueMicros = nowMicros + advance.micros(node.monotonic().nanos());
    List<Entry> late = new ArrayList<>();
    Set<MessageId> stored = new HashSet<>();
    Set<Entry> out = Collections.newSetFromMap(new IdentityHashMap<>());
    Set<MessageId> maybeOut = new HashSet<>();
    for (Entry entry : plan.entries()) {
      if (entry.submission() instanceof Submission.Delay(DelayedMessage message)) {
        if (sentAhead.isUnanswered(entry.input())) {
          maybeOut.add(message.id());
        }
        if (sentAhead.isAcknowledged(entry.input())) {
          out.add(entry);
        } else if (message.dueMicros() > dueMicros) {
          stored.add(message.id());
        } else if (!stored.contains(message.id())) {
          late.add(entry);
        }
      }
    }
    if (late.isEmpty()) {
      return new Published(out, maybeOut);
    }
    Set<MessageId> pending =
        messages.pending(
            route.id(), late.stream().map(entry -> message(entry).id()).distinct().toList());
    List<Entry> sendable = new ArrayList<>();
    List<Outgoing> records = new ArrayList<>();
    Set<MessageId> held = new HashSet<>(pending);
    for (Entry entry : late) {
      DelayedMessage message = message(entry);
      Output output = route.outputOf(message);
      OptionalInt partition = node.holding().openPartition(output, message.key());
      if (partition.isEmpty()) {
        held.add(message.id());
        // A former owner of the input partition, which did not get as far as storing it, may have
        // found the output open: then it is out.
        maybeOut.add(message.id());
      } else if (held.add(message.id())) { // the first of an id wins (CH-12)
        sendable.add(entry);
        records.add(
            new Outgoing(
                output, partition.getAsInt(), message.key(), message.value(), message.headers()));
      }
    }
    List<SendResult> results =
        records.isEmpty()
            ? List.of()
            : outbox.publishAll(records, node.config().firing().publishTimeout());
    for (int i = 0; i < results.size(); i++) {
      Outgoing record = records.get(i);
      boolean acknowledged = results.get(i) instanceof SendResult.Acknowledged;
      if (acknowledged) {
        out.add(sendable.get(i));
        sentAhead.acknowledged(sendable.get(i).input());
        DelayedMessage message = message(sendable.get(i));
        node.events()
            .firedDirectly(message, EpochMicros.of(node.clock().instant()) - message.dueMicros());
      }
      if (results.get(i) instanceof SendResult.Failed(String why)) {
        maybeOut.add(message(sendable.get(i)).id());
        sentAhead.unanswered(sendable.get(i).input());
        node.events().publishFailed(record.output(), record.partition(), why);
        node.holding()
            .failedDirectly(record.output(), record.partition(), node.monotonic().nanos());
      }
    }
    return new Published(out, maybeOut);
  }

  /**
   * What became of the late ones that were sent.
   *
   * @param out acknowledged
   * @param maybeOut unanswered, now or when they were read before, or perhaps sent by another node:
   *     they are stored like any other, but amendments of them are too late
   */
  record Published(Set<Entry> out, Set<MessageId> maybeOut) {}

  private static DelayedMessage message(Entry entry) {
    return ((Submission.Delay) entry.submission()).message();
  }
}
