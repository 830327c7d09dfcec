package io.kairos.simulator.delay;

import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.ControlHeaders;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.simulator.kernel.ClusterScenario;
import io.kairos.simulator.kernel.LivenessHistory;
import io.kairos.simulator.kernel.RareState;
import io.kairos.simulator.kernel.RuleNames;
import io.kairos.simulator.kernel.RuleViolation;
import io.kairos.simulator.kernel.VirtualClock;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Judges every send when it begins and every record when it is written: whether it may be sent now
 * (D2, D4, D10), and whether it is byte for byte what was submitted, where it belongs (D8, D9).
 */
final class DelayPublishRules {
  /** Topics of a route by their role. */
  record Topics(RouteId route, String results, String deadLetters) {}

  private final DelayHistory ledger;
  private final ClusterScenario scenario;
  private final LivenessHistory lives;
  private final VirtualClock trueTime;
  private final Map<String, Topics> byResults = new HashMap<>();
  private final Map<String, Topics> byDeadLetters = new HashMap<>();
  private final Publisher partitioner;

  DelayPublishRules(
      DelayHistory ledger,
      ClusterScenario scenario,
      LivenessHistory lives,
      VirtualClock trueTime,
      Publisher partitioner,
      List<Topics> topics) {
    this.ledger = ledger;
    this.scenario = scenario;
    this.lives = lives;
    this.trueTime = trueTime;
    this.partitioner = partitioner;
    for (Topics of : topics) {
      byResults.put(of.results(), of);
      byDeadLetters.put(of.deadLetters(), of);
    }
  }

  /** A record on its way from a sender to a topic. */
  sealed interface Letter {
    record Message(MessageSend send) implements Letter {}

    record Result() implements Letter {}
  }

  /**
   * The sender as it sees itself: its present life, and its clock.
   *
   * @param isIntake whether its intake sends, what it has read just now
   */
  record Sender(String name, Optional<NodeId> life, VirtualClock clock, boolean isIntake) {}

  Letter begun(Sender sender, OutgoingRecord outgoing) {
    if (byResults.containsKey(outgoing.topic())) {
      return new Letter.Result();
    }
    ProducedRecord message = ledger.byTag(RecordTag.of(outgoing));
    boolean deadLetter = byDeadLetters.containsKey(outgoing.topic());
    Fence holder = message.holder;
    boolean holding =
        message.isStored()
            && holder != null
            && sender.life().map(holder.readiedBy()::equals).orElse(false);
    MessageSend send =
        new MessageSend(
            message,
            sender.name(),
            ledger.nowNanos(),
            holding,
            deadLetter,
            !deadLetter && sender.isIntake());
    ledger.note(
        10,
        () ->
            sender.name()
                + (holding ? " sends " : " sends without holding it ")
                + message
                + " to "
                + outgoing.topic()
                + "-"
                + outgoing.partition());
    send.byWrongClock =
        Math.abs(sender.clock().offsetNanos()) > scenario.clockBoundMicros() * 1_000;
    if (!deadLetter) {
      checkMayBeSent(sender, send);
    }
    message.sends.add(send);
    return new Letter.Message(send);
  }

  private void checkMayBeSent(Sender sender, MessageSend send) {
    ProducedRecord message = send.message;
    // By its own clock a sender may have been right when it took the message out to be sent, and
    // the clock set back since.
    long early = message.dueMicros - scenario.advanceMicros() - sender.clock().micros();
    ledger.check(
        early <= 0 || ledger.nowNanos() - sender.clock().setAtNanos() <= scenario.lapseNanos(),
        DelayRuleNames.NOT_EARLY,
        () -> message + " is sent " + early + " us early by the clock of " + sender.name());
    long reallyEarly =
        message.dueMicros
            - scenario.advanceMicros()
            - scenario.clockBoundMicros()
            - trueTime.micros();
    ledger.check(
        reallyEarly <= 0,
        DelayRuleNames.NOT_EARLY,
        () ->
            message
                + " is sent "
                + reallyEarly
                + " us early beyond the clock bound by "
                + sender.name());
    if (send.isDirect) {
      checkLateArrival(message);
    } else if (send.whileHolding) {
      checkAlive(sender, message);
    }
  }

  private void checkLateArrival(ProducedRecord message) {
    ledger.reached(RareState.PUBLISHED_DIRECTLY);
    message
        .fires()
        .ifPresent(fires -> {
          ProducedRecord pending = ledger.stored(message.submitted.route(), fires.id());
          ledger.check(
              pending == null
                  || pending == message
                  || pending.storedAt > message.submitted.atNanos(),
              DelayRuleNames.UNIQUE,
              () -> message + " is published while " + pending + " is stored");
        });
  }

  private void checkAlive(Sender sender, ProducedRecord message) {
    NodeId life = sender.life().orElseThrow();
    ledger.check(
        !lives.hasDeparted(life),
        DelayRuleNames.ONE_OWNER,
        () -> sender.name() + " sends " + message + " though it has lapsed");
  }

  void written(Letter letter, OutgoingRecord outgoing) {
    switch (letter) {
      case Letter.Result _ -> told(outgoing);
      case Letter.Message(var send) -> {
        send.writtenAtNanos = ledger.nowNanos();
        ledger.note(11, () -> "written " + send.message + " by " + send.sender);
        if (send.toDeadLetters) {
          parked(send.message, outgoing);
        } else {
          fired(send, outgoing);
        }
      }
    }
  }

