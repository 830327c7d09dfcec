package io.kairos.engine.delay;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.RecordRejection.Reason;
import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.memory.MessageHolding.Launch;
import io.kairos.engine.delay.memory.OutputLane;
import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.delay.port.SendCallback;
import io.kairos.engine.delay.port.SendResult;
import io.kairos.engine.delay.setup.DeadLetters;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.node.NodeIncarnation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages from memory at due time minus advance, in parallel over the output partitions, and
 * hands acknowledged messages to the settle step. Checks before every send that the node may still
 * act. Never blocks and does not use the store, so that neither delays firing. A failed send is
 * retried by the same node; a message that the broker refuses for good goes to the dead-letter
 * topic.
 */
final class FireMessagesStep {
  private static final int MOST_PER_ROUND = 5_000;
  private static final Duration LONGEST_WAIT = Duration.ofMillis(250);
  private static final long NO_ROOM_PAUSE_NANOS = Duration.ofMillis(20).toNanos();
  private static final long SHORTEST_WAIT_NANOS = 500_000;
  private static final long PARTITIONS_EVERY_NANOS = Duration.ofMillis(200).toNanos();
  private static final long NANOS_PER_MICRO = 1_000;

  /**
   * How long a message that neither its output nor the dead-letter topic takes is deferred: an
   * operator must act.
   */
  private static final Duration REFUSED_STAYS_AWAY = Duration.ofSeconds(30);

  /**
   * How long a refused message is deferred whose dead letter found the publisher full, which
   * passes.
   */
  private static final Duration UNSENT_STAYS_AWAY = Duration.ofSeconds(2);

  private final DelayContext node;
  private final AcknowledgedMessages settled;
  private final Publisher publisher;
  private final AdvanceGauge advance;
  private final Wakeup wakeup;
  private volatile long turnedAtNanos;

  /**
   * No sends before this time, because the publisher's memory was full, perhaps of records for dead
   * partitions.
   */
  private volatile long noRoomUntilNanos;

  /**
   * Launches that found no room in the publisher. Most fail while this step is still sending, and
   * its unsent launches must be put back first.
   */
  private final ConcurrentLinkedDeque<Launch> withoutRoom = new ConcurrentLinkedDeque<>();

  /**
   * An exception of a send's callback, thrown again by this step because publishers may swallow it.
   */
  private volatile @Nullable RuntimeException broken;

  private long partitionsAtNanos;
  private boolean partitionsAsked;

  FireMessagesStep(
      DelayContext node,
      Publisher publisher,
      AcknowledgedMessages settled,
      AdvanceGauge advance,
      Wakeup wakeup) {
    this.node = node;
    this.settled = settled;
    this.publisher = publisher;
    this.advance = advance;
    this.wakeup = wakeup;
    this.turnedAtNanos = node.monotonic().nanos();
    this.noRoomUntilNanos = turnedAtNanos;
  }

  /**
   * Monotonic time at which this step last began a round: a node whose fire step hangs must not
   * look alive.
   */
  long turnedAtNanos() {
    return turnedAtNanos;
  }

  NextRound runOnce() {
    RuntimeException inCompletion = broken;
    if (inCompletion != null) {
      throw new IllegalStateException("the completion of a send went wrong", inCompletion);
    }
    long nowNanos = node.monotonic().nanos();
    turnedAtNanos = nowNanos;
    learnPartitions(nowNanos);
    putBackWithoutRoom();
    long nowMicros = EpochMicros.of(node.clock().instant());
    Optional<NodeIncarnation> acting = node.membership().actingAt(nowMicros);
    if (acting.isEmpty()) {
      return NextRound.after(LONGEST_WAIT);
    }
    if (noRoomUntilNanos - nowNanos > 0) {
      return NextRound.after(Duration.ofNanos(noRoomUntilNanos - nowNanos));
    }
    long untilMicros = nowMicros + advance.micros(nowNanos);
    List<Launch> launches = node.holding().launches(untilMicros, MOST_PER_ROUND, nowNanos);
    int tried = 0;
    int sent = 0;
    try {
      while (sent < launches.size()
          && acting.get().mayAct(node.monotonic().nanos())
          && noRoomUntilNanos - nowNanos <= 0) {
        tried++;
        send(launches.get(sent), nowMicros);
        sent++;
      }
    } finally {
      for (int i = launches.size() - 1; i >= sent; i--) {
        node.holding().putBack(launches.get(i), i < tried);
      }
      putBackWithoutRoom();
    }
    return NextRound.after(untilNext(launches.size()));
  }

  private void putBackWithoutRoom() {
    for (Launch last = withoutRoom.pollLast(); last != null; last = withoutRoom.pollLast()) {
      node.holding().putBack(last, false);
    }
  }

