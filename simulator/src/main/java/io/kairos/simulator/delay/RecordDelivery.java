package io.kairos.simulator.delay;

import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.SendCallback;
import io.kairos.engine.delay.port.SendResult;
import io.kairos.simulator.kernel.VirtualEvent;
import org.jspecify.annotations.Nullable;

/**
 * One record on its way to the broker, with the client's retries, until it is acknowledged or the
 * publish timeout has passed. As with a real client, a record that was reported as failed may still
 * arrive.
 */
final class RecordDelivery {
  private static final long RETRY_NANOS = 150_000_000;

  private final DelayNodeRun process;
  private final DelayCluster world;
  private final OutgoingRecord outgoing;
  private final DelayPublishRules.Letter letter;
  private final SendCallback callback;
  private final long deadlineNanos;
  private @Nullable VirtualEvent onTheWay;
  private boolean completed;
  private boolean arrived;

  RecordDelivery(
      DelayNodeRun process,
      OutgoingRecord outgoing,
      DelayPublishRules.Letter letter,
      SendCallback callback) {
    this.process = process;
    this.world = process.world;
    this.outgoing = outgoing;
    this.letter = letter;
    this.callback = callback;
    long timeout = world.scenario.config().firing().publishTimeout().toNanos();
    this.deadlineNanos = world.kernel.nowNanos() + timeout;
    world.kernel.deliver(
        process.process, timeout, () -> complete(new SendResult.Failed("timed out")));
  }

  void takeOff() {
    onTheWay = world.kernel.after(world.weather.brokerNanos(), this::arrive);
  }

  private void arrive() {
    if (arrived) {
      return;
    }
    SendResult result = world.broker.append(outgoing);
    switch (result) {
      case SendResult.Acknowledged _ -> {
        arrived = true;
        world.publishRules.written(letter, outgoing);
        if (!world.weather.losesAck()) {
          answer(result);
        }
      }
      case SendResult.Refused _ -> {
        arrived = true;
        answer(result);
      }
      case SendResult.NoRoom _ ->
          throw new IllegalStateException("the broker says what only a publisher can: " + result);
      case SendResult.Failed _ -> {
        if (world.kernel.nowNanos() < deadlineNanos && process.isAlive()) {
          onTheWay = world.kernel.after(RETRY_NANOS + world.weather.brokerNanos(), this::arrive);
        }
      }
    }
  }

  private void answer(SendResult result) {
    world.kernel.deliver(process.process, world.weather.brokerNanos(), () -> complete(result));
  }

  private void complete(SendResult result) {
    if (completed) {
      return;
    }
    completed = true;
    process.flights.remove(this);
    if (result instanceof SendResult.Acknowledged) {
      world.publishRules.acknowledged(letter);
    } else {
      world.publishRules.reportedFailed(letter);
    }
    callback.completed(result);
  }

  void senderDied() {
    VirtualEvent event = onTheWay;
    if (event != null && world.weather.random.nextBoolean()) {
      event.cancel();
    }
  }
}
