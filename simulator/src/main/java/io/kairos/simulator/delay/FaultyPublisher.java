package io.kairos.simulator.delay;

import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.delay.port.SendCallback;
import io.kairos.simulator.kernel.CallTrap;

/** The broker's writing side as one process sees it. */
record FaultyPublisher(DelayNodeRun process) implements Publisher {
  @Override
  public int partitions(MessageOutput output) {
    return process.world.partitionsOf(OutgoingRecord.topic(output));
  }

  @Override
  public int partitionFor(byte[] key, int partitions) {
    return process.world.partitioner.partitionFor(key, partitions);
  }

  @Override
  public void send(OutgoingRecord outgoing, SendCallback callback) {
    process.dieIfDead();
    boolean onFiber = process.world.kernel.running() != null;
    if (onFiber) {
      process.crashIfTrapped(CallTrap.Kind.CRASH_BEFORE, CallTrap.SEND);
    }
    DelayPublishRules.Letter letter =
        process.world.publishRules.begun(process.asSender(), outgoing);
    if (letter instanceof DelayPublishRules.Letter.Message(var send) && send.isDirect) {
      process.openDirect.add(send);
    }
    if (onFiber && process.world.weather.stumbles()) {
      process.world.kernel.sleep(process.world.weather.stumbleNanos());
    }
    RecordDelivery flight = new RecordDelivery(process, outgoing, letter, callback);
    process.flights.add(flight);
    flight.takeOff();
    if (onFiber) {
      process.crashIfTrapped(CallTrap.Kind.CRASH_AFTER, CallTrap.SEND);
    }
  }
}