  private void fired(MessageSend send, OutgoingRecord outgoing) {
    ProducedRecord message = send.message;
    ProducedRecord.Expected.Fires fires =
        message
            .fires()
            .orElseThrow(() ->
                new RuleViolation(DelayRuleNames.PARKED, message + " is published as a message"));
    message.written++;
    if (message.written == 2) {
      ledger.reached(RareState.PUBLISHED_TWICE);
    }
    if (send.reportedFailed) {
      ledger.reached(RareState.WRITE_AFTER_ITS_FAILURE);
    }
    ledger.check(
        send.begunAtNanos >= message.appliedAt || send.byWrongClock,
        DelayRuleNames.LINEARIZABLE,
        () ->
            message
                + " is written by a "
                + send
                + ", but an amendment was applied "
                + message.appliedAt / 1_000_000
                + " ms");
    ledger.check(
        !message.cancelled || send.byWrongClock,
        DelayRuleNames.LINEARIZABLE,
        () -> message + " is written though it was cancelled");
    ledger.check(
        outgoing.topic().equals(fires.topic()),
        RuleNames.IDENTITY,
        () -> message + " is written to " + outgoing.topic());
    ledger.check(
        sameBytes(outgoing.key(), message.submitted.key())
            && sameBytes(outgoing.value(), message.submitted.value())
            && HeaderCodec.decode(outgoing.headers()).equals(fires.headers()),
        RuleNames.IDENTITY,
        () -> message + " is written with other bytes than it was submitted with");
    byte[] key = outgoing.key();
    if (key != null) {
      boolean fits = false;
      for (int count = partitioner.partitions(outgoing.output()); count > 0 && !fits; count--) {
        fits = partitioner.partitionFor(key, count) == outgoing.partition();
      }
      ledger.check(
          fits,
          DelayRuleNames.ROUTING,
          () -> message + " is written to partition " + outgoing.partition() + " against its key");
    }
  }

  private static boolean sameBytes(byte @Nullable [] one, byte @Nullable [] other) {
    return Arrays.equals(one, other);
  }

  private void parked(ProducedRecord message, OutgoingRecord outgoing) {
    message.parked++;
    List<MessageHeader> headers = HeaderCodec.decode(outgoing.headers());
    String reason = header(headers, ControlHeaders.REASON);
    boolean right =
        switch (message.submitted.expected()) {
          case ProducedRecord.Expected.IsParked(String expected) -> reason.equals(expected);
          case ProducedRecord.Expected.Fires fires ->
              fires.isRefused() && reason.equals("publish-refused");
        };
    ledger.check(right, DelayRuleNames.PARKED, () -> message + " is parked as " + reason);
    ledger.check(
        sameBytes(outgoing.key(), message.submitted.key())
            && sameBytes(outgoing.value(), message.submitted.value())
            && containsInOrder(headers, message),
        RuleNames.IDENTITY,
        () -> message + " is parked with other bytes than it was submitted with");
    if (message.fires().isPresent()) {
      ledger.reached(RareState.REFUSED_BY_BROKER);
    }
  }

  /** A parked record keeps all its headers; a parked message keeps those of the application. */
  private static boolean containsInOrder(List<MessageHeader> headers, ProducedRecord message) {
    List<MessageHeader> wanted =
        message
            .fires()
            .map(fires ->
                fires.headers().stream()
                    .filter(header -> !header.name().equals(ControlHeaders.ID))
                    .toList())
            .orElse(message.submitted.headers());
    return headers.size() >= wanted.size() && headers.subList(0, wanted.size()).equals(wanted);
  }

  private void told(OutgoingRecord outgoing) {
    List<MessageHeader> headers = HeaderCodec.decode(outgoing.headers());
    RouteId route = Optional.ofNullable(byResults.get(outgoing.topic())).orElseThrow().route();
    int partition = Integer.parseInt(header(headers, ControlHeaders.SOURCE_PARTITION));
    long offset = Long.parseLong(header(headers, ControlHeaders.SOURCE_OFFSET));
    AmendmentTrack track = ledger.controlRecord(route, partition, offset);
    if (track == null) {
      throw new RuleViolation(
          DelayRuleNames.LINEARIZABLE, "a result of no control record: " + offset);
    }
    track.told++;
    ledger.note(12, () -> "told " + track);
    AmendmentOutcome outcome = track.outcome;
    ledger.check(
        outcome != null
            && header(headers, ControlHeaders.OUTCOME)
                .equals(outcome.name().toLowerCase(Locale.ROOT).replace('_', '-')),
        DelayRuleNames.LINEARIZABLE,
        () -> track + " was decided as " + outcome + " but told otherwise");
  }

  private static String header(List<MessageHeader> headers, String name) {
    for (MessageHeader header : headers) {
      byte[] value = header.value();
      if (header.name().equals(name) && value != null) {
        return new String(value, StandardCharsets.UTF_8);
      }
    }
    return "";
  }

  void acknowledged(Letter letter) {
    if (letter instanceof Letter.Message(var send)) {
      send.acknowledged = true;
      ledger.note(13, () -> "acknowledged " + send.message + " to " + send.sender);
    }
  }

  void reportedFailed(Letter letter) {
    if (letter instanceof Letter.Message(var send)) {
      send.reportedFailed = true;
      ledger.note(14, () -> "reported failed " + send.message + " to " + send.sender);
      if (send.isWritten()) {
        ledger.reached(RareState.LOST_ACK);
      }
    }
  }
}
