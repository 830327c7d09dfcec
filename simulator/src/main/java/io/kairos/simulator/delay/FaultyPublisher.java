package io.kairos.simulator.delay;

import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.delay.port.SendCallback;
import io.kairos.simulator.kernel.CallTrap;

/** The broker's writing side as one process sees it. */
final class FaultyPublisher implements Publisher {
  private final DelayNodeRun process;
  private final DelayCluster world;

  FaultyPublisher(DelayNodeRun process) {
    this.process = process;
    this.world = process.world();
  }

  @Override
  public int partitions(MessageOutput output) {
    return world.partitionsOf(OutgoingRecord.topic(output));
  }

  @Override
  public int partitionFor(byte[] key, int partitions) {
    return world.partitioner.partitionFor(key, partitions);
  }

  @Override
  public void send(OutgoingRecord outgoing, SendCallback callback) {
    process.dieIfDead();
    boolean onFiber = world.kernel.running() != null;
    if (onFiber) {
      process.crashIfTrapped(CallTrap.Kind.CRASH_BEFORE, CallTrap.SEND);
    }
    DelayPublishRules.Letter letter = world.publishRules.begun(process.asSender(), outgoing);
    if (letter instanceof DelayPublishRules.Letter.Message(var send) && send.isDirect) {
      process.publishedDirectly(send);
    }
    if (onFiber && world.weather.stumbles()) {
      world.kernel.sleep(world.weather.stumbleNanos());
    }
    RecordDelivery flight = new RecordDelivery(process, outgoing, letter, callback);
    process.launched(flight);
    flight.takeOff();
    if (onFiber) {
      process.crashIfTrapped(CallTrap.Kind.CRASH_AFTER, CallTrap.SEND);
    }
  }
}
