package io.kairos.engine.delay;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.InputSubmission;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.IntakePlan.Entry;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.SendResult;
import io.kairos.engine.delay.setup.Route;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Publishes messages that are late when they arrive without storing them, unless their ids are
 * stored. Used by the intake step's thread.
 */
record LateArrivals(
    DelayContext node,
    Route route,
    MessageStore messages,
    RecordOutbox outbox,
    AdvanceGauge advance,
    EarlySends sentAhead) {
  /**
   * Publishes the late messages whose id is neither stored nor about to be stored by an earlier
   * record. Messages for a dead or crowded partition are stored like any other, and so are those
   * that are too late to be fired, because the fire step parks them.
   *
   * @param nowMicros a reading of the wall clock at which the node may act
   */
  Published publish(IntakePlan plan, long nowMicros) {
    long dueMicros = nowMicros + advance.micros(node.monotonic().nanos());
    List<Entry> late = new ArrayList<>();
    Set<MessageId> stored = new HashSet<>();
    Set<Entry> out = Collections.newSetFromMap(new IdentityHashMap<>());
    Set<MessageId> maybeOut = new HashSet<>();
    for (Entry entry : plan.entries()) {
      if (entry.submission() instanceof InputSubmission.Delay(DelayedMessage message)) {
        if (sentAhead.isUnanswered(entry.input())) {
          maybeOut.add(message.id());
        }
        if (sentAhead.isAcknowledged(entry.input())) {
          out.add(entry);
        } else if (message.dueMicros() > dueMicros || route.isTooLate(message, nowMicros)) {
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
    List<OutgoingRecord> records = new ArrayList<>();
    Set<MessageId> held = new HashSet<>(pending);
    for (Entry entry : late) {
      DelayedMessage message = message(entry);
      MessageOutput output = route.outputOf(message);
      OptionalInt partition = node.holding().openPartition(output, message.key());
      if (partition.isEmpty()) {
        held.add(message.id());
        // A former owner of the input partition may have published the message and failed before it
        // stored the position.
        maybeOut.add(message.id());
      } else if (held.add(message.id())) { // the first of an id wins
        sendable.add(entry);
        records.add(OutgoingRecord.of(message, output, partition.getAsInt()));
      }
    }
    long sentNanos = node.monotonic().nanos();
    List<SendResult> results =
        records.isEmpty()
            ? List.of()
            : outbox.publishAll(records, node.config().firing().publishTimeout());
    for (int i = 0; i < results.size(); i++) {
      OutgoingRecord record = records.get(i);
      boolean acknowledged = results.get(i) instanceof SendResult.Acknowledged;
      if (acknowledged) {
        out.add(sendable.get(i));
        sentAhead.acknowledged(sendable.get(i).input());
        DelayedMessage message = message(sendable.get(i));
        node.events()
            .firedDirectly(message, EpochMicros.of(node.clock().instant()) - message.dueMicros());
        node.traceFired(message, sentNanos);
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
   * How the direct publishes ended.
   *
   * @param out entries whose publish was acknowledged, now or when they were read before
   * @param maybeOut ids of messages that may have been written: their publish was not answered, or
   *     another node may have sent them. They are stored like any other, but amendments of them are
   *     too late
   */
  record Published(Set<Entry> out, Set<MessageId> maybeOut) {}

  private static DelayedMessage message(Entry entry) {
    return ((InputSubmission.Delay) entry.submission()).message();
  }
}