  private void learnPartitions(long nowNanos) {
    if (!partitionsAsked || nowNanos - partitionsAtNanos >= PARTITIONS_EVERY_NANOS) {
      partitionsAsked = true;
      partitionsAtNanos = nowNanos;
      for (MessageOutput output : node.routes().outputs()) {
        node.holding().partitions(output, publisher.partitions(output));
      }
      // Asking keeps the publisher's metadata of these topics: a dead letter to an unknown topic
      // fails, and stops its partition.
      node.routes().sideTopics().forEach(publisher::partitions);
    }
  }

  private Duration untilNext(int launched) {
    if (launched == MOST_PER_ROUND) {
      return Duration.ZERO;
    }
    long nowNanos = node.monotonic().nanos();
    long dueMicros = node.holding().nextDueMicros();
    long wait = Math.min(LONGEST_WAIT.toNanos(), node.holding().nanosToLaunch(nowNanos));
    if (dueMicros != Long.MAX_VALUE) {
      long micros = dueMicros - advance.micros(nowNanos) - EpochMicros.of(node.clock().instant());
      wait =
          Math.min(wait, Math.clamp(micros, 0, LONGEST_WAIT.toMillis() * 1_000) * NANOS_PER_MICRO);
    }
    // Under load some message is always due: waiting half a millisecond lets many sends share one
    // wake-up.
    return Duration.ofNanos(Math.max(SHORTEST_WAIT_NANOS, wait));
  }

  private void send(Launch launch, long nowMicros) {
    DelayedMessage message = launch.held().claimed().message();
    OutputLane lane = launch.lane();
    if (node.routes().get(message.route()).isTooLate(message, nowMicros)) {
      refused(
          launch,
          message,
          Reason.TOO_LATE,
          "the due time lies further in the past than the route's reject-beyond allows");
      return;
    }
    long sentNanos = node.monotonic().nanos();
    publisher.send(
        OutgoingRecord.of(message, lane.output(), lane.partition()),
        watched(result -> completed(launch, sentNanos, result)));
  }

  private SendCallback watched(SendCallback completion) {
    return result -> {
      try {
        completion.completed(result);
      } catch (RuntimeException e) {
        broken = e;
        wakeup.signal();
      }
    };
  }

  /** Called on a thread of the publisher. */
  private void completed(Launch launch, long sentNanos, SendResult result) {
    long nowNanos = node.monotonic().nanos();
    DelayedMessage message = launch.held().claimed().message();
    switch (result) {
      case SendResult.Acknowledged _ -> {
        // Outputs other than topics are written to the store, which takes longer than a publish.
        if (launch.lane().output() instanceof TopicName) {
          advance.acknowledged(nowNanos - sentNanos, nowNanos);
        }
        settled.add(launch.held().claimed());
        if (node.holding().landed(launch)) {
          wakeup.signal();
        }
        node.events()
            .fired(
                message,
                EpochMicros.of(node.clock().instant()) - message.dueMicros(),
                nowNanos - sentNanos);
        node.traceFired(message, sentNanos);
      }
      case SendResult.Failed(String why) -> {
        node.holding().failed(launch, nowNanos);
        node.events().publishFailed(launch.lane().output(), launch.lane().partition(), why);
      }
      case SendResult.NoRoom _ -> {
        noRoomUntilNanos = nowNanos + NO_ROOM_PAUSE_NANOS;
        withoutRoom.add(launch);
      }
      case SendResult.Refused(String why) -> refused(launch, message, Reason.PUBLISH_REFUSED, why);
    }
  }

  /**
   * Sends a message that its output will never take, or that is too late, to the dead-letter topic,
   * with the reason, and truncated if that topic refuses it, too. The message is settled when the
   * dead letter is acknowledged. If the dead letter is not written, the message goes back to the
   * store to be tried again later, so that it delays no other message.
   */
  private void refused(Launch launch, DelayedMessage message, Reason reason, String why) {
    if (node.holding().refused(launch)) {
      wakeup.signal();
    }
    DeadLetters deadLetters = node.routes().deadLetters(message.route());
    park(
        launch,
        deadLetters.ofRefused(message, launch.lane().output(), reason, why, publisher),
        reason,
        false);
  }

  private void park(Launch launch, OutgoingRecord letter, Reason reason, boolean isTruncated) {
    publisher.send(
        letter,
        watched(result -> {
          if (result instanceof SendResult.Acknowledged) {
            settled.add(launch.held().claimed());
            node.holding().parked(launch);
            node.events().deadLettered(launch.held().claimed().message().route(), reason);
          } else if (result instanceof SendResult.Refused && !isTruncated) {
            park(launch, DeadLetters.truncated(letter), reason, true);
          } else {
            node.holding()
                .notParked(
                    launch,
                    result instanceof SendResult.NoRoom ? UNSENT_STAYS_AWAY : REFUSED_STAYS_AWAY);
            node.events()
                .publishFailed(
                    letter.output(), letter.partition(), "dead letter not written: " + result);
          }
        }));
  }
}
