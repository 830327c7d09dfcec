package io.kairos.engine.delay;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Rejection;
import io.kairos.domain.task.Output;
import io.kairos.domain.task.TopicName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.Holding.Launch;
import io.kairos.engine.delay.port.Outgoing;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.delay.port.SendCallback;
import io.kairos.engine.delay.port.SendResult;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.node.Incarnation;
import io.kairos.engine.node.Membership;
import io.kairos.engine.time.Monotonic;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * Fires what is due from memory: sends at due time minus advance, in parallel over the output
 * partitions, and hands what the broker has acknowledged to the settle step (CH-25…27). Checks
 * before every send that the node may still act. Never blocks and touches no store, so that
 * precision depends on nothing else. A send that fails is tried again by its holder (CH-B11); a
 * message that the broker refuses for good goes to the dead-letter topic.
 */
final class FireStep implements Step {
  private static final int MOST_PER_ROUND = 5_000;
  private static final Duration LONGEST_WAIT = Duration.ofMillis(250);
  private static final long NO_ROOM_PAUSE_NANOS = Duration.ofMillis(20).toNanos();
  private static final long SHORTEST_WAIT_NANOS = 500_000;
  private static final long PARTITIONS_EVERY_NANOS = Duration.ofMillis(200).toNanos();
  private static final long NANOS_PER_MICRO = 1_000;

  /** A message that neither its output nor the dead-letter topic takes is for people to mend. */
  private static final Duration REFUSED_STAYS_AWAY = Duration.ofSeconds(30);

  /** Its dead letter found the publisher full, which passes. */
  private static final Duration UNSENT_STAYS_AWAY = Duration.ofSeconds(2);

  private final Membership membership;
  private final Holding holding;
  private final Settled settled;
  private final Publisher publisher;
  private final Routes routes;
  private final AdvanceGauge advance;
  private final InstantSource clock;
  private final Monotonic monotonic;
  private final DelayEvents events;
  private final Wakeup wakeup;
  private volatile long turnedAtNanos;

  /** The publisher's memory is full, perhaps of records for dead partitions: a little patience. */
  private volatile long noRoomUntilNanos;

  /**
   * What found no room. That comes mostly while this step is still sending, and the rest of what it
   * launched must be put back first.
   */
  private final ConcurrentLinkedDeque<Launch> withoutRoom = new ConcurrentLinkedDeque<>();

  /** A publisher may swallow what its callbacks throw; the node must not go on without knowing. */
  private volatile @Nullable RuntimeException broken;

  private long partitionsAtNanos;
  private boolean partitionsAsked;

  FireStep(
      NodeContext node, Publisher publisher, Settled settled, AdvanceGauge advance, Wakeup wakeup) {
    this.membership = node.membership();
    this.holding = node.holding();
    this.settled = settled;
    this.publisher = publisher;
    this.routes = node.routes();
    this.advance = advance;
    this.clock = node.clock();
    this.monotonic = node.monotonic();
    this.events = node.events();
    this.wakeup = wakeup;
    this.turnedAtNanos = monotonic.nanos();
    this.noRoomUntilNanos = turnedAtNanos;
  }

  @Override
  public String name() {
    return "fire";
  }

  /**
   * When this step last began a round, monotonic: a node whose fire step hangs must not look alive.
   */
  long turnedAtNanos() {
    return turnedAtNanos;
  }

  @Override
  public Next runOnce() {
    RuntimeException inCompletion = broken;
    if (inCompletion != null) {
      throw new IllegalStateException("the completion of a send went wrong", inCompletion);
    }
    long nowNanos = monotonic.nanos();
    turnedAtNanos = nowNanos;
    learnPartitions(nowNanos);
    putBackWithoutRoom();
    long nowMicros = EpochMicros.of(clock.instant());
    Optional<Incarnation> acting = membership.actingAt(nowMicros);
    if (acting.isEmpty()) {
      return Next.after(LONGEST_WAIT);
    }
    if (noRoomUntilNanos - nowNanos > 0) {
      return Next.after(Duration.ofNanos(noRoomUntilNanos - nowNanos));
    }
    long untilMicros = nowMicros + advance.micros(nowNanos);
    List<Launch> launches = holding.launches(untilMicros, MOST_PER_ROUND, nowNanos);
    int tried = 0;
    int sent = 0;
    try {
      while (sent < launches.size()
          && acting.get().mayAct(monotonic.nanos())
          && noRoomUntilNanos - nowNanos <= 0) {
        tried++;
        send(launches.get(sent));
        sent++;
      }
    } finally {
      for (int i = launches.size() - 1; i >= sent; i--) {
        holding.putBack(launches.get(i), i < tried);
      }
      putBackWithoutRoom();
    }
    return Next.after(untilNext(launches.size()));
  }

