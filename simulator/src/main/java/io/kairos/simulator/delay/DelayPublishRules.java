package io.kairos.simulator.delay;

import static io.kairos.simulator.delay.DelayRuleNames.LINEARIZABLE;
import static io.kairos.simulator.delay.DelayRuleNames.NOT_EARLY;
import static io.kairos.simulator.delay.DelayRuleNames.ONE_OWNER;
import static io.kairos.simulator.delay.DelayRuleNames.PARKED;
import static io.kairos.simulator.delay.DelayRuleNames.ROUTING;
import static io.kairos.simulator.delay.DelayRuleNames.UNIQUE;
import static io.kairos.simulator.kernel.RareState.LOST_ACK;
import static io.kairos.simulator.kernel.RareState.PUBLISHED_DIRECTLY;
import static io.kairos.simulator.kernel.RareState.PUBLISHED_TWICE;
import static io.kairos.simulator.kernel.RareState.REFUSED_BY_BROKER;
import static io.kairos.simulator.kernel.RareState.WRITE_AFTER_ITS_FAILURE;
import static io.kairos.simulator.kernel.RuleNames.IDENTITY;
import static java.util.Objects.requireNonNull;

import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.ControlHeaders;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.simulator.kernel.ClusterScenario;
import io.kairos.simulator.kernel.RuleViolation;
import io.kairos.simulator.kernel.VirtualClock;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Judges every send when it begins, and every record when it is written: whether it may be sent
 * now, and whether it equals the submitted message, byte for byte and on its topic. CH-16, CH-23:
 * what is late on arrival goes out directly; CH-26: what goes out is what is stored.
 */
final class DelayPublishRules {
  private final DelayCluster world;
  private final DelayHistory ledger;
  private final ClusterScenario scenario;
  private final Map<String, RouteId> byResults = new HashMap<>();
  private final Set<String> deadLetters = new HashSet<>();

  DelayPublishRules(DelayCluster world) {
    this.world = world;
    this.ledger = world.ledger;
    this.scenario = world.scenario;
    for (DelayTopology.Pair pair : world.topology.pairs()) {
      byResults.put(pair.results(), pair.id());
      deadLetters.add(pair.deadLetters());
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
    boolean deadLetter = deadLetters.contains(outgoing.topic());
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
            holding ? holder : null,
            deadLetter,
            !deadLetter && sender.isIntake());
    ledger.note(
        10,
        () ->
            "%s %s %s to %s-%s"
                .formatted(
                    sender.name(),
                    holding ? "sends" : "sends without holding it",
                    message,
                    outgoing.topic(),
                    outgoing.partition()));
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
        NOT_EARLY,
        () -> message + " is sent " + early + " us early by the clock of " + sender.name());
    long reallyEarly =
        message.dueMicros
            - scenario.advanceMicros()
            - scenario.clockBoundMicros()
            - world.latestMicros();
    ledger.check(
        reallyEarly <= 0,
        NOT_EARLY,
        () ->
            "%s is sent %s us early beyond the clock bound by %s"
                .formatted(message, reallyEarly, sender.name()));
    if (send.isDirect) {
      checkLateArrival(message);
    } else if (send.under != null) {
      checkAlive(sender, message);
    }
  }

  private void checkLateArrival(ProducedRecord message) {
    ledger.reached(PUBLISHED_DIRECTLY);
    message
        .fires()
        .ifPresent(fires -> {
          ProducedRecord pending = ledger.stored(message.submitted.route(), fires.id());
          ledger.check(
              pending == null
                  || pending == message
                  || pending.storedAt > message.submitted.atNanos(),
              UNIQUE,
              () -> message + " is published while " + pending + " is stored");
        });
  }

  private void checkAlive(Sender sender, ProducedRecord message) {
    NodeId life = sender.life().orElseThrow();
    ledger.check(
        !world.lives.hasDeparted(life),
        ONE_OWNER,
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
            .orElseThrow(() -> new RuleViolation(PARKED, message + " is published as a message"));
    message.written++;
    ledger.reached(PUBLISHED_TWICE, message.written == 2);
    ledger.reached(WRITE_AFTER_ITS_FAILURE, send.reportedFailed);
    ledger.check(
        send.begunAtNanos >= message.appliedAt || send.byWrongClock,
        LINEARIZABLE,
        () ->
            "%s is written by a %s, but an amendment was applied %s ms"
                .formatted(message, send, message.appliedAt / 1_000_000));
    ledger.check(
        !message.cancelled || send.byWrongClock,
        LINEARIZABLE,
        () -> message + " is written though it was cancelled");
    ledger.check(
        outgoing.topic().equals(fires.topic()),
        IDENTITY,
        () -> message + " is written to " + outgoing.topic());
    ledger.check(
        Arrays.equals(outgoing.key(), message.submitted.key())
            && Arrays.equals(outgoing.value(), message.submitted.value())
            && HeaderCodec.decode(outgoing.headers()).equals(fires.headers()),
        IDENTITY,
        () -> message + " is written with other bytes than it was submitted with");
    byte[] key = outgoing.key();
    if (key != null) {
      boolean fits = false;
      for (int count = world.partitioner.partitions(outgoing.output());
          count > 0 && !fits;
          count--) {
        fits = world.partitioner.partitionFor(key, count) == outgoing.partition();
      }
      ledger.check(
          fits,
          ROUTING,
          () -> message + " is written to partition " + outgoing.partition() + " against its key");
    }
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
    ledger.check(right, PARKED, () -> message + " is parked as " + reason);
    ledger.check(
        Arrays.equals(outgoing.key(), message.submitted.key())
            && Arrays.equals(outgoing.value(), message.submitted.value())
            && containsInOrder(headers, message),
        IDENTITY,
        () -> message + " is parked with other bytes than it was submitted with");
    ledger.reached(REFUSED_BY_BROKER, message.fires().isPresent());
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
    RouteId route = requireNonNull(byResults.get(outgoing.topic()));
    int partition = Integer.parseInt(header(headers, ControlHeaders.SOURCE_PARTITION));
    long offset = Long.parseLong(header(headers, ControlHeaders.SOURCE_OFFSET));
    AmendmentTrack track = ledger.controlRecord(route, partition, offset);
    if (track == null) {
      throw new RuleViolation(LINEARIZABLE, "a result of no control record: " + offset);
    }
    track.told++;
    ledger.note(12, () -> "told " + track);
    AmendmentOutcome outcome = track.outcome;
    ledger.check(
        outcome != null
            && header(headers, ControlHeaders.OUTCOME)
                .equals(outcome.name().toLowerCase(Locale.ROOT).replace('_', '-')),
        LINEARIZABLE,
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
      ledger.reached(LOST_ACK, send.isWritten());
    }
  }
}