  private void putBackWithoutRoom() {
    for (Launch last = withoutRoom.pollLast(); last != null; last = withoutRoom.pollLast()) {
      holding.putBack(last, false);
    }
  }

  private void learnPartitions(long nowNanos) {
    if (!partitionsAsked || nowNanos - partitionsAtNanos >= PARTITIONS_EVERY_NANOS) {
      partitionsAsked = true;
      partitionsAtNanos = nowNanos;
      for (Output output : routes.outputs()) {
        holding.partitions(output, publisher.partitions(output));
      }
      // Asking keeps them known: a dead letter to an unknown topic fails, and stops its partition.
      routes.sideTopics().forEach(publisher::partitions);
    }
  }

  private Duration untilNext(int launched) {
    if (launched == MOST_PER_ROUND) {
      return Duration.ZERO;
    }
    long nowNanos = monotonic.nanos();
    long dueMicros = holding.nextDueMicros();
    long wait = Math.min(LONGEST_WAIT.toNanos(), holding.nanosToLaunch(nowNanos));
    if (dueMicros != Long.MAX_VALUE) {
      long micros = dueMicros - advance.micros(nowNanos) - EpochMicros.of(clock.instant());
      wait =
          Math.min(wait, Math.clamp(micros, 0, LONGEST_WAIT.toMillis() * 1_000) * NANOS_PER_MICRO);
    }
    // Under load some message is due at every moment: rounds of half a millisecond share the cost
    // of a wake-up.
    return Duration.ofNanos(Math.max(SHORTEST_WAIT_NANOS, wait));
  }

  private void send(Launch launch) {
    DelayedMessage message = launch.held().claimed().message();
    Lane lane = launch.lane();
    long sentNanos = monotonic.nanos();
    publisher.send(
        new Outgoing(
            lane.output(), lane.partition(), message.key(), message.value(), message.headers()),
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

  /** On a thread of the publisher. */
  private void completed(Launch launch, long sentNanos, SendResult result) {
    long nowNanos = monotonic.nanos();
    DelayedMessage message = launch.held().claimed().message();
    switch (result) {
      case SendResult.Acknowledged _ -> {
        // A task is committed to the store, which takes longer than a publish.
        if (launch.lane().output() instanceof TopicName) {
          advance.acknowledged(nowNanos - sentNanos, nowNanos);
        }
        settled.add(launch.held().claimed());
        if (holding.landed(launch)) {
          wakeup.signal();
        }
        events.fired(
            message, EpochMicros.of(clock.instant()) - message.dueMicros(), nowNanos - sentNanos);
      }
      case SendResult.Failed(String why) -> {
        holding.failed(launch, nowNanos);
        events.publishFailed(launch.lane().output(), launch.lane().partition(), why);
      }
      case SendResult.NoRoom _ -> {
        noRoomUntilNanos = nowNanos + NO_ROOM_PAUSE_NANOS;
        withoutRoom.add(launch);
      }
      case SendResult.Refused(String why) -> refused(launch, message, why);
    }
  }

  /**
   * The output has answered, but will never take it: parked with its reason instead. Only the
   * dead-letter topic's acknowledgement settles it; until then it stands aside, so that it delays
   * nobody, and goes back to the store to be tried again much later.
   */
  private void refused(Launch launch, DelayedMessage message, String why) {
    if (holding.refused(launch)) {
      wakeup.signal();
    }
    DeadLetters deadLetters = routes.deadLetters(message.route());
    Outgoing letter = deadLetters.ofRefused(message, launch.lane().output(), why, publisher);
    publisher.send(
        letter,
        watched(result -> {
          if (result instanceof SendResult.Acknowledged) {
            settled.add(launch.held().claimed());
            holding.parked(launch);
            events.deadLettered(message.route(), Rejection.Reason.PUBLISH_REFUSED);
          } else {
            holding.notParked(
                launch,
                result instanceof SendResult.NoRoom ? UNSENT_STAYS_AWAY : REFUSED_STAYS_AWAY);
            events.publishFailed(
                letter.output(), letter.partition(), "dead letter not written: " + result);
          }
        }));
  }
}
